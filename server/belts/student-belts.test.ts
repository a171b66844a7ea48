import type { MissingRule } from '@tatami/contract/belts/eligibility'
import { describeMissing } from '@tatami/contract/belts/eligibility'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { insertLadder, insertStyle, beltChangeRow } from '../test/ladders.ts'
import { startTestServer } from '../test/test-server.ts'
import { beltChanges } from './tables.ts'

const server = await startTestServer()
/** Noon in the dojo’s time zone, Chicago. */
const setClockToNoon = (day: string) => setClock(`${day}T18:00:00Z`)
const TODAY = '2027-03-01'

type Row = Record<'id' | 'kind' | 'rank' | 'given_on' | 'examiner' | 'is_corrected', unknown>
type LadderRank = Parameters<typeof insertLadder>[2][number]
/** Creates a ladder of three ranks, and a student who has the first rank. `rankForm` has the
 *  requirements of the second rank. */
async function setUpDojo(
  rankForm: LadderRank,
  startDay: string,
  {
    today = TODAY,
    ladder = {},
    student: fields = {},
  }: { today?: string; ladder?: object; student?: object } = {},
) {
  setClockToNoon(today)
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, fields)
  const style_id = await server.db.inDojo(sensei.dojoId, (tx) =>
    insertStyle(tx, { vacation_counts: false }),
  )
  const { ranks } = await server.db.inDojo(sensei.dojoId, (tx) =>
    insertLadder(tx, style_id, [{ stripes: 4 }, rankForm, {}], ladder),
  )
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.insert(beltChanges).values(
      beltChangeRow(student.id, style_id, ranks[0]!.id, startDay, {
        note: 'Weak left leg',
        waived: ['fee'],
      }),
    ),
  )
  const clientOn = async (day: string) => {
    setClockToNoon(day)
    return server.clientFor((await server.signIn(sensei.email)).token)
  }
  const readBelts = async (client = sensei) =>
    (await client.get(`/students/${student.id}/belts`)).body.styles[0]
  const readMissingOn = async (day: string) =>
    describeMissing(
      (await readBelts((await clientOn(day)) as typeof sensei)).missing,
      (reachedOn) => reachedOn,
    )
  const mark = (class_date: string, present = true, classId = class_id) =>
    sensei.post('/attendance', { student_id: student.id, class_id: classId, class_date, present })
  return {
    sensei,
    student,
    style_id,
    class_id,
    ranks,
    readBelts,
    readMissingOn,
    mark,
    readMissingToday: async () => describeMissing((await readBelts()).missing as MissingRule[]),
  }
}

test('counts classes from the day after the promotion, and follows changes of marks', async () => {
  const { sensei, student, class_id, mark, readBelts, readMissingToday } = await setUpDojo(
    { min_classes: 3, max_classes_a_day: 1 },
    '2027-02-10',
  )
  const eveningClass = await server.createClass(sensei, { class_name: 'Evening' })
  await mark('2027-02-10')
  expect(await readMissingToday()).toBe('3 classes')
  await mark('2027-02-11')
  expect(await readMissingToday()).toBe('2 classes')
  // A second class on that day, an absence and a future day do not count.
  await mark('2027-02-11', true, eveningClass.id)
  await mark('2027-02-12', false)
  await mark('2027-03-02')
  expect(await readMissingToday()).toBe('2 classes')
  await mark('2027-02-12')
  expect(await readMissingToday()).toBe('1 class')
  const saveRoll = (present: boolean | null) =>
    sensei.put('/attendance/roll', {
      class_id,
      class_date: TODAY,
      marks: [{ student_id: student.id, present }],
    })
  expect((await saveRoll(true)).status).toBe(200)
  expect([await readMissingToday(), (await readBelts()).classes]).toEqual(['', 3])
  expect((await sensei.get('/belts/ready')).body.students[0]).toMatchObject({
    readiness: 'ready',
    classes: 3,
    missing: [],
  })
  await saveRoll(null)
  expect(await readMissingToday()).toBe('1 class')
  await sensei.delete(
    `/attendance?student_id=${student.id}&class_id=${class_id}&class_date=2027-02-12`,
  )
  expect(await readMissingToday()).toBe('2 classes')
  await mark('2027-02-12', false)
  // The marks of a deleted class still count.
  await sensei.delete(`/classes/${eveningClass.id}`)
  expect(await readMissingToday()).toBe('2 classes')
})

test('uses the last day of February if the exact day does not exist', async () => {
  const dojo = await setUpDojo({ min_months: 1 }, '2027-01-31')
  expect(await dojo.readMissingOn('2027-02-27')).toBe('1 day')
  expect(await dojo.readMissingOn('2027-02-28')).toBe('')
  const leapYearDojo = await setUpDojo({ min_months: 1 }, '2028-01-31', { today: '2028-02-01' })
  expect(await leapYearDojo.readMissingOn('2028-02-28')).toBe('1 day')
  expect(await leapYearDojo.readMissingOn('2028-02-29')).toBe('')
  const youngDojo = await setUpDojo({ min_age: 15 }, '2026-01-31', {
    student: { date_of_birth: '2012-02-29' },
  })
  expect(await youngDojo.readMissingOn('2027-02-27')).toBe('too young until 2027-02-28')
  expect(await youngDojo.readMissingOn('2027-02-28')).toBe('')
  const calendarYearDojo = await setUpDojo({ min_age: 16, max_age: 16 }, '2026-01-31', {
    student: { date_of_birth: '2012-12-31' },
    ladder: { age_counts: 'calendar_year' },
  })
  expect(await calendarYearDojo.readMissingOn('2027-12-31')).toBe('too young until 2028-01-01')
  expect(await calendarYearDojo.readMissingOn('2028-12-31')).toBe('')
  expect(await calendarYearDojo.readMissingOn('2029-01-01')).toBe('too old')
})

test('does not count a planned vacation as time in rank if the style excludes vacations', async () => {
  const { sensei, student, readMissingOn } = await setUpDojo({ min_months: 2 }, '2027-01-15')
  await sensei.put(`/students/${student.id}/vacation`, {
    vacation_from: TODAY,
    vacation_until: '2027-03-10',
  })
  // By the end of February, 44 of the 59 days have passed.
  const { body } = await sensei.get('/belts/ready')
  expect(body.students[0]).toMatchObject({
    readiness: 'vacation',
    missing: [{ rule: 'months', short_by: 15, until: '2027-03-25' }],
  })
  expect(await readMissingOn('2027-03-10')).toBe('15 days')
  expect(await readMissingOn('2027-03-24')).toBe('1 day')
  expect(await readMissingOn('2027-03-25')).toBe('')
})

test('forecasts future classes from the last eight weeks', async () => {
  const { sensei, mark } = await setUpDojo({ min_classes: 10, min_months: 2 }, '2027-02-10')
  // Seven classes in the last eight weeks, four of them since the promotion, and one class before.
  for (const day of [
    '2026-12-28',
    '2027-01-05',
    '2027-01-12',
    '2027-02-10',
    '2027-02-11',
    '2027-02-16',
    '2027-02-23',
    TODAY,
  ])
    await mark(day)
  const readReadyOn = async (day: string) => {
    const { body } = await sensei.get(`/belts/ready?on=${day}`)
    return [
      body.students[0].readiness,
      body.students[0].classes,
      describeMissing(body.students[0].missing),
    ]
  }
  expect(await readReadyOn(TODAY)).toEqual(['short', 4, '6 classes, 40 days'])
  expect(await readReadyOn('2027-03-08')).toEqual(['short', 4, '6 classes, 33 days'])
  expect(await readReadyOn('2027-03-09')).toEqual(['short', 5, '5 classes, 32 days'])
  expect(await readReadyOn('2027-04-09')).toEqual(['short', 8, '2 classes, 1 day'])
  expect(await readReadyOn('2027-04-17')).toEqual(['short', 9, '1 class'])
  expect(await readReadyOn('2027-04-18')).toEqual(['ready', 10, ''])
  // For a past day, only the classes up to that day count.
  expect(await readReadyOn('2027-02-17')).toEqual(['short', 2, '8 classes, 52 days'])
})

test('records a repeated skill check or approval once, and refuses those of other dojos', async () => {
  const { sensei, student, ranks, readMissingToday, readBelts } = await setUpDojo(
    { needs_approval: true, skills: [{ name: 'Front kick' }, { name: 'Bow', required: false }] },
    '2027-02-10',
  )
  const skill = `/students/${student.id}/skills/${ranks[1]!.skills[0]}`
  const approval = `/students/${student.id}/approvals/${ranks[1]!.id}`
  expect(await readMissingToday()).toBe('1 skill, approval')
  for (const _ of [1, 2])
    expect((await sensei.put(skill, { checked: true })).body).toEqual({ success: true })
  for (const _ of [1, 2]) await sensei.put(approval, { approved: true })
  expect(await readBelts()).toMatchObject({
    missing: [],
    is_approved: true,
    skills: [
      { name: 'Front kick', checked: true },
      { name: 'Bow', required: false, checked: false },
    ],
  })
  for (const _ of [1, 2]) await sensei.put(skill, { checked: false })
  for (const _ of [1, 2]) await sensei.put(approval, { approved: false })
  expect(await readMissingToday()).toBe('1 skill, approval')
  await sensei.put(approval, { approved: true })
  expect(await readMissingToday()).toBe('1 skill')
  const actions = (await sensei.get('/audit-log')).body.map(
    ({ action }: { action: string }) => action,
  )
  expect(actions.slice(0, 5)).toEqual([
    'promotion approved',
    'approval withdrawn',
    'skill unchecked',
    'promotion approved',
    'skill checked',
  ])
  const otherDojo = await setUpDojo({}, TODAY)
  const details = [
    await otherDojo.sensei.put(skill, { checked: true }),
    await sensei.put(`/students/${student.id}/skills/${otherDojo.ranks[0]!.id}`, { checked: true }),
    await sensei.put(`/students/${student.id}/approvals/${otherDojo.ranks[0]!.id}`, {
      approved: true,
    }),
    await otherDojo.sensei.get(`/students/${student.id}/belts`),
    await sensei.get(`/belts/ready?style_id=${otherDojo.style_id}`),
  ].map(({ status, body }) => [status, body.detail])
  expect(details).toEqual(
    ['Student', 'Skill', 'Rank', 'Student', 'Style'].map((entity) => [404, `${entity} not found`]),
  )
  expect(
    (await otherDojo.sensei.get('/belts/ready')).body.students.map(
      (row: { student_id: string }) => row.student_id,
    ),
  ).toEqual([otherDojo.student.id])
})

test('shows families their belts without notes, waivers or instructors’ names', async () => {
  const { sensei, student, readBelts } = await setUpDojo(
    { min_classes: 2, skills: [{ name: 'Front kick' }] },
    '2027-02-10',
  )
  const sibling = await server.createStudent(sensei, { name: 'Zoe Adams' })
  const guardian = await server.createGuardian(sensei, [student, sibling])
  const guardianWithoutAccess = await server.createGuardian(sensei, [], {
    students: [{ student_id: student.id, sees: false }],
  })
  const readOwnBelts = async (client: { get: typeof sensei.get }) =>
    (await client.get('/my/belts')).body.students
  const [ownBelts] = await readOwnBelts(student)
  expect((await readBelts()).history).toMatchObject([
    { note: 'Weak left leg', waived: ['fee'], may_undo: true },
    { kind: 'start', may_undo: false },
  ])
  const { max_stripes: _, is_approved: __, history, ...progress } = await readBelts()
  const familyHistory = history.map(
    ({ id, kind, rank, given_on, examiner, is_corrected }: Row) => ({
      id,
      kind,
      rank,
      given_on,
      examiner,
      is_corrected,
    }),
  )
  expect(ownBelts).toEqual({
    student_id: student.id,
    name: 'Ken Adams',
    styles: [{ ...progress, history: familyHistory }],
  })
  expect(describeMissing(progress.missing)).toBe('2 classes, 1 skill')
  expect((await readOwnBelts(guardian)).map(({ name }: { name: string }) => name)).toEqual([
    'Ken Adams',
    'Zoe Adams',
  ])
  expect((await readOwnBelts(guardian))[0]).toEqual(ownBelts)
  expect(await readOwnBelts(sibling)).toMatchObject([
    { name: 'Zoe Adams', styles: [{ rank: { name: 'Rank 0' } }] },
  ])
  for (const client of [guardianWithoutAccess, sensei])
    expect(await readOwnBelts(client)).toEqual([])
  for (const path of ['/belts/ready', `/students/${student.id}/belts`])
    expect((await student.get(path)).status).toBe(403)
})

test('lists ready students first, then students close to ready, then students who cannot test', async () => {
  const { sensei, student, style_id, ranks } = await setUpDojo(
    { min_classes: 3, min_months: 1 },
    '2026-01-01',
    { ladder: { max_age: 12 }, student: { date_of_birth: '2015-03-01' } },
  )
  const addStudent = async (
    name: string,
    given_on: string,
    classes_before: number,
    fields: object = {},
    rank = 0,
  ) => {
    const newStudent = await server.createStudent(sensei, {
      name,
      date_of_birth: '2015-03-01',
      ...fields,
    })
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx
        .insert(beltChanges)
        .values(
          beltChangeRow(newStudent.id, style_id, ranks[rank]!.id, given_on, { classes_before }),
        ),
    )
    return newStudent
  }
  await addStudent('Ready', '2026-01-01', 3)
  await addStudent('Two classes', '2026-01-01', 1)
  await addStudent('A day and a class', '2027-02-02', 2)
  await addStudent('Trial', '2026-01-01', 9, { is_trial: true })
  await addStudent('Old', '2026-01-01', 9, { date_of_birth: '2014-03-01' })
  await addStudent('Not yet old', '2026-01-01', 3, { date_of_birth: '2014-03-02' })
  await addStudent('Top', '2026-01-01', 9, {}, 2)
  const { id: vacationerId } = await addStudent('On vacation', '2026-01-01', 9)
  const openEndedVacation = { vacation_from: TODAY, vacation_until: null }
  await sensei.put(`/students/${vacationerId}/vacation`, openEndedVacation)
  await addStudent('One class', '2026-01-01', 2)
  const { body } = await sensei.get('/belts/ready')
  expect(
    body.students.map(
      ({ name, readiness }: { name: string; readiness: string }) => `${name}: ${readiness}`,
    ),
  ).toEqual([
    'Not yet old: ready',
    'Ready: ready',
    'One class: short',
    'A day and a class: short',
    'Two classes: short',
    'Ken Adams: short',
    'Trial: trial',
    'On vacation: vacation',
    'Old: outgrown',
    'Top: top',
  ])
  expect(body.students.at(-2)).toMatchObject({ next: null, missing: [] })
  expect(body.students.find(({ name }: { name: string }) => name === 'Ken Adams')).toMatchObject({
    student_id: student.id,
    max_stripes: 4,
    next: { name: 'Rank 1' },
  })
})

test('shows no styles for a dojo that never changed its belts', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  expect((await sensei.get(`/students/${student.id}/belts`)).body).toEqual({ styles: [] })
  expect((await student.get('/my/belts')).body).toEqual({
    students: [{ student_id: student.id, name: 'Ken Adams', styles: [] }],
  })
})

test('keeps the ranks and the history of a student who left', async () => {
  const { sensei, student, readBelts } = await setUpDojo({}, '2026-01-05')
  const styleBefore = await readBelts()
  const departure = { left_on: TODAY, reason: 'cost' }
  expect((await sensei.post(`/students/${student.id}/leave`, departure)).status).toBe(200)
  const { rank, history } = await readBelts()
  expect({ rank, history }).toEqual({ rank: styleBefore.rank, history: styleBefore.history })
})
