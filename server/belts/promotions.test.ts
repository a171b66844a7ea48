import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { certificates } from '../gradings/tables.ts'
import {
  addLadder,
  KYU_RANKS,
  createDefaultBelts,
  createMainLadder,
  createSecondStyle,
} from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent, signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { beltChanges, ladders, ranks } from './tables.ts'

const server = await startTestServer()
type NamedRow = { name: string }

/** Sets the clock to March 10, and creates a dojo whose students have the lowest of its own ranks. */
async function setUpKyuDojo(studentCount = 1) {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const { dojoId } = sensei
  const kyu = await createMainLadder(server.db, dojoId)
  const students: Awaited<ReturnType<typeof server.createStudent>>[] = []
  for (let index = 0; index < studentCount; index += 1)
    students.push(await server.createStudent(sensei, { name: `Ken ${'ABC'[index]}` }))
  const ids = students.map(({ id }) => id)
  let client = server.clientFor(sensei.token)
  const setTime = async (time: string) => {
    setClock(time)
    client = server.clientFor(await signInAs(server.db, sensei.id))
  }
  const post = (path: string, body: object = {}) => client.post(path, body)
  const promote = (rankIndex: number, overrides: object = {}, studentIds = ids) =>
    post('/promotions', {
      promotions: studentIds.map((student_id) => ({ student_id, rank_id: kyu[rankIndex]!.id })),
      ...overrides,
    })
  const giveStripe = (student_ids = ids) => post('/stripes', { student_ids })
  const readShownRank = async (studentIndex = 0) => {
    const student = (await client.get('/students')).body.find(
      ({ id }: { id: string }) => id === ids[studentIndex],
    )
    return [student.rank?.name, student.rank?.stripes, student.belt_level]
  }
  const readNotices = async (studentIndex = 0) => {
    const reader = server.clientFor(await signInAs(server.db, ids[studentIndex]!))
    return (await reader.get('/notifications')).body.map(
      ({ message }: { message: string }) => message,
    )
  }
  const readHistory = (studentIndex = 0) =>
    server.db.inDojo(dojoId, (tx) =>
      tx
        .select()
        .from(beltChanges)
        .where(eq(beltChanges.student_id, ids[studentIndex]!))
        .orderBy(beltChanges.id),
    )
  const readKinds = async () => (await readHistory()).map(({ kind }) => kind)
  const readPage = async () => (await client.get(`/students/${ids[0]}`)).body
  const saveStudentForm = async (overrides: object) => {
    const { student } = await readPage()
    return client.put(`/students/${ids[0]}`, {
      ...student,
      belt_level: undefined,
      ...overrides,
    })
  }
  return {
    sensei,
    dojoId,
    kyu,
    students,
    ids,
    setTime,
    post,
    promote,
    giveStripe,
    readShownRank,
    readNotices,
    readHistory,
    readKinds,
    readPage,
    saveStudentForm,
  }
}

const readRefusal = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]

describe('promoting', () => {
  test('promotes all students, and notifies each of them once', async () => {
    const { promote, readShownRank, readNotices, ids, students } = await setUpKyuDojo(3)
    const { status, body } = await promote(1, { examiner: 'Master Ito' })
    expect([
      status,
      body.students.map(({ student_id }: { student_id: string }) => student_id),
    ]).toEqual([200, ids])
    expect(body.students[0]).toMatchObject({
      name: students[0]!.name,
      rank: { name: '8th kyu', stripes: 0, colours: ['yellow'] },
    })
    for (const index of [0, 1, 2]) {
      expect(await readShownRank(index)).toEqual(['8th kyu', 0, 'yellow'])
      expect(await readNotices(index)).toEqual(['You were promoted to 8th kyu.'])
    }
  })

  test('promotes nobody if one of the students does not exist', async () => {
    const { promote, readShownRank, readNotices, ids } = await setUpKyuDojo(2)
    expect(readRefusal(await promote(1, {}, [...ids, newId()]))).toEqual([404, 'Student not found'])
    expect([await readShownRank(0), await readNotices(1)]).toEqual([['9th kyu', 0, 'white'], []])
  })

  test('records the kind of promotion and the waived requirements', async () => {
    const { promote, readHistory, readNotices, kyu, ids, post } = await setUpKyuDojo()
    await promote(1)
    await post('/promotions', {
      promotions: [{ student_id: ids[0], rank_id: kyu[3]!.id, waived: ['months', 'approval'] }],
      note: 'Early',
    })
    await promote(2)
    const rows = await readHistory()
    expect(
      rows.map(({ kind, previous_belt, belt_level }) => [kind, previous_belt, belt_level]),
    ).toEqual([
      ['start', 'white', 'white'],
      ['promotion', 'white', 'yellow'],
      ['skip', 'yellow', 'green'],
      ['correction', 'green', 'yellow'],
    ])
    expect(rows[2]).toMatchObject({
      waived: ['months', 'approval'],
      note: 'Early',
      given_on: '2027-03-10',
    })
    // No one is notified of a correction.
    expect((await readNotices()).toSorted()).toEqual([
      'You were promoted to 6th kyu.',
      'You were promoted to 8th kyu.',
    ])
  })

  test('refuses a future date, a date before birth, a retired or unknown rank, and the current rank', async () => {
    const { promote, readKinds, dojoId, kyu } = await setUpKyuDojo()
    const otherSensei = await server.createSensei()
    const [otherDojoRank] = await createMainLadder(server.db, otherSensei.dojoId)
    kyu.push(otherDojoRank!)
    await server.db.inDojo(dojoId, (tx) =>
      tx.update(ranks).set({ retired_at: '2027-01-01T00:00:00Z' }).where(eq(ranks.id, kyu[4]!.id)),
    )
    expect(readRefusal(await promote(1, { given_on: '2027-03-11' }))).toEqual([
      422,
      'The date must not be in the future.',
    ])
    expect(readRefusal(await promote(1, { given_on: '2010-02-28' }))).toEqual([
      422,
      'Ken A was not born yet on this date.',
    ])
    expect(readRefusal(await promote(4))).toEqual([
      422,
      'Shodan is retired. Please choose another rank.',
    ])
    expect(readRefusal(await promote(5))).toEqual([404, 'Rank not found'])
    expect((await promote(1)).status).toBe(200)
    expect(readRefusal(await promote(1))).toEqual([422, 'Ken A already has this rank.'])
    expect(await readKinds()).toEqual(['start', 'promotion'])
  })

  test('adds a promotion dated before the current rank only to the history', async () => {
    const { promote, readShownRank, readNotices, readKinds } = await setUpKyuDojo()
    await promote(3, { given_on: '2027-02-01' })
    await promote(1, { given_on: '2025-05-01', kind: 'import' })
    await promote(2, { given_on: '2026-05-01' })
    expect(await readShownRank()).toEqual(['6th kyu', 0, 'green'])
    expect(await readNotices()).toEqual(['You were promoted to 6th kyu.'])
    expect(await readKinds()).toEqual(['start', 'skip', 'import', 'promotion'])
  })

  test('accepts promotions and classes dated before the enrollment', async () => {
    const { promote, readPage, readShownRank, readNotices } = await setUpKyuDojo()
    await promote(0, { given_on: '2026-06-01' })
    expect(await readShownRank()).toEqual(['9th kyu', 0, 'white'])
    await promote(1, { given_on: '2026-12-01', kind: 'import', classes_before: 20 })
    expect([await readShownRank(), await readNotices()]).toEqual([['8th kyu', 0, 'yellow'], []])
    expect(
      (await readPage()).belt_changes.map(({ rank }: { rank: NamedRow }) => rank.name),
    ).toEqual(['8th kyu', '9th kyu'])
  })

  test('promotes only once if two instructors do so at the same time', async () => {
    const { promote, readKinds, readNotices } = await setUpKyuDojo()
    const responses = await Promise.all([promote(1), promote(1)])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]))
    expect([await readKinds(), await readNotices()]).toEqual([
      ['start', 'promotion'],
      ['You were promoted to 8th kyu.'],
    ])
  })

  test('keeps a rank for each style, and shows that of the main style', async () => {
    const { dojoId, post, ids, readShownRank, readPage, readNotices } = await setUpKyuDojo()
    const judo = await createSecondStyle(server.db, dojoId, [
      { name: 'Yellow', belt_level: 'yellow' },
      { name: 'Brown', belt_level: 'brown' },
    ])
    expect(
      readRefusal(await post('/stripes', { student_ids: ids, style_id: judo.style.id })),
    ).toEqual([422, 'Ken A has no rank in Judo.'])
    await post('/promotions', { promotions: [{ student_id: ids[0], rank_id: judo.ranks[0]!.id }] })
    const { body } = await post('/promotions', {
      promotions: [{ student_id: ids[0], rank_id: judo.ranks[1]!.id }],
    })
    expect(body.students[0].rank.name).toBe('Brown')
    expect([await readShownRank(), (await readPage()).belt_changes]).toEqual([
      ['9th kyu', 0, 'white'],
      [],
    ])
    expect((await readNotices()).toSorted()).toEqual([
      'You now wear the brown belt.',
      'You now wear the yellow belt.',
    ])
  })
})

describe('stripes', () => {
  test('are given one at a time, up to the maximum of the rank', async () => {
    const { promote, giveStripe, readShownRank, readNotices, setTime, readPage, readKinds } =
      await setUpKyuDojo()
    await promote(1)
    await setTime('2027-04-10T18:00:00Z')
    await giveStripe()
    expect(await readShownRank()).toEqual(['8th kyu', 1, 'yellow'])
    expect(await readNotices()).toEqual([
      'You have a new stripe: 8th kyu, 1 stripe.',
      'You were promoted to 8th kyu.',
    ])
    await giveStripe()
    expect(readRefusal(await giveStripe())).toEqual([
      422,
      'Ken A would have more than the 2 stripes of 8th kyu.',
    ])
    expect((await readPage()).belt_changes).toHaveLength(1)
    await promote(3)
    expect(await readShownRank()).toEqual(['6th kyu', 0, 'green'])
    expect(readRefusal(await giveStripe())).toEqual([422, '6th kyu has no stripes.'])
    expect(await readKinds()).toEqual(['start', 'promotion', 'stripe', 'stripe', 'skip'])
  })
})

describe('undoing', () => {
  test('restores the previous rank of each student without notifying anyone', async () => {
    const { promote, post, readShownRank, readNotices, readPage, readKinds, ids, setTime } =
      await setUpKyuDojo(2)
    await promote(1, { given_on: '2027-03-01' })
    await setTime('2027-05-10T18:00:00Z')
    const { act_id } = (await promote(3)).body
    expect((await post(`/promotions/acts/${act_id}/undo`)).body).toEqual({ undone: 2 })
    expect((await post(`/promotions/acts/${act_id}/undo`)).body).toEqual({ undone: 0 })
    expect([await readShownRank(0), await readShownRank(1)]).toEqual([
      ['8th kyu', 0, 'yellow'],
      ['8th kyu', 0, 'yellow'],
    ])
    expect([(await readNotices()).length, await readKinds()]).toEqual([
      1,
      ['start', 'promotion', 'skip', 'correction'],
    ])
    expect(
      (await readPage()).belt_changes.map(({ rank }: { rank: NamedRow }) => rank.name),
    ).toEqual(['8th kyu'])
    const otherSensei = await server.createSensei()
    expect((await otherSensei.post(`/promotions/acts/${act_id}/undo`)).status).toBe(404)
    expect((await otherSensei.post('/stripes', { student_ids: ids })).status).toBe(404)
  })

  test('undoes only the newest promotion of a style, and revokes its certificate', async () => {
    const { promote, giveStripe, post, dojoId, readShownRank, readHistory } = await setUpKyuDojo()
    const [{ promotion_id }] = (await promote(1)).body.students
    await server.db.inDojo(dojoId, (tx) =>
      tx
        .insert(certificates)
        .values({ belt_change_id: promotion_id, year: 2027, number: 1, code: newId() }),
    )
    const [stripedStudent] = (await giveStripe()).body.students
    expect(readRefusal(await post(`/promotions/${promotion_id}/undo`))).toEqual([
      409,
      'A later change depends on this one. Please undo that first.',
    ])
    expect((await post(`/promotions/${stripedStudent.promotion_id}/undo`)).body).toEqual({
      undone: 1,
    })
    expect((await post(`/promotions/${promotion_id}/undo`)).body).toEqual({ undone: 1 })
    expect(await readShownRank()).toEqual(['9th kyu', 0, 'white'])
    const [certificate] = await server.db.inDojo(dojoId, (tx) => tx.select().from(certificates))
    expect(certificate!.revoked_at).toMatch(/^2027-03-10/)
    const [startRow, , , undoRow] = await readHistory()
    expect((await post(`/promotions/${startRow!.id}/undo`)).status).toBe(409)
    expect((await post(`/promotions/${undoRow!.id}/undo`)).status).toBe(404)
  })

  test('undoes the promotion that was entered last, even if its date is earlier', async () => {
    const { promote, post, readShownRank, readPage } = await setUpKyuDojo()
    await promote(3)
    const { act_id } = (await promote(1, { given_on: '2020-01-01' })).body
    expect((await post(`/promotions/acts/${act_id}/undo`)).body).toEqual({ undone: 1 })
    expect([await readShownRank(), (await readPage()).belt_changes.length]).toEqual([
      ['6th kyu', 0, 'green'],
      1,
    ])
  })
})

describe('the student form', () => {
  test('promotes on the seven belts, and records nothing if the belt stays the same', async () => {
    setClock('2027-03-10T18:00:00Z')
    const sensei = await server.createSensei()
    const readRows = () =>
      server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(beltChanges).orderBy(beltChanges.id))
    const student = await server.createStudent(sensei)
    const setBelt = async (belt_level: string) =>
      (
        await sensei.put(`/students/${student.id}`, {
          ...exampleStudent({ ...student }),
          belt_level,
        })
      ).body.student
    expect((await setBelt('yellow')).rank).toBe(null)
    await createDefaultBelts(server.db, sensei.dojoId)
    await setBelt('yellow')
    expect(await setBelt('orange')).toMatchObject({
      belt_level: 'orange',
      rank: { name: 'Orange' },
    })
    await setBelt('orange')
    expect(await setBelt('yellow')).toMatchObject({
      belt_level: 'yellow',
      rank: { name: 'Yellow' },
    })
    expect(
      (await readRows()).map(({ kind, belt_level, rank_id, note }) => [
        kind,
        belt_level,
        rank_id !== null,
        note,
      ]),
    ).toEqual([
      ['start', 'white', false, null],
      ['promotion', 'yellow', false, null],
      ['promotion', 'orange', true, null],
      ['correction', 'yellow', true, null],
    ])
    const messages = (await student.get('/notifications')).body.map(
      ({ message }: { message: string }) => message,
    )
    expect(messages.toSorted()).toEqual([
      'You now wear the orange belt.',
      'You now wear the yellow belt.',
    ])
  })

  test('gives the first rank of a belt, but keeps a current rank that counts as that belt', async () => {
    const { saveStudentForm, promote, readShownRank, readHistory, readNotices } =
      await setUpKyuDojo()
    await promote(2)
    await saveStudentForm({ belt_level: 'yellow' })
    expect(await readShownRank()).toEqual(['7th kyu', 0, 'yellow'])
    await saveStudentForm({ belt_level: 'white' })
    await saveStudentForm({ belt_level: 'yellow' })
    expect(await readShownRank()).toEqual(['8th kyu', 0, 'yellow'])
    expect((await readHistory()).slice(2).map(({ kind, note }) => [kind, note])).toEqual([
      ['correction', 'by the student form'],
      ['correction', 'by the student form'],
    ])
    expect(await readNotices()).toEqual(['You were promoted to 7th kyu.'])
    expect(readRefusal(await saveStudentForm({ belt_level: 'brown' }))).toEqual([
      422,
      'No rank of Kyu counts as a brown belt.',
    ])
    expect(await readShownRank()).toEqual(['8th kyu', 0, 'yellow'])
  })

  test('saves the belt size and the rank, which determines the belt', async () => {
    const { saveStudentForm, kyu, readShownRank, sensei, readKinds, dojoId, readPage } =
      await setUpKyuDojo()
    expect(
      (await saveStudentForm({ rank_id: kyu[1]!.id, belt_level: 'white', belt_size: '3' })).body
        .student,
    ).toMatchObject({ belt_size: '3' })
    await saveStudentForm({ rank_id: kyu[1]!.id })
    expect([
      await readShownRank(),
      await readKinds(),
      (await readPage()).student.belt_size,
    ]).toEqual([['8th kyu', 0, 'yellow'], ['start', 'promotion'], '3'])
    const judo = await createSecondStyle(server.db, dojoId, [
      { name: 'Yellow', belt_level: 'yellow' },
    ])
    expect(readRefusal(await saveStudentForm({ rank_id: judo.ranks[0]!.id }))).toEqual([
      422,
      'This rank is not in the main style.',
    ])
    const form = exampleStudent({ class_preferences: ['saturday'], rank_id: kyu[3]!.id })
    expect((await sensei.post('/students', form)).body.student).toMatchObject({
      belt_level: 'green',
      rank: { name: '6th kyu' },
    })
    expect(
      (await sensei.post('/students', { ...form, email: 'new@example.com', rank_id: newId() }))
        .status,
    ).toBe(404)
  })

  test('keeps a child on the same ladder after a birthday', async () => {
    setClock('2027-03-10T18:00:00Z')
    const sensei = await server.createSensei()
    const { dojoId } = sensei
    const [tiger] = await createMainLadder(server.db, dojoId, [
      { name: 'Tiger', belt_level: 'white' },
    ])
    await server.db.inDojo(dojoId, async (tx) => {
      const [ladder] = await tx
        .update(ladders)
        .set({ name: 'Children', max_age: 11 })
        .where(eq(ladders.id, tiger!.ladder_id))
        .returning()
      await addLadder(tx, ladder!.style_id, KYU_RANKS, { name: 'Grown-ups', min_age: 12 })
    })
    const elevenYearOld = await server.createStudent(sensei, { date_of_birth: '2015-03-11' })
    const twelveYearOld = await server.createStudent(sensei, { date_of_birth: '2015-03-10' })
    const readRankNames = async () => {
      const reader = server.clientFor(await signInAs(server.db, sensei.id))
      const readRankName = async (id: string) =>
        (await reader.get(`/students/${id}`)).body.student.rank.name
      return [await readRankName(elevenYearOld.id), await readRankName(twelveYearOld.id)]
    }
    expect(await readRankNames()).toEqual(['Tiger', '9th kyu'])
    setClock('2027-03-12T18:00:00Z')
    expect(await readRankNames()).toEqual(['Tiger', '9th kyu'])
  })
})

test('counts students by rank, in the order of the dojo’s own ladder', async () => {
  const { promote, sensei, ids } = await setUpKyuDojo(3)
  await promote(3, {}, [ids[0]!])
  await promote(1, {}, [ids[1]!])
  const { belts } = (await sensei.get('/dashboard/analytics')).body
  expect(
    belts.map(({ label, students, rank }: { label: string; students: number; rank: NamedRow }) => [
      label,
      students,
      rank.name,
    ]),
  ).toEqual([
    ['9th kyu', 1, '9th kyu'],
    ['8th kyu', 1, '8th kyu'],
    ['6th kyu', 1, '6th kyu'],
  ])
})
