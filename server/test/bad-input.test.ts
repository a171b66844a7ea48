import { endpoints } from '@tatami/contract/api'
import type { Endpoint } from '@tatami/contract/endpoint'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../kernel/columns.ts'
import { aStudent, testHouse } from './house.ts'
import { aBody, aHeader, aParam, aQuery, aRawBody } from './odd-requests.ts'
import { complaintAbout } from './strictly.ts'

/** Requests for each endpoint, more where more can be sent; a few thousand together. */
const runs = ({ body, query, params }: Endpoint) => (body ? 60 : query || params ? 40 : 15)
const house = await testHouse()
const sensei = await house.sensei(), other = await house.sensei()
const callers = { 'super-admin': (await house.superAdmin()).id, instructor: sensei.id, student: (await house.studentOf(sensei)).id, stranger: null }
type Who = keyof typeof callers
const { id: theirClass } = await house.classOf(other), { id: theirStudent } = await house.studentOf(other)
/** Made anew for each endpoint, since some requests are good and delete them. */
const known = { ids: ['', '', theirClass, theirStudent, other.id, newId()], email: 'nobody@home.org' }
beforeEach(async () => {
  const asSensei = house.enter(await tokenOf('instructor') ?? '')
  const { id } = await house.classOf(asSensei)
  const { student } = (await asSensei.post('/students', aStudent({ enrolled_classes: [id] }))).body
  Object.assign(known, { ids: known.ids.with(0, id).with(1, student.id), email: student.email })
  before = await fingerprint()
})

const admin = new pg.Client({ connectionString: house.adminUrl })
await admin.connect()
afterAll(() => admin.end())
const { rows: tables } = await admin.query<{ name: string }>("select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1")
/** Which version of each row lies where; any write changes it. Sessions and failed sign-ins are written by being refused. */
const fingerprinting = tables.filter(({ name }) => !['sessions', 'sign_in_failures'].includes(name))
  .map(({ name }) => `select '${name}' as name, count(*)::int as rows, sum(hashtext(ctid::text || xmin::text)) as versions from "${name}" t`).join(' union all ')
const fingerprint = async () => (await admin.query(fingerprinting)).rows

const INSIDE = /\bselect\b.*\bfrom\b|insert into|\bupdate\b.*\bset\b|relation "|column "|violates|syntax|postgres|drizzle|fastify|zod|node_modules|\.ts\b|undefined|\[object|input:|Error\b|JSON at|FST_|ECONN|ZodError/i

/** A good token, until a request that was not refused may have ended it. */
let tokens: Partial<Record<Who, string>> = {}
async function tokenOf(who: Who): Promise<string | undefined> {
  const id = callers[who]
  return id ? tokens[who] ??= await house.db.withoutDojo((tx) => openSession(tx, id)) : undefined
}
let before = await fingerprint()

async function check(options: InjectOptions, who: Who, endpoint?: Endpoint) {
  const token = await tokenOf(who)
  const answer = await house.http.inject({ ...options, headers: { ...options.headers, ...(token && { authorization: `Bearer ${token}` }) } })
  expect(answer.statusCode).toBeLessThan(500)
  if (answer.statusCode === 200) {
    if (endpoint) expect(complaintAbout(endpoint.reply, answer.json())).toBeNull()
    if (endpoint?.method === 'GET') return
    tokens = {}
    before = await fingerprint()
    return
  }
  const { detail, errors } = answer.json()
  expect(detail).toEqual(expect.any(String))
  expect(JSON.stringify([detail, errors])).not.toMatch(INSIDE)
  if (answer.statusCode === 422) expect(errors[0]).toEqual({ field: expect.any(String), message: detail })
  if (answer.statusCode === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(await fingerprint()).toEqual(before)
}

const anyone = fc.constantFrom(...Object.keys(callers) as Who[])
const allowed = ({ access }: Endpoint): fc.Arbitrary<Who> =>
  access === 'super-admin' ? fc.constant('super-admin') : access === 'public' ? fc.constant('stranger') : fc.constant('instructor')

test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))('%s answers whatever it is sent in its own words, and changes nothing by refusing', async (_, endpoint) => {
  const url = fc.tuple(fc.array(aParam(known), { minLength: 2, maxLength: 2 }), aQuery(endpoint, known)).map(([params, query]) => {
    let next = 0
    return `/api${endpoint.path.replaceAll(/:\w+/g, () => params[next++]!)}${query}`
  })
  const who = fc.oneof({ weight: 5, arbitrary: allowed(endpoint) }, { weight: 1, arbitrary: anyone })
  const sent = fc.oneof({ weight: 4, arbitrary: aBody(endpoint, known) }, { weight: 1, arbitrary: aRawBody })
  await fc.assert(fc.asyncProperty(url, who, sent, aHeader, async (path, caller, { payload, type }, more) => {
    const body = endpoint.body && payload !== undefined ? { payload, headers: { 'content-type': type, ...more } } : { headers: more }
    await check({ method: endpoint.method, url: path, ...body }, caller, endpoint)
  }), { numRuns: runs(endpoint), seed: 20260101, endOnFailure: true })
}, 60_000)

test('no path at all, by any method, is more than not there', async () => {
  const paths = fc.oneof(fc.webPath(), fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '/', '//', '/..', '/%', '/%2e%2e/%2e%2e/etc/passwd', '/%00', '/classes/', '/CLASSES', '/classes;x', '/classes/%ff', `/${'a'.repeat(20_000)}`))
  await fc.assert(fc.asyncProperty(paths, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'), anyone, async (path, method, caller) => {
    await check({ method, url: `/api/${encodeURI(path.toWellFormed()).replaceAll('#', '')}` }, caller)
  }), { numRuns: 300, seed: 20260101 })
})
