import { endpoints } from '@tatami/contract/api'
import { CALLER_ROLES, type CallerRole, type Endpoint } from '@tatami/contract/lib/endpoint'
import { profileApi } from '@tatami/contract/profile/profile'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import { ADMIN_INBOX_ID } from '../notifications/notify.ts'
import { findViolations } from './response-violations.ts'
import { PASSWORD } from './fixtures.ts'
import { exportedText } from './files.ts'
import { startTestServer } from './test-server.ts'
import { fuzzRequest, fuzzPath, type Request } from './fuzz-requests.ts'
import { OVERSEEN_TABLES, plantCanaries } from './canaries.ts'
import { grantEverything } from './grant-everything.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo } from './sample-rows.ts'

/** The long run sends more requests, but only with the default database and login. */
const isLongRun =
  Boolean(process.env.LONG) && !process.env.TEST_POSTGRES_BIN && !process.env.TEST_SERVE_AS
/** Each run sends the same requests. SEED=<number> generates others. */
const REQUEST_COUNT = isLongRun ? 60_000 : 1_200
const SEED = Number(process.env.SEED ?? 20_260_101)
/** Endpoints with more input get more requests. */
function weightOf({ body, query, params }: Endpoint): number {
  if (body) return 4
  return query || params ? 2 : 1
}
const RANDOM_PATH_COUNT = REQUEST_COUNT / 20
const REQUESTS_PER_WEIGHT =
  (REQUEST_COUNT - RANDOM_PATH_COUNT) /
  endpoints.reduce((sum, endpoint) => sum + weightOf(endpoint), 0)
const REQUESTS_PER_DOJO = 50
/** Every fifth request checks that a refusal has not changed any rows. */
const FINGERPRINT_INTERVAL = 5
const TIMEOUT_MS = 600_000

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())
const { rows: tables } = await admin.query<{ name: string; hasDojo: boolean }>(
  `select relname as name, exists (select from pg_attribute where attrelid = pg_class.oid
      and attname = 'dojo_id') as "hasDojo"
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
)
/** Reads the version and the position of each row, which every write changes. Leaves out tables to
 *  which refused requests write: sessions, failed sign-ins, IP addresses and wrong PINs. */
const FINGERPRINT_SQL = tables
  .filter(
    ({ name }) => !['sessions', 'sign_in_failures', 'sign_in_addresses', 'kiosks'].includes(name),
  )
  .map(({ name, hasDojo }) => {
    const rows = hasDojo
      ? `"${name}" where dojo_id = any($1) or dojo_id is null`
      : // This condition is always true. PostgreSQL needs the type of the parameter in each query.
        `"${name}" where $1::uuid[] is not null`
    return (
      `select '${name}' as name, count(*)::int as rows, sum(hashtext(ctid::text || ` +
      `xmin::text)) as versions from ${rows}`
    )
  })
  .join(' union all ')
// With a name, the query is planned only once. Planning takes longer than running it.
const readFingerprint = async (dojoIds: string[]) =>
  (await admin.query({ name: 'fingerprint', text: FINGERPRINT_SQL, values: [dojoIds] })).rows

const passwordHash = await hashPassword(PASSWORD)
const otherIds = await createSampleDojo(server.db, passwordHash)
await grantEverything(server)
await plantCanaries(server.db, otherIds)
const superAdminId = (await server.signInSuperAdmin()).id

type Caller = CallerRole | 'anonymous'
const anyRole = fc.constantFrom<Caller>(...CALLER_ROLES, 'anonymous')
function usualRole({ access }: Endpoint): Caller {
  if (access === 'super-admin' || access === 'kiosk') return access
  return access === 'public' ? 'anonymous' : 'instructor'
}
const arbitraryRole = (endpoint: Endpoint) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(usualRole(endpoint)) },
    { weight: 1, arbitrary: anyRole },
  )

/** Opens a session for each role when it is needed. A successful call may have ended a session, so
 *  `reset` makes the next calls open new ones. */
function createSessions(ownIds: Ids) {
  const ids: Record<Caller, string | null> = {
    'super-admin': superAdminId,
    instructor: ownIds.instructor_id,
    guardian: ownIds.guardian_id,
    student: ownIds.student_id,
    kiosk: null,
    anonymous: null,
  }
  let tokens: Partial<Record<Caller, string>> = {}
  return {
    reset: () => {
      tokens = {}
    },
    async headersFor(role: Caller): Promise<{ authorization?: string }> {
      if (role === 'kiosk') return { authorization: `Bearer ${sampleKioskToken(ownIds)}` }
      const id = ids[role]
      // If an earlier call deleted the account, the caller is anonymous.
      if (id)
        tokens[role] ??= await server.db
          .withoutDojo((tx) => openSession(tx, id))
          .catch(() => 'gone')
      return tokens[role] ? { authorization: `Bearer ${tokens[role]}` } : {}
    },
  }
}

let requestCount = 0
/** Throws if the response breaks a rule, or if a refused request has changed rows. */
async function sendAndCheck(
  request: Request,
  role: Caller,
  ownIds: Ids,
  sessions: ReturnType<typeof createSessions>,
  endpoint?: Endpoint,
) {
  const dojoIds = [ownIds.dojo_id, otherIds.dojo_id, ADMIN_INBOX_ID]
  requestCount += 1
  const checksRows = requestCount % FINGERPRINT_INTERVAL === 0 && request.method !== 'GET'
  // An earlier call may still be sending an email.
  if (checksRows) await server.http.backgroundTasksDone()
  // Opening a session changes the account, so it comes before the fingerprint.
  const headers = { ...(await sessions.headersFor(role)), ...request.headers }
  const fingerprintBefore = checksRows && (await readFingerprint(dojoIds))
  const response = await server.http.inject({ ...request, headers } as never)
  // A sign-in with an account of the other dojo may read that account's data.
  const hasSignedIn = endpoint === profileApi.login && response.statusCode === 200
  const mayRead = (table: string) =>
    hasSignedIn || (role === 'super-admin' && OVERSEEN_TABLES.includes(table))
  const violations = findViolations(
    request,
    { statusCode: response.statusCode, headers: response.headers, payload: exportedText(response) },
    mayRead,
    endpoint,
  )
  if (violations.length > 0) {
    const retry = await server.http.inject({ ...request, headers } as never)
    throw new Error(
      `As ${role} (when sent again: ${retry.statusCode} ` +
        `${retry.payload.slice(0, 200)})\n${violations.join('\n')}`,
    )
  }
  if (response.statusCode === 200 && request.method !== 'GET') sessions.reset()
  else if (fingerprintBefore) expect(await readFingerprint(dojoIds)).toEqual(fingerprintBefore)
}

const listKnownIds = (ownIds: Ids) => [
  ...Object.values(ownIds),
  ...Object.values(otherIds),
  newId(),
]

async function sendRandomRequests(
  count: number,
  seed: number,
  requests: (ownIds: Ids) => fc.Arbitrary<[Request, Caller]>,
  endpoint?: Endpoint,
) {
  for (let sentCount = 0; sentCount < count; sentCount += REQUESTS_PER_DOJO) {
    const ownIds = await createSampleDojo(server.db, passwordHash)
    const sessions = createSessions(ownIds)
    const property = fc.asyncProperty(requests(ownIds), ([request, role]) =>
      sendAndCheck(request, role, ownIds, sessions, endpoint),
    )
    // fast-check must not look for a simpler failing request, because the rows have changed.
    await fc.assert(property, {
      numRuns: Math.min(REQUESTS_PER_DOJO, count - sentCount),
      seed: seed + sentCount,
      endOnFailure: true,
    })
  }
}

const calls = endpoints.map(
  (endpoint, index) => [`${endpoint.method} ${endpoint.path}`, endpoint, index] as const,
)

test.each(calls)(
  '%s responds to any input with a clear message, and changes nothing when it refuses',
  async (_, endpoint, index) => {
    const requests = (ownIds: Ids) =>
      fc.tuple(fuzzRequest(endpoint, ownIds, listKnownIds(ownIds)), arbitraryRole(endpoint))
    await expect(
      sendRandomRequests(
        Math.ceil(weightOf(endpoint) * REQUESTS_PER_WEIGHT),
        SEED + index * 1_000_000,
        requests,
        endpoint,
      ),
    ).resolves.toBeUndefined()
  },
  TIMEOUT_MS,
)

test(
  'responds to unknown paths with 404, whatever the method',
  async () => {
    const requests = () => fc.tuple(fuzzPath(endpoints.map(({ path }) => path)), anyRole)
    await expect(sendRandomRequests(RANDOM_PATH_COUNT, SEED, requests)).resolves.toBeUndefined()
  },
  TIMEOUT_MS,
)

test('the tests above sent the planned number of requests', () => {
  console.log(`${requestCount} requests from seed ${SEED}`)
  expect(requestCount).toBeGreaterThanOrEqual(REQUEST_COUNT)
})
