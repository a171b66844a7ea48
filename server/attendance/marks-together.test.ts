import { expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { Unreachable } from '../db/database-errors.ts'
import { startTestServer } from '../test/test-server.ts'
import { recordMarksTogether } from './marks-together.ts'

const server = await startTestServer()
const DAY = '2026-01-02'
const SNAPSHOT = {
  class_name: 'Kids Judo',
  class_time: '4:00 PM - 5:00 PM',
  class_location: 'Monday, Wednesday',
}

async function aDojo(names = ['Ken', 'Mia', 'Noah']) {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const students = []
  for (const name of names) students.push(await server.createStudent(sensei, { name }))
  const markOf = (student: { id: string }, present = true) => ({
    student_id: student.id,
    class_id,
    class_date: DAY,
    present,
  })
  return { sensei, class_id, students, markOf }
}

/** Records marks as they arrive in one turn of the event loop; says how many transactions that took, too. */
function counting(db: Database) {
  let transactions = 0
  const inDojo: Database['inDojo'] = (dojoId, work) => {
    transactions += 1
    return db.inDojo(dojoId, work)
  }
  return { record: recordMarksTogether({ ...db, inDojo }), transactions: () => transactions }
}

test('marks of a class and day that arrive together share a transaction, and each is answered with its own', async () => {
  const { sensei, students, markOf } = await aDojo()
  const { record, transactions } = counting(server.db)
  const records = await Promise.all(
    students.map((student, place) => record(sensei.dojoId, markOf(student, place > 0), SNAPSHOT)),
  )
  expect(records).toEqual(
    students.map(({ id, name }, place) => ({
      ...SNAPSHOT,
      ...markOf({ id }, place > 0),
      id: expect.any(String),
      class_date: `${DAY}T00:00:00.000Z`,
      student_name: name,
    })),
  )
  expect(transactions()).toBe(1)
  expect((await sensei.get('/attendance')).body).toHaveLength(3)
})

test('marks of another dojo, class or day, and those of a later turn, have a transaction of their own', async () => {
  const [one, other] = [await aDojo(['Ken']), await aDojo(['Ken'])]
  const { id: class_id } = await server.createClass(one.sensei, { class_name: 'Late Judo' })
  const { record, transactions } = counting(server.db)
  const mark = one.markOf(one.students[0]!)
  const { dojoId } = one.sensei
  const records = await Promise.all([
    record(dojoId, mark, SNAPSHOT),
    record(dojoId, { ...mark, class_date: '2026-01-03' }, SNAPSHOT),
    record(dojoId, { ...mark, class_id }, SNAPSHOT),
    record(other.sensei.dojoId, other.markOf(other.students[0]!), SNAPSHOT),
  ])
  expect([records.filter(Boolean).length, transactions()]).toEqual([4, 4])
  expect(await record(dojoId, { ...mark, present: false }, SNAPSHOT)).toMatchObject({
    id: records[0]!.id,
    present: false,
  })
  expect(transactions()).toBe(5)
})

test('two marks of one student that arrive together are both answered, and leave one record', async () => {
  const { sensei, students, markOf } = await aDojo(['Ken'])
  const answers = await Promise.all(
    [true, false].map((present) => sensei.post('/attendance', markOf(students[0]!, present))),
  )
  expect(answers.map(({ status, body }) => [status, body.present])).toEqual([
    [200, true],
    [200, false],
  ])
  expect((await sensei.get('/attendance')).body).toHaveLength(1)
})

test('a mark that is refused costs those beside it nothing', async () => {
  const { sensei, students, markOf } = await aDojo()
  const { students: strangers } = await aDojo(['Ken'])
  const answers = await Promise.all(
    [...students, ...strangers].map((student) => sensei.post('/attendance', markOf(student))),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404])
  expect(answers[3]!.body).toEqual({ detail: 'Student not found' })
  expect((await sensei.get('/attendance')).body).toHaveLength(3)
})

const failing = (error: Error): Database => {
  const inDojo = async () => {
    throw error
  }
  return { ...server.db, inDojo }
}

test('where the statement of several fails, each is left to be tried alone; one alone fails with its reason', async () => {
  const { sensei, students, markOf } = await aDojo(['Ken', 'Mia'])
  const record = recordMarksTogether(failing(new Error('lock timeout')))
  const [one, other] = students.map((student) => markOf(student))
  expect(
    await Promise.all([one!, other!].map((mark) => record(sensei.dojoId, mark, SNAPSHOT))),
  ).toEqual([undefined, undefined])
  await expect(record(sensei.dojoId, one!, SNAPSHOT)).rejects.toThrow('lock timeout')
})

test('where the database is away, all of them fail at once', async () => {
  const { sensei, students, markOf } = await aDojo(['Ken', 'Mia'])
  const record = recordMarksTogether(failing(new Unreachable('away')))
  const outcomes = await Promise.allSettled(
    students.map((student) => record(sensei.dojoId, markOf(student), SNAPSHOT)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
