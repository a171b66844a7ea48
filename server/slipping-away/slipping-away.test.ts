import { addDays } from '@tatami/contract/lib/calendar-day'
import { findSlippingLists } from '@tatami/contract/slipping-away/slipping-away'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { todayIn } from '../dojos/calendar.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { dojoIdOf, exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { countMarksByStudent } from './count.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
type Row = { name: string; lists: string[]; days: number; texted_on: string | null }

const readSlippingAway = async (sensei: Sensei) => (await sensei.get('/slipping-away')).body
const listNames = async (sensei: Sensei, list: string) =>
  (await readSlippingAway(sensei)).students
    .filter(({ lists }: Row) => lists.includes(list))
    .map(({ name }: Row) => name)
/** Noon in the dojo’s time zone, Chicago. */
const setClockToNoon = (day: string) => setClock(`${day}T18:00:00Z`)
const TODAY = '2026-06-30'

async function setUpDojo() {
  setClockToNoon(TODAY)
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  return {
    sensei,
    enroll: async (name: string, day: string, overrides: object = {}) => {
      setClockToNoon(day)
      const student = await server.createStudent(sensei, { name, ...overrides })
      setClockToNoon(TODAY)
      return student
    },
    markAttendance: ({ id: student_id }: { id: string }, class_date: string, mark = 'present') =>
      mark === 'removed'
        ? sensei.delete(
            `/attendance?student_id=${student_id}&class_id=${class_id}&class_date=${class_date}`,
          )
        : sensei.post('/attendance', {
            student_id,
            class_id,
            class_date,
            present: mark !== 'absent',
          }),
  }
}

describe('the at-risk list', () => {
  test.each([
    ['2026-07-06', []],
    ['2026-07-07', ['days_7_to_14']],
    ['2026-07-14', ['days_7_to_14']],
    ['2026-07-15', ['days_15_to_21']],
    ['2026-07-21', ['days_15_to_21']],
    ['2026-07-22', ['days_22_to_30']],
    ['2026-07-30', ['days_22_to_30']],
    ['2026-07-31', ['over_30_days']],
  ])('on %s lists a student whose last class was on June 30 in %j', async (day, lists) => {
    const { sensei, enroll, markAttendance } = await setUpDojo()
    await markAttendance(await enroll('Ken Adams', '2026-01-05'), TODAY)
    // At 4 AM in UTC, it is still the evening before in Chicago.
    setClock(`${day}T07:00:00Z`)
    const { token } = await server.signIn(sensei.email)
    const { students } = (await server.clientFor(token).get('/slipping-away')).body
    expect(students.flatMap((student: Row) => student.lists)).toEqual(lists)
    setClock(`${addDays(day, 1)}T04:00:00Z`)
    expect((await server.clientFor(token).get('/slipping-away')).body.students).toEqual(students)
  })

  test('changes with each mark, absence, correction and removed mark', async () => {
    const { sensei, enroll, markAttendance } = await setUpDojo()
    const ken = await enroll('Ken Adams', '2026-01-05')
    expect(await listNames(sensei, 'over_30_days')).toEqual(['Ken Adams'])
    await markAttendance(ken, '2026-06-20')
    expect(await listNames(sensei, 'days_7_to_14')).toEqual(['Ken Adams'])
    await markAttendance(ken, '2026-06-29')
    expect((await readSlippingAway(sensei)).students).toEqual([])
    await markAttendance(ken, '2026-06-29', 'absent')
    expect(await listNames(sensei, 'days_7_to_14')).toEqual(['Ken Adams'])
    await markAttendance(ken, '2026-06-20', 'removed')
    expect(await listNames(sensei, 'over_30_days')).toEqual(['Ken Adams'])
    // A mark for a future day does not count yet.
    await markAttendance(ken, '2026-07-01')
    expect(await listNames(sensei, 'over_30_days')).toEqual(['Ken Adams'])
  })

  test('leaves out students who are new, unapproved or on vacation', async () => {
    const { sensei, enroll } = await setUpDojo()
    await enroll('New Adams', '2026-06-24')
    await enroll('Week Adams', '2026-06-23')
    const awayStudent = await enroll('Away Adams', '2026-01-05')
    await sensei.put(`/students/${awayStudent.id}/vacation`, {
      vacation_from: TODAY,
      vacation_until: null,
    })
    const waitingStudent = await enroll('Waiting Adams', '2026-01-05')
    await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
      tx.execute(sql`update students set awaits_approval = true where id = ${waitingStudent.id}`),
    )
    expect((await readSlippingAway(sensei)).students).toMatchObject([
      { name: 'Week Adams', days: 7, last_class_on: null, lists: ['days_7_to_14'] },
    ])
  })
})

test('does not count vacation days, no matter how the vacation ended', async () => {
  const { sensei, enroll, markAttendance } = await setUpDojo()
  const vacationers = [
    await enroll('By schedule', '2026-01-05'),
    await enroll('By hand', '2026-01-05'),
    await enroll('By the form', '2026-01-05'),
  ]
  for (const student of vacationers) {
    await markAttendance(student, '2026-06-28')
    const vacation_until = student === vacationers[0] ? '2026-07-19' : null
    await sensei.put(`/students/${student.id}/vacation`, { vacation_from: TODAY, vacation_until })
  }
  setClockToNoon('2026-07-19')
  const nextSession = server.clientFor((await server.signIn(sensei.email)).token)
  expect((await nextSession.get('/slipping-away')).body.students).toEqual([])
  setClockToNoon('2026-07-20')
  await runDueJobs(server.db, (error) => {
    throw error
  })
  await nextSession.put(`/students/${vacationers[1]!.id}/vacation`, {
    vacation_from: null,
    vacation_until: null,
  })
  await nextSession.put(
    `/students/${vacationers[2]!.id}`,
    exampleStudent({ ...vacationers[2], class_preferences: ['saturday'], on_vacation: false }),
  )
  expect((await nextSession.get('/slipping-away')).body.students).toEqual([])
  // June 29 and July 20 to 24 are six days, and the seventh is July 25.
  setClockToNoon('2026-07-24')
  expect((await nextSession.get('/slipping-away')).body.students).toEqual([])
  setClockToNoon('2026-07-25')
  const { students } = (await nextSession.get('/slipping-away')).body
  expect(students.map(({ name, days }: Row) => [name, days])).toEqual([
    ['By hand', 7],
    ['By schedule', 7],
    ['By the form', 7],
  ])
})

test('does not count days on which the dojo is closed', async () => {
  const { sensei, enroll, markAttendance } = await setUpDojo()
  await markAttendance(await enroll('Ken Adams', '2026-01-05'), '2026-06-20')
  const readDays = async () =>
    (await readSlippingAway(sensei)).students.map(({ days }: Row) => days)
  expect(await readDays()).toEqual([10])
  const { body } = await sensei.post('/holidays', {
    name: 'Summer',
    first_day: '2026-06-22',
    last_day: '2026-06-23',
  })
  expect(await readDays()).toEqual([8])
  await sensei.put(`/holidays/${body.id}`, {
    name: 'Summer',
    first_day: '2026-06-25',
    last_day: '2026-07-20',
  })
  expect(await readDays()).toEqual([])
})

test('lists students who come a quarter less often, after at least four classes', async () => {
  const { sensei, enroll, markAttendance } = await setUpDojo()
  for (const [name, classesBefore, classesSince] of [
    ['Ana Falls', 4, 3],
    ['Bo Stays', 5, 4],
    ['Cy Rarely', 3, 0],
  ] as const) {
    const student = await enroll(name, '2026-01-05')
    for (let index = 0; index < classesBefore; index += 1)
      await markAttendance(student, addDays(TODAY, -28 - index))
    for (let index = 0; index < classesSince; index += 1)
      await markAttendance(student, addDays(TODAY, -27 + index))
    // An absence does not count as a class.
    await markAttendance(student, addDays(TODAY, -20), 'absent')
  }
  expect(await listNames(sensei, 'coming_less')).toEqual(['Ana Falls'])
  const { counts, students } = await readSlippingAway(sensei)
  expect(students.find(({ name }: Row) => name === 'Ana Falls')).toMatchObject({
    classes_before: 4,
    classes_since: 3,
  })
  expect(counts).toMatchObject({ all: 3, coming_less: 1, days_22_to_30: 3 })
})

test('puts trial students who came at most once on a separate list', async () => {
  const { sensei, enroll, markAttendance } = await setUpDojo()
  const [onceStudent, twiceStudent] = [
    await enroll('Once Diaz', '2026-06-01', { is_trial: true }),
    await enroll('Twice Diaz', '2026-06-01', { is_trial: true }),
    await enroll('Joined Diaz', '2026-06-20', { is_trial: true }),
  ]
  for (const student of [onceStudent, twiceStudent]) await markAttendance(student, '2026-06-10')
  await markAttendance(twiceStudent, '2026-06-11')
  const { students, counts } = await readSlippingAway(sensei)
  expect(students.map(({ name, lists }: Row) => [name, lists])).toEqual([
    ['Twice Diaz', ['days_15_to_21']],
    ['Joined Diaz', ['trial']],
    ['Once Diaz', ['trial']],
  ])
  expect(counts).toMatchObject({ all: 3, trial: 2, days_15_to_21: 1 })
  const { body } = await sensei.get('/slipping-away?limit=1')
  expect([body.students.length, body.counts]).toEqual([1, counts])
})

test('counts students who come to a class after a text, within 14 days', async () => {
  const { sensei, enroll, markAttendance } = await setUpDojo()
  const [lateStudent, returnedStudent, presentToday, neverBack] = [
    await enroll('Late Ito', '2026-01-05'),
    await enroll('Back Ito', '2026-01-05'),
    await enroll('There Ito', '2026-01-05'),
    // The phone number is not valid, so this student gets no text.
    await enroll('Lost Ito', '2026-01-05', { phone_number: '123' }),
  ]
  // This student comes less often, but was present on the day of the text before it was sent.
  for (let index = 0; index < 4; index += 1)
    await markAttendance(presentToday, addDays(TODAY, -30 - index))
  await markAttendance(presentToday, TODAY)
  const regularStudent = await enroll('Regular Ito', '2026-06-28')
  const student_ids = [lateStudent, returnedStudent, presentToday, neverBack, regularStudent].map(
    (student) => student.id,
  )
  const reply = await sensei.post('/slipping-away/texts', {
    student_ids,
    text: 'Hi {name}, we have missed you.',
  })
  expect([reply.status, reply.body.total_recipients, reply.body.skipped.length]).toEqual([
    200, 4, 1,
  ])
  const readListOn = async (day: string) => {
    setClockToNoon(day)
    return (await server.clientFor((await server.signIn(sensei.email)).token).get('/slipping-away'))
      .body
  }
  expect((await readSlippingAway(sensei)).outcome).toEqual({
    texted: 3,
    came_back: 0,
    still_open: 3,
  })
  expect(
    (await readSlippingAway(sensei)).students.map(({ name, texted_on }: Row) => [name, texted_on]),
  ).toContainEqual(['Late Ito', TODAY])
  await markAttendance(returnedStudent, TODAY)
  await markAttendance(presentToday, '2026-07-14')
  await markAttendance(lateStudent, '2026-07-15')
  expect((await readListOn('2026-07-13')).outcome).toEqual({
    texted: 3,
    came_back: 1,
    still_open: 2,
  })
  expect((await readListOn('2026-07-14')).outcome).toEqual({
    texted: 3,
    came_back: 2,
    still_open: 1,
  })
  expect((await readListOn('2026-07-15')).outcome).toEqual({
    texted: 3,
    came_back: 2,
    still_open: 0,
  })
  expect((await readListOn('2026-09-28')).outcome).toEqual({
    texted: 0,
    came_back: 0,
    still_open: 0,
  })
})

test('refuses to text students of another dojo, and does not count them', async () => {
  const { sensei } = await setUpDojo()
  const otherDojo = await server.createSensei()
  const student = await server.createStudent(otherDojo)
  const { status, body } = await sensei.post('/slipping-away/texts', {
    student_ids: [student.id],
    text: 'Hello',
  })
  expect([status, body.detail]).toEqual([404, 'Student not found'])
  expect((await readSlippingAway(sensei)).outcome.texted).toBe(0)
})

/** A number of days before today. */
const randomDaysAgo = (max: number) => fc.integer({ min: 0, max })
const randomStudent = fc.record({
  enrolled: randomDaysAgo(200),
  isTrial: fc.boolean(),
  isAway: fc.oneof(
    { weight: 6, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  vacations: fc.array(fc.tuple(randomDaysAgo(150), fc.integer({ min: 0, max: 40 })), {
    maxLength: 3,
  }),
  marks: fc.uniqueArray(
    fc.record({ daysAgo: fc.integer({ min: -3, max: 140 }), present: fc.boolean() }),
    { selector: (mark) => mark.daysAgo, maxLength: 40 },
  ),
})
type RandomStudent = typeof randomStudent extends fc.Arbitrary<infer Student> ? Student : never

function expectedBand(days: number): string[] {
  if (days < 7) return []
  if (days < 15) return ['days_7_to_14']
  if (days < 22) return ['days_15_to_21']
  return days < 31 ? ['days_22_to_30'] : ['over_30_days']
}

/** Computes the lists in plain code, day by day backward. Undefined if the student is on no
 *  list. */
function computeExpectedLists({ enrolled, isTrial, isAway, vacations, marks }: RandomStudent) {
  if (isAway || enrolled < 7) return undefined
  const isVacation = (day: number) =>
    vacations.some(([first, length]) => day <= first && day >= Math.max(1, first - length))
  const cameOnDay = (day: number) => marks.some((mark) => mark.present && mark.daysAgo === day)
  // A class during a vacation counts like a class on the day before the vacation.
  const classes: number[] = []
  let daysSinceLastClass: number | undefined,
    countedDays = 0,
    daysSinceEnrollment = 0
  for (let day = 0; day <= 200; day += 1) {
    if (cameOnDay(day)) {
      classes.push(countedDays)
      daysSinceLastClass ??= countedDays
    }
    if (day === enrolled) daysSinceEnrollment = countedDays
    if (!isVacation(day)) countedDays += 1
  }
  const classesWithin = (firstDay: number, lastDay: number) =>
    classes.filter((classDay) => classDay >= firstDay && classDay < lastDay).length
  const days = daysSinceLastClass ?? daysSinceEnrollment
  const [classesSince, classesBefore] = [classesWithin(0, 28), classesWithin(28, 56)]
  if (isTrial && classes.length < 2) return days >= 7 ? ['trial'] : []
  const comesLess = classesBefore >= 4 && classesSince <= classesBefore * 0.75
  return comesLess ? [...expectedBand(days), 'coming_less'] : expectedBand(days)
}

test('puts random students on the same lists as a plain computation', async () => {
  setClockToNoon(TODAY)
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const dojoId = await dojoIdOf(server.db, sensei.id)
  const randomStudents = fc
    .sample(randomStudent, { numRuns: 300, seed: 17 })
    .map((student) => ({ id: newId(), ...student }))
  const day = (daysAgo: number) => addDays(TODAY, -daysAgo)
  const rows = randomStudents.map(({ id, enrolled, isTrial, isAway }) => ({
    id,
    created_at: `${day(enrolled)}T18:00:00Z`,
    is_trial: isTrial,
    vacation_from: isAway ? TODAY : null,
  }))
  const marks = randomStudents.flatMap(({ id, marks: studentMarks }) =>
    studentMarks.map((mark) => ({
      id: newId(),
      student_id: id,
      class_date: day(mark.daysAgo),
      present: mark.present,
    })),
  )
  const vacations = randomStudents.flatMap(({ id, vacations: studentVacations }) =>
    studentVacations
      .map(([startDaysAgo, length]) => ({
        id: newId(),
        student_id: id,
        from: day(startDaysAgo),
        until: day(Math.max(1, startDaysAgo - length)),
      }))
      .filter(({ from, until }) => from <= until),
  )
  const countedStudents = await server.db.inDojo(dojoId, async (tx) => {
    await tx.execute(sql`
      insert into students (id, name, created_at, is_trial, vacation_from, on_vacation)
      select id, 'Ken Adams', created_at, is_trial, vacation_from, vacation_from is not null
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id uuid, created_at timestamptz, is_trial boolean, vacation_from date)`)
    await tx.execute(sql`
      insert into attendance (id, student_id, class_id, class_date, present, created_at)
      select id, student_id, ${class_id}, class_date, present, now()
      from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
        as r(id uuid, student_id uuid, class_date date, present boolean)`)
    await tx.execute(sql`
      insert into past_vacations (id, student_id, vacation_from, vacation_until)
      select id, student_id, "from", until
      from jsonb_to_recordset(${JSON.stringify(vacations)}::jsonb)
        as r(id uuid, student_id uuid, "from" date, until date)`)
    return countMarksByStudent(tx, {
      today: todayIn('America/Chicago'),
      timeZone: 'America/Chicago',
    })
  })
  const listsById = new Map(
    countedStudents.map((student) => [student.student_id, findSlippingLists(student)]),
  )
  for (const person of randomStudents)
    expect({ person, lists: listsById.get(person.id) }).toEqual({
      person,
      lists: computeExpectedLists(person),
    })
  // The random students cover all six lists.
  expect(new Set([...listsById.values()].flat()).size).toBe(6)
})
