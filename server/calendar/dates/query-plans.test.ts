import { afterAll, expect, test } from 'vitest'
import { hashPassword } from '../../accounts/passwords.ts'
import { openSession } from '../../accounts/sessions.ts'
import { PASSWORD } from '../../test/fixtures.ts'
import { capturePlans } from '../../test/query-plans.ts'
import type { Ids } from '../../test/sample-ids.ts'
import { createSampleDojo } from '../../test/sample-rows.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const ids = await createSampleDojo(server.db, await hashPassword(PASSWORD))
const plans = capturePlans()
afterAll(() => plans.stop())

/** Tables that grow every week, with the columns by which a query must look up their rows. */
const LOOKUP_COLUMNS: Record<string, RegExp> = {
  attendance: /\bclass_date\b/,
  excuses: /\bclass_date\b/,
  place_requests: /\bday\b/,
  class_dates: /\b(day|held_on)\b/,
  gradings: /\bheld_on\b/,
}
const EIGHT_WEEKS = 'from=2025-11-09&until=2026-01-03'
const TWO_WEEKS_WITH_PLACES = 'with_places=true&from=2025-12-30&until=2026-01-12'

const CASES: [
  role: string,
  getAccountId: (sample: Ids) => string,
  query: string,
  isFamily: boolean,
][] = [
  ['an instructor', ({ instructor_id }) => instructor_id, EIGHT_WEEKS, false],
  [
    'an instructor who filters by class',
    ({ instructor_id }) => instructor_id,
    `${EIGHT_WEEKS}&class_id=${ids.class_id}`,
    false,
  ],
  ['a student', ({ student_id }) => student_id, TWO_WEEKS_WITH_PLACES, true],
  ['a guardian', ({ guardian_id }) => guardian_id, TWO_WEEKS_WITH_PLACES, true],
]

test.each(CASES)(
  'reads the dates and the calendar of %s by day, without scanning older rows',
  async (_, getAccountId, query, isFamily) => {
    const token = await server.db.withoutDojo((tx) => openSession(tx, getAccountId(ids)))
    const headers = { authorization: `Bearer ${token}` }
    const reply = await server.http.inject({ method: 'POST', url: '/api/calendar-feed', headers })
    // Discards the plans of the setup.
    plans.take()
    const responses = [
      await server.http.inject({ method: 'GET', url: new URL(reply.json().url).pathname }),
      await server.http.inject({ method: 'GET', url: `/api/class-dates?${query}`, headers }),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const scans = plans.take().flatMap((statement) => statement.scans)
    const scansOfAllDays = scans.filter(
      ({ table, conditions }) => LOOKUP_COLUMNS[table] && !LOOKUP_COLUMNS[table].test(conditions),
    )
    expect(scansOfAllDays).toEqual([])
    expect(scans.filter(({ conditions }) => conditions === '')).toEqual([])
    // Families get no counts of marks.
    const readTables = new Set(scans.map(({ table }) => table))
    expect(Object.keys(LOOKUP_COLUMNS).filter((table) => !readTables.has(table))).toEqual(
      isFamily ? ['attendance'] : [],
    )
  },
)
