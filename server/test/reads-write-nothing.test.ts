import { endpoints } from '@tatami/contract/api'
import type { Access, Endpoint } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { SAMPLE_ROWS } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()

/** GET calls write to these tables, such as the time at which a session was last used. */
const TABLES_CHANGED_BY_READS = ['audit_log', 'sessions', 'sign_in_addresses']

const INSTRUCTOR_ACCESS: readonly Access[] = [
  'public',
  'signed-in',
  'member',
  'staff',
  'instructor',
]
const isInstructorRead = ({ method, access }: Endpoint) =>
  method === 'GET' && INSTRUCTOR_ACCESS.includes(access)

test('no GET call changes a row of a new dojo', async () => {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const tables = Object.keys(SAMPLE_ROWS).filter(
    (table) => !TABLES_CHANGED_BY_READS.includes(table),
  )
  const readAllRows = () =>
    server.db.inDojo(sensei.dojoId, async (tx) => {
      const rowsByTable: Record<string, unknown> = {}
      for (const table of tables) {
        const result = await tx.execute(
          sql.raw(`select coalesce(json_agg(t order by t::text), '[]') as rows from ${table} t`),
        )
        rowsByTable[table] = result.rows
      }
      return rowsByTable
    })
  const rowsBefore = await readAllRows()
  const countByStatus: Record<number, number> = {}
  for (const { path } of endpoints.filter(isInstructorRead)) {
    const id = path.startsWith('/students/') ? student.id : class_id
    const { status } = await sensei.get(path.replace(/:\w+/, id))
    countByStatus[status] = (countByStatus[status] ?? 0) + 1
  }
  expect(await readAllRows()).toEqual(rowsBefore)
  expect(countByStatus[200]).toBeGreaterThan(30)
  expect(countByStatus[500]).toBeUndefined()
})
