import { endpoints } from '@tatami/contract/api'
import type { Endpoint } from '@tatami/contract/endpoint'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import { complaintsAbout } from './fair-answer.ts'
import { PASSWORD } from './fixtures.ts'
import { startTestServer } from './test-server.ts'
import { aRequest, aRequestAnywhere, type Request } from './odd-requests.ts'
import { plantWords } from './planted-words.ts'
import { aWholeDojo, type Ids } from './sample-rows.ts'

/** On the database and the login that the server has by default. */
const isWhole = Boolean(process.env.LONG) && !process.env.TEST_POSTGRES_BIN && !process.env.TEST_SERVE_AS
/** Made from the contract's own schemas, the same every time; SEED=<number> makes others. */
const REQUESTS = isWhole ? 200_000 : 2_000
const SEED = Number(process.env.SEED ?? 20_260_101)
/** More where more can be sent. */
const weightOf = ({ body, query, params }: Endpoint) => (body ? 4 : query || params ? 2 : 1)
const ANYWHERE = REQUESTS / 20
const PER_WEIGHT = (REQUESTS - ANYWHERE) / endpoints.reduce((sum, endpoint) => sum + weightOf(endpoint), 0)
/** Then a new dojo: good requests delete what they are about. */
const PER_DOJO = 50
/** Every so many requests it is seen whether a refusal changed anything. */
const LOOKED_AT = 5
const PATIENCE_MS = 600_000

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())
const { rows: tables } = await admin.query<{ name: string }>(
  "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
)
/** Which version of each row lies where; any write changes it. Sessions and failed sign-ins are written by being refused. */
const fingerprinting = tables
  .filter(({ name }) => !['sessions', 'sign_in_failures'].includes(name))
  .map(({ name }) => `select '${name}' as name, count(*)::int as rows, sum(hashtext(ctid::text || xmin::text)) as versions from "${name}"`)
  .join(' union all ')
const fingerprint = async () => (await admin.query(fingerprinting)).rows

const hash = await hashPassword(PASSWORD)
const other = await aWholeDojo(server.db, hash)
await plantWords(server.db, other)
const boss = (await server.signInSuperAdmin()).id

type Who = 'super-admin' | 'instructor' | 'student' | 'stranger'
const anyone = fc.constantFrom<Who>('super-admin', 'instructor', 'student', 'stranger')
const mostly = ({ access }: Endpoint): Who => (access === 'super-admin' ? access : access === 'public' ? 'stranger' : 'instructor')
const whoever = (endpoint: Endpoint) => fc.oneof({ weight: 5, arbitrary: fc.constant(mostly(endpoint)) }, { weight: 1, arbitrary: anyone })

/** Somebody of each kind, whose session lasts until a call that was done may have ended it. */
function peopleOf(own: Ids) {
  const ids: Record<Who, string | null> = { 'super-admin': boss, instructor: own.instructor_id, student: own.student_id, stranger: null }
  let tokens: Partial<Record<Who, string>> = {}
  return {
    forget: () => {
      tokens = {}
    },
    async bearerOf(who: Who): Promise<{ authorization?: string }> {
      const id = ids[who]
      // Somebody who was deleted meanwhile is a stranger.
      if (id) tokens[who] ??= await server.db.withoutDojo((tx) => openSession(tx, id)).catch(() => 'gone')
      return tokens[who] ? { authorization: `Bearer ${tokens[who]}` } : {}
    },
  }
}

let asked = 0
async function ask(request: Request, who: Who, people: ReturnType<typeof peopleOf>, endpoint?: Endpoint) {
  const isLookedAt = (asked += 1) % LOOKED_AT === 0 && request.method !== 'GET'
  // A link that an earlier call asked for may be on its way.
  if (isLookedAt) await server.http.backgroundTasksDone()
  const before = isLookedAt && (await fingerprint())
  const headers = { ...(await people.bearerOf(who)), ...request.headers }
  const answer = await server.http.inject({ ...request, headers } as never)
  const complaints = complaintsAbout(request, answer, who === 'super-admin', endpoint)
  if (complaints.length > 0) {
    const again = await server.http.inject({ ...request, headers } as never)
    throw new Error(`As ${who} (the same once more: ${again.statusCode} ${again.payload.slice(0, 200)})\n${complaints.join('\n')}`)
  }
  if (answer.statusCode === 200 && request.method !== 'GET') people.forget()
  else if (before) expect(await fingerprint()).toEqual(before)
}

const knownTo = (own: Ids) => [...Object.values(own), ...Object.values(other), newId()]

async function campaign(runs: number, seed: number, drawn: (own: Ids) => fc.Arbitrary<[Request, Who]>, endpoint?: Endpoint) {
  for (let done = 0; done < runs; done += PER_DOJO) {
    const own = await aWholeDojo(server.db, hash),
      people = peopleOf(own)
    const property = fc.asyncProperty(drawn(own), ([request, who]) => ask(request, who, people, endpoint))
    // What fails is shown as it was sent: the next one would meet other rows.
    await fc.assert(property, { numRuns: Math.min(PER_DOJO, runs - done), seed: seed + done, endOnFailure: true })
  }
}

const calls = endpoints.map((endpoint, index) => [`${endpoint.method} ${endpoint.path}`, endpoint, index] as const)

test.each(calls)(
  '%s answers whatever it is sent in its own words, and changes nothing by refusing',
  async (_, endpoint, index) => {
    const drawn = (own: Ids) => fc.tuple(aRequest(endpoint, own, knownTo(own)), whoever(endpoint))
    await expect(campaign(Math.ceil(weightOf(endpoint) * PER_WEIGHT), SEED + index * 1_000_000, drawn, endpoint)).resolves.toBeUndefined()
  },
  PATIENCE_MS,
)

test(
  'no path at all, by any method, is more than not there',
  async () => {
    const drawn = () => fc.tuple(aRequestAnywhere(endpoints.map(({ path }) => path)), anyone)
    await expect(campaign(ANYWHERE, SEED, drawn)).resolves.toBeUndefined()
  },
  PATIENCE_MS,
)

test('so many requests were sent', () => {
  console.log(`${asked} requests from seed ${SEED}`)
  expect(asked).toBeGreaterThanOrEqual(REQUESTS)
})
