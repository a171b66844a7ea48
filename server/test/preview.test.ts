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

/** Makes every call with valid requests as an owner who looks at the school as somebody else. */
const server = await startTestServer()
const ids = await createSampleDojo(server.db)

const REFUSAL = 'You’re looking as somebody else. Go back to your own view to change anything.'
/** They begin or end a view, or the session. */
const CALLS_ABOUT_THE_VIEW = ['POST /logout', 'PUT /staff/view', 'DELETE /staff/view']

const isForStaff = ({ access }: Endpoint) =>
  access !== 'public' && (ROLES_BY_ACCESS[access] as readonly string[]).includes('instructor')
const writes = endpoints.filter((endpoint) => isForStaff(endpoint) && endpoint.method !== 'GET')
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Looks with every right, so that only the view can be the reason for a refusal. */
async function lookAsSomebody(): Promise<string> {
  const token = await server.db.withoutDojo((tx) => openSession(tx, ids.instructor_id))
  const seen_as = { name: 'Kim Park', rights: [...ALL_RIGHTS], class_ids: null }
  await server.db.withoutDojo((tx) =>
    tx.update(sessions).set({ seen_as }).where(eq(sessions.account_id, ids.instructor_id)),
  )
  return token
}

/** Sessions record when they were used. */
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

async function send(endpoint: Endpoint, numRuns: number) {
  const requests = fc.sample(validRequestParts(endpoint, ids), { seed: 1, numRuns })
  const replies: { status: number; detail: unknown }[] = []
  for (const request of requests) {
    const token = await lookAsSomebody()
    const { statusCode, body } = await server.http.inject({
      ...injectOptions(endpoint, request),
      headers: { authorization: `Bearer ${token}` },
    })
    replies.push({ status: statusCode, detail: JSON.parse(body).detail })
  }
  return replies
}

test('an owner who looks as somebody else makes every preview, and no real write', async () => {
  const rowsBefore = await readAllRows()
  const previews: string[] = []
  for (const endpoint of writes) {
    const name = nameOf(endpoint)
    if (CALLS_ABOUT_THE_VIEW.includes(name)) continue
    const [reply] = await send(endpoint, 1)
    if (endpoint.readOnly) previews.push(name)
    else expect([name, reply]).toEqual([name, { status: 403, detail: REFUSAL }])
  }
  const previewPaths = writes.filter(({ path }) => path.endsWith('/preview')).map(nameOf)
  expect(previews.toSorted()).toEqual(previewPaths.toSorted())
  expect(await readAllRows()).toEqual(rowsBefore)
})

/** The sample dojo allows these for nobody. Their own tests see the answers. */
const PREVIEWS_OF_PLANS = [
  'POST /students/:id/subscriptions/preview',
  'POST /subscriptions/:id/change/preview',
  'POST /my/subscriptions/:id/end/preview',
]

test.each(
  endpoints
    .filter(({ readOnly }) => readOnly)
    .map((endpoint) => [nameOf(endpoint), endpoint] as const),
)('%s answers and changes no row', async (name, endpoint) => {
  const rowsBefore = await readAllRows()
  const replies = await send(endpoint, 30)
  expect(replies.filter(({ detail }) => detail === REFUSAL)).toEqual([])
  if (!PREVIEWS_OF_PLANS.includes(name))
    expect(replies.some(({ status }) => status === 200)).toBe(true)
  expect(await readAllRows()).toEqual(rowsBefore)
})

test('only calls about the view or the session write during it', () => {
  const otherCalls = endpoints.filter(({ duringPreview }) => duringPreview).map(nameOf)
  expect(otherCalls.toSorted()).toEqual(CALLS_ABOUT_THE_VIEW.toSorted())
})
