import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'
import { findTenancyFaults } from './tenancy-probe.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const ourIds = await createSampleDojo(server.db)
const theirIds = await createSampleDojo(server.db)
const owner = new pg.Client({ connectionString: server.adminUrl })
await owner.connect()
afterAll(() => owner.end())
beforeEach(() => owner.query('begin'))
afterEach(() => owner.query('rollback'))

const tables = Object.keys(SAMPLE_ROWS)
const policies = (
  await owner.query<{ table: string; policy: string }>(
    'select tablename as table, policyname as policy from pg_policies where schemaname = ' +
      "'public' order by 1, 2",
  )
).rows

test('the probe checks every table that has a policy', () => {
  expect([...new Set(policies.map(({ table }) => table))].toSorted()).toEqual(tables.toSorted())
})

test('the probe finds no fault in the policies', async () => {
  const faults: string[] = []
  for (const table of tables)
    faults.push(...(await findTenancyFaults(owner, table, ourIds, theirIds)))
  expect(faults).toEqual([])
})

type Breach = [name: string, statementsFor: (table: string) => string[]]
/** Ways to break a table's tenant isolation. */
const BREACHES: Breach[] = [
  [
    'a policy is dropped',
    (table) =>
      policies
        // staff-leaks.test.ts tests the policies for staff who see only their own classes.
        .filter(({ table: name, policy }) => name === table && !policy.startsWith('own_classes'))
        .map(({ policy }) => `drop policy ${policy} on ${table}`),
  ],
  [
    'row-level security is not forced',
    (table) => [`alter table ${table} no force row level security`],
  ],
]
/** `npm test` tries these on every fourth table. */
const OTHER_BREACHES: Breach[] = [
  ['row-level security is off', (table) => [`alter table ${table} disable row level security`]],
  [
    'the policy allows reading every row',
    (table) => [`alter policy dojo_isolation on ${table} using (true)`],
  ],
  [
    'the policy allows writing every row',
    (table) => [`alter policy dojo_isolation on ${table} with check (true)`],
  ],
  [
    'a second policy allows everything',
    (table) => [`create policy extra on ${table} to tatami_app using (true)`],
  ],
]

const sampledTables = process.env.LONG ? tables : tables.filter((_, index) => index % 4 === 0)
const breachesWithTables = [
  ...BREACHES.map((breach) => [...breach, tables] as const),
  ...OTHER_BREACHES.map((breach) => [...breach, sampledTables] as const),
]

test.each(breachesWithTables)(
  'the probe notices when %s',
  async (_, statementsFor, tablesToBreak) => {
    const unnoticedStatements: string[] = []
    for (const table of tablesToBreak) {
      for (const statement of statementsFor(table)) {
        await owner.query(`savepoint breach; set local role tatami_owner; ${statement}`)
        if ((await findTenancyFaults(owner, table, ourIds, theirIds)).length === 0)
          unnoticedStatements.push(statement)
        await owner.query('rollback to breach; release breach')
      }
    }
    expect(unnoticedStatements).toEqual([])
  },
)
