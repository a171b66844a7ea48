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
import { responseViolations } from './response-violations.ts'
import { PASSWORD } from './fixtures.ts'
import { exportedText } from './files.ts'
import { startTestServer } from './test-server.ts'
import { fuzzRequest, fuzzPath, type Request } from './fuzz-requests.ts'
import { OVERSEEN_TABLES, plantCanaries } from './canaries.ts'
import { grantEverything } from './grant-everything.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo } from './sample-rows.ts'

/** All requests are sent only in the long run, with the default database and login. */
const isFull =
  Boolean(process.env.LONG) && !process.env.TEST_POSTGRES_BIN && !process.env.TEST_SERVE_AS
/** The requests are the same each time. SEED=<number> generates other requests. */
const REQUEST_COUNT = isFull ? 60_000 : 1_200
const SEED = Number(process.env.SEED ?? 20_260_101)
/** An endpoint with a body gets more requests than one without. */
const weightOf = ({ body, query, params }: Endpoint) => (body ? 4 : query || params ? 2 : 1)
const RANDOM_PATH_COUNT = REQUEST_COUNT / 20
const REQUESTS_PER_WEIGHT =
  (REQUEST_COUNT - RANDOM_PATH_COUNT) /
  endpoints.reduce((sum, endpoint) => sum + weightOf(endpoint), 0)
const REQUESTS_PER_DOJO = 50
/** How often rows are compared, because a refusal must not change them. */
const FINGERPRINT_EVERY = 5
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
/** Version and position of each row, which any write changes. Leaves out tables that refusals
 *  write: sessions, failed sign-ins, IP addresses and wrong PINs. */
const FINGERPRINT = tables
  .filter(
    ({ name }) => !['sessions', 'sign_in_failures', 'sign_in_addresses', 'kiosks'].includes(name),
  )
  .map(({ name, hasDojo }) => {
    const rows = hasDojo
      ? `"${name}" where dojo_id = any($1) or dojo_id is null`
      : // Always true, because PostgreSQL has to know the parameter's type in each query.
        `"${name}" where $1::uuid[] is not null`
    return (
      `select '${name}' as name, count(*)::int as rows, sum(hashtext(ctid::text || ` +
      `xmin::text)) as versions from ${rows}`
    )
  })
  .join(' union all ')
// Prepared, because planning this query takes longer than running it.
const fingerprint = async (dojoIds: string[]) =>
  (await admin.query({ name: 'fingerprint', text: FINGERPRINT, values: [dojoIds] })).rows

const passwordHash = await hashPassword(PASSWORD)
const otherIds = await createSampleDojo(server.db, passwordHash)
await grantEverything(server)
await plantCanaries(server.db, otherIds)
const superAdminId = (await server.signInSuperAdmin()).id

type Caller = CallerRole | 'anonymous'
const anyRole = fc.constantFrom<Caller>(...CALLER_ROLES, 'anonymous')
const usualRole = ({ access }: Endpoint): Caller =>
  access === 'super-admin' || access === 'kiosk'
    ? access
    : access === 'public'
      ? 'anonymous'
      : 'instructor'
const arbitraryRole = (endpoint: Endpoint) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(usualRole(endpoint)) },
    { weight: 1, arbitrary: anyRole },
  )

/** A session for each role. They are opened again after each successful call, because the call may
 *  have ended one. */
function sessionsOf(ownIds: Ids) {
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
    forget: () => {
      tokens = {}
    },
    async bearerOf(role: Caller): Promise<{ authorization?: string }> {
      if (role === 'kiosk') return { authorization: `Bearer ${sampleKioskToken(ownIds)}` }
      const id = ids[role]
      // A deleted account makes anonymous calls.
      if (id)
        tokens[role] ??= await server.db
          .withoutDojo((tx) => openSession(tx, id))
          .catch(() => 'gone')
      return tokens[role] ? { authorization: `Bearer ${tokens[role]}` } : {}
    },
  }
}

let requestCount = 0
async function send(
  request: Request,
  role: Caller,
  ownIds: Ids,
  sessions: ReturnType<typeof sessionsOf>,
  endpoint?: Endpoint,
) {
  const dojoIds = [ownIds.dojo_id, otherIds.dojo_id, ADMIN_INBOX_ID]
  const isFingerprinted = (requestCount += 1) % FINGERPRINT_EVERY === 0 && request.method !== 'GET'
  // An earlier call may still be sending an email.
  if (isFingerprinted) await server.http.backgroundTasksDone()
  // Opening a session changes the account, so it comes before the fingerprint.
  const headers = { ...(await sessions.bearerOf(role)), ...request.headers }
  const rowsBefore = isFingerprinted && (await fingerprint(dojoIds))
  const response = await server.http.inject({ ...request, headers } as never)
  // A sign-in with an account of the other dojo may read that account's data.
  const hasSignedIn = endpoint === profileApi.login && response.statusCode === 200
  const mayRead = (table: string) =>
    hasSignedIn || (role === 'super-admin' && OVERSEEN_TABLES.includes(table))
  const violations = responseViolations(
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
  if (response.statusCode === 200 && request.method !== 'GET') sessions.forget()
  else if (rowsBefore) expect(await fingerprint(dojoIds)).toEqual(rowsBefore)
}

const knownIds = (ownIds: Ids) => [...Object.values(ownIds), ...Object.values(otherIds), newId()]

async function sendFuzzed(
  runs: number,
  seed: number,
  requests: (ownIds: Ids) => fc.Arbitrary<[Request, Caller]>,
  endpoint?: Endpoint,
) {
  for (let sentCount = 0; sentCount < runs; sentCount += REQUESTS_PER_DOJO) {
    const ownIds = await createSampleDojo(server.db, passwordHash),
      sessions = sessionsOf(ownIds)
    const property = fc.asyncProperty(requests(ownIds), ([request, role]) =>
      send(request, role, ownIds, sessions, endpoint),
    )
    // Without shrinking, because rows have changed since the failed request.
    await fc.assert(property, {
      numRuns: Math.min(REQUESTS_PER_DOJO, runs - sentCount),
      seed: seed + sentCount,
      endOnFailure: true,
    })
  }
}

const cases = endpoints.map(
  (endpoint, index) => [`${endpoint.method} ${endpoint.path}`, endpoint, index] as const,
)

test.each(cases)(
  '%s responds to any input with a clear message, and changes nothing when it refuses',
  async (_, endpoint, index) => {
    const requests = (ownIds: Ids) =>
      fc.tuple(fuzzRequest(endpoint, ownIds, knownIds(ownIds)), arbitraryRole(endpoint))
    await expect(
      sendFuzzed(
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
  'unknown paths are not found, whatever the method',
  async () => {
    const requests = () => fc.tuple(fuzzPath(endpoints.map(({ path }) => path)), anyRole)
    await expect(sendFuzzed(RANDOM_PATH_COUNT, SEED, requests)).resolves.toBeUndefined()
  },
  TIMEOUT_MS,
)

test('enough requests were sent', () => {
  console.log(`${requestCount} requests from seed ${SEED}`)
  expect(requestCount).toBeGreaterThanOrEqual(REQUEST_COUNT)
})
