import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { allStudents } from '../students/student-list.ts'
import { startTestServer } from '../test/test-server.ts'
import { connect } from './database.ts'
import { prepared } from './prepared.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const { id: student_id } = await server.createStudent(sensei)

/** Lists students twice on a connection of its own; what came back, and which statements the connection remembers. */
async function workOn(preparedStatements: boolean) {
  const db = connect(server.databaseUrl, { maxConnections: 1, preparedStatements })
  const inDojo = <T>(work: Parameters<typeof db.inDojo<T>>[1]) => db.inDojo(sensei.dojoId, work)
  const first = await inDojo((tx) => allStudents(tx, sensei.dojoId))
  const list = await inDojo((tx) => allStudents(tx, sensei.dojoId))
  const { rows } = await inDojo((tx) =>
    tx.executeSql('select name, generic_plans + custom_plans as uses from pg_prepared_statements'),
  )
  await db.close()
  return {
    first,
    list,
    statements: rows as { name: string; uses: string }[],
  }
}

test('a connection plans a statement once and uses them again', async () => {
  const { statements } = await workOn(true)
  const uses = Object.fromEntries(statements.map((one) => [one.name, Number(one.uses)]))
  expect(uses).toMatchObject({ find_students: 2 })
})

test('without prepared statements, as a pooler may need it, it remembers none and does the same', async () => {
  const [plain, planned] = [await workOn(false), await workOn(true)]
  expect(plain.statements).toEqual([])
  expect([plain.first, plain.list]).toEqual([planned.first, planned.list])
  expect(plain.list).toMatchObject([{ id: student_id }])
})

test('a statement sees the rows of the dojo that its transaction names, however often it was planned for another', async () => {
  const db = connect(server.databaseUrl, { maxConnections: 1 })
  const other = await server.createSensei()
  const seen = async (dojoId: string) =>
    (await db.inDojo(dojoId, (tx) => allStudents(tx, dojoId))).length
  // From the sixth use on PostgreSQL may keep one plan for all values.
  for (let use = 0; use < 8; use += 1)
    expect([await seen(sensei.dojoId), await seen(other.dojoId)]).toEqual([1, 0])
  await db.close()
})

test('placeholders are filled in their order, and one may stand twice', async () => {
  const order = prepared<{ a: string; b: string }, { words: string }>(
    'order',
    sql`select ${sql.placeholder('b')}::text || ${sql.placeholder('a')}::text || ${sql.placeholder('b')}::text as words`,
  )
  expect(await server.db.withoutDojo((tx) => order(tx, { a: 'a', b: 'b' }))).toEqual([
    { words: 'bab' },
  ])
})
