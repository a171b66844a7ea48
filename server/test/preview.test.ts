import { endpoints } from '@tatami/contract/api'
import { type Endpoint, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { ALL_RIGHTS } from '@tatami/contract/rights'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { sessions } from '../accounts/tables.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'
import { injectOptions, validRequestParts } from './valid-requests.ts'

/** Tests an owner's view of the school as somebody else, in which nothing can be changed. */
const server = await startTestServer()
const ids = await createSampleDojo(server.db)

const REFUSAL = 'You’re looking as somebody else. Go back to your own view to change anything.'
/** Calls that begin or end the view, or end the session. */
const VIEW_CALLS = ['POST /logout', 'PUT /staff/view', 'DELETE /staff/view']

const isForStaff = ({ access }: Endpoint) =>
  access !== 'public' && (ROLES_BY_ACCESS[access] as readonly string[]).includes('instructor')
const writeCalls = endpoints.filter((endpoint) => isForStaff(endpoint) && endpoint.method !== 'GET')
const callName = ({ method, path }: Endpoint) => `${method} ${path}`

/** Opens a session that views the school as somebody else. The view has every right, so that only
 *  the view itself can be the reason for a refusal. Returns the session's token. */
async function viewAsSomebodyElse(): Promise<string> {
  const token = await server.db.withoutDojo((tx) => openSession(tx, ids.instructor_id))
  const seen_as = { name: 'Kim Park', rights: [...ALL_RIGHTS], class_ids: null }
  await server.db.withoutDojo((tx) =>
    tx.update(sessions).set({ seen_as }).where(eq(sessions.account_id, ids.instructor_id)),
  )
  return token
}

// Leaves out sessions, because each request updates the time at which its session was last used.
const tables = Object.keys(SAMPLE_ROWS).filter((table) => table !== 'sessions')
const readAllRows = () =>
  server.db.inDojo(ids.dojo_id, async (tx) => {
    const rowsByTable: Record<string, unknown> = {}
    for (const table of tables) {
      const { rows } = await tx.execute(
        sql.raw(`select coalesce(json_agg(t order by t::text), '[]') as rows from ${table} t`),
      )
      rowsByTable[table] = rows
    }
    return rowsByTable
  })

async function sendRequests(endpoint: Endpoint, count: number) {
  const requests = fc.sample(validRequestParts(endpoint, ids), { seed: 1, numRuns: count })
  const replies: { status: number; detail: unknown }[] = []
  for (const request of requests) {
    const token = await viewAsSomebodyElse()
    const { statusCode, body } = await server.http.inject({
      ...injectOptions(endpoint, request),
      headers: { authorization: `Bearer ${token}` },
    })
    replies.push({ status: statusCode, detail: JSON.parse(body).detail })
  }
  return replies
}

const EVERY_CALL_TIMEOUT_MS = 60_000

test(
  'an owner who views the school as somebody else can preview, but not change',
  async () => {
    const rowsBefore = await readAllRows()
    const previews: string[] = []
    for (const endpoint of writeCalls) {
      const name = callName(endpoint)
      if (VIEW_CALLS.includes(name)) continue
      const [reply] = await sendRequests(endpoint, 1)
      if (endpoint.readOnly) previews.push(name)
      else expect([name, reply]).toEqual([name, { status: 403, detail: REFUSAL }])
    }
    const previewPaths = writeCalls.filter(({ path }) => path.endsWith('/preview')).map(callName)
    expect(previews.toSorted()).toEqual(previewPaths.toSorted())
    expect(await readAllRows()).toEqual(rowsBefore)
  },
  EVERY_CALL_TIMEOUT_MS,
)

/** Calls that the sample dojo always refuses. Other tests check their responses. */
const REFUSED_PREVIEWS = [
  'POST /students/:id/subscriptions/preview',
  'POST /subscriptions/:id/change/preview',
  'POST /my/subscriptions/:id/end/preview',
  'POST /signing/open',
  'POST /signing/copy',
]

test.each(
  endpoints
    .filter(({ readOnly }) => readOnly)
    .map((endpoint) => [callName(endpoint), endpoint] as const),
)('%s succeeds during the view, and changes no rows', async (name, endpoint) => {
  const rowsBefore = await readAllRows()
  const replies = await sendRequests(endpoint, 30)
  expect(replies.filter(({ detail }) => detail === REFUSAL)).toEqual([])
  if (!REFUSED_PREVIEWS.includes(name))
    expect(replies.some(({ status }) => status === 200)).toBe(true)
  expect(await readAllRows()).toEqual(rowsBefore)
})

test('only the calls that begin or end the view or the session can write during it', () => {
  const allowedCalls = endpoints.filter(({ duringPreview }) => duringPreview).map(callName)
  expect(allowedCalls.toSorted()).toEqual(VIEW_CALLS.toSorted())
})
