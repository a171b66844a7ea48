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

/** Tables that grow every week, and the columns by which days or people are found. */
const FOUND_BY: Record<string, RegExp> = {
  attendance: /\bclass_date\b/,
  excuses: /\bclass_date\b/,
  place_requests: /\bday\b/,
  class_dates: /\b(day|held_on)\b/,
  gradings: /\bheld_on\b/,
  candidates: /\bstudent_id\b/,
}
const EIGHT_WEEKS = 'from=2025-11-09&until=2026-01-03'
const PLACES = 'with_places=true&from=2025-12-30&until=2026-01-12'

const CASES: [who: string, idOf: (all: Ids) => string, query: string, withoutMarks: boolean][] = [
  ['an instructor', ({ instructor_id }) => instructor_id, EIGHT_WEEKS, false],
  [
    'an instructor, of one class',
    ({ instructor_id }) => instructor_id,
    `${EIGHT_WEEKS}&class_id=${ids.class_id}`,
    false,
  ],
  ['a student', ({ student_id }) => student_id, PLACES, true],
  ['a guardian', ({ guardian_id }) => guardian_id, PLACES, true],
]

test.each(CASES)(
  'the dates and the calendar of %s are found by their days, not in all that the dojo ever had',
  async (_, idOf, query, isFamily) => {
    const token = await server.db.withoutDojo((tx) => openSession(tx, idOf(ids)))
    const headers = { authorization: `Bearer ${token}` }
    const reply = await server.http.inject({ method: 'POST', url: '/api/calendar-feed', headers })
    plans.take()
    const answers = [
      await server.http.inject({ method: 'GET', url: new URL(reply.json().url).pathname }),
      await server.http.inject({ method: 'GET', url: `/api/class-dates?${query}`, headers }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const scans = plans.take().flatMap((statement) => statement.scans)
    const unboundedScans = scans
      .filter(({ table, conditions }) => FOUND_BY[table] && !FOUND_BY[table].test(conditions))
      .map(({ table, index, conditions }) => `${table} by ${index}: ${conditions}`)
    expect(unboundedScans).toEqual([])
    expect(scans.filter(({ conditions }) => conditions === '').map(({ table }) => table)).toEqual(
      [],
    )
    const read = new Set(scans.map(({ table }) => table))
    expect(Object.keys(FOUND_BY).filter((table) => !read.has(table))).toEqual([
      isFamily ? 'attendance' : 'candidates',
    ])
  },
)
