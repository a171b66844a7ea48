import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { endpoints } from '@tatami/contract/api'
import {
  CALLER_ROLES,
  type CallerRole,
  ROLES_BY_ACCESS,
  type Endpoint,
} from '@tatami/contract/lib/endpoint'
import { describe, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import { createKioskToken } from './fixtures.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const student = await server.createStudent(sensei)
const guardian = await server.createGuardian(sensei, [student])
const kiosk = await createKioskToken(server.db, sensei)
const ids = {
  student: student.id,
  guardian: guardian.id,
  instructor: sensei.id,
  'super-admin': (await server.signInSuperAdmin()).id,
}

const createToken = async (role: CallerRole) =>
  role === 'kiosk' ? kiosk : server.db.withoutDojo((tx) => openSession(tx, ids[role]))
/** Returns the path with new ids for its parameters. */
const fillPath = (endpoint: Endpoint) => `/api${endpoint.path.replaceAll(/:\w+/g, newId)}`
const isAllowed = ({ access }: Endpoint, role: CallerRole) =>
  access === 'public' || (ROLES_BY_ACCESS[access] as readonly string[]).includes(role)

const INVALID_BODIES = ['{"broken":', '[]', '{"id":{}}', 'null', 'x'.repeat(300 * 1024)]
const BODIES_PER_ENDPOINT = 2
/** The long test run sends all bodies to each endpoint. `npm test` sends two of them, which depend
 *  on the endpoint's index. */
const invalidBodiesFor = (endpoint: Endpoint) =>
  INVALID_BODIES.filter(
    (_, index) =>
      process.env.LONG ||
      (index + endpoints.indexOf(endpoint)) % INVALID_BODIES.length < BODIES_PER_ENDPOINT,
  )
type Reply = { status: number; error: string | undefined }

/** Sends invalid bodies, because a caller without access must not get an error about the body. */
async function sendInvalidBodies(
  endpoint: Endpoint,
  headers: Record<string, string>,
): Promise<Reply[]> {
  const payloads = endpoint.body ? invalidBodiesFor(endpoint) : [undefined]
  return Promise.all(
    payloads.map(async (payload) => {
      const response = await server.http.inject({
        method: endpoint.method,
        url: fillPath(endpoint),
        headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
        ...(payload && { payload }),
      })
      // A successful response may be a file, which is not JSON.
      const isSuccess = response.statusCode === 200
      return {
        status: response.statusCode,
        error: isSuccess ? undefined : response.json().detail,
      }
    }),
  )
}

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  test('has a route', () => {
    expect(server.http.hasRoute({ method: endpoint.method, url: `/api${endpoint.path}` })).toBe(
      true,
    )
  })

  const isPublic = endpoint.access === 'public'
  test('refuses a missing session before it reads the body, unless the call is public', async () => {
    // A public call ignores an invalid token.
    const headers: Record<string, string> = isPublic ? { authorization: 'Bearer dead' } : {}
    for (const reply of await sendInvalidBodies(endpoint, headers)) {
      // 404, because the id in the path does not exist.
      if (isPublic) expect([200, 400, 404, 413, 422]).toContain(reply.status)
      else
        expect(reply).toEqual({
          status: 401,
          error: 'Authentication required. Please log in again.',
        })
    }
  })

  test.each(CALLER_ROLES)(
    'allows or refuses a %s as declared, before it reads the body',
    async (role) => {
      const replies = await sendInvalidBodies(endpoint, {
        authorization: `Bearer ${await createToken(role)}`,
      })
      for (const reply of replies) {
        if (isAllowed(endpoint, role)) expect([401, 403]).not.toContain(reply.status)
        else expect(reply).toEqual({ status: 403, error: 'You are not allowed to do this.' })
      }
    },
  )
})

const allPaths = [...new Set(endpoints.map((endpoint) => endpoint.path))]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

test.each(allPaths)('%s responds with 404 to methods that are not declared', async (path) => {
  const declaredMethods = endpoints
    .filter((endpoint) => endpoint.path === path)
    .map(({ method }) => method as string)
  const url = `/api${path.replaceAll(/:\w+/g, newId)}`
  const otherMethods = METHODS.filter((method) => !declaredMethods.includes(method))
  for (const method of otherMethods) {
    for (const headers of [{}, { authorization: `Bearer ${await createToken('instructor')}` }]) {
      const response = await server.http.inject({ method, url, headers })
      expect([method, response.statusCode, response.json()]).toEqual([
        method,
        404,
        { detail: 'Not found' },
      ])
    }
  }
})

describe('the token of a session', async () => {
  // Uses a new account, because the calls above may have ended the other accounts' sessions.
  const { token: validToken } = await server.createSensei()
  const invalidHeaders: [string, Record<string, string>][] = [
    ['it was never issued', { authorization: `Bearer ${randomBytes(32).toString('base64url')}` }],
    [
      'it is the hash of a token',
      { authorization: 'Bearer 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU' },
    ],
    ['the header is empty', { authorization: '' }],
    ['the header has only a scheme', { authorization: 'Bearer' }],
    ['the header has only a scheme and spaces', { authorization: 'Bearer    ' }],
    ['the scheme is Basic', { authorization: `Basic ${validToken}` }],
    ['the scheme is missing', { authorization: validToken }],
    ['it is very long', { authorization: `Bearer ${'a'.repeat(100_000)}` }],
    [
      'a second token follows it after a space',
      { authorization: `Bearer ${validToken} ${validToken}` },
    ],
    [
      'a second token follows it after a comma',
      { authorization: `Bearer ${validToken}, Bearer ${validToken}` },
    ],
    ['it has Unicode characters', { authorization: 'Bearer жетон🥋' }],
    ['it has a quote', { authorization: `Bearer ${validToken}' or '1'='1` }],
    ['it has a NUL character', { authorization: `Bearer ${validToken}\u0000` }],
    ['it is in a cookie', { cookie: `token=${validToken}` }],
  ]

  test.each(invalidHeaders)('is refused if %s', async (_, headers) => {
    const response = await server.http.inject({ url: '/api/profile', headers })
    expect([response.statusCode, response.json()]).toEqual([
      401,
      { detail: 'Authentication required. Please log in again.' },
    ])
  })

  test('is refused if it is in the URL', async () => {
    expect(
      (await server.http.inject(`/api/profile?token=${validToken}&access_token=${validToken}`))
        .statusCode,
    ).toBe(401)
  })

  test('is read from the first of two headers, and the second is ignored', async () => {
    const url = await server.http.listen({ host: '127.0.0.1', port: 0 })
    const readStatus = (authorizationHeaders: string[]) =>
      new Promise((resolve, reject) => {
        request(
          `${url}/api/profile`,
          {
            headers: [
              'host',
              'tatami',
              ...authorizationHeaders.flatMap((value) => ['authorization', value]),
            ],
          },
          (response) => resolve(response.resume().statusCode),
        )
          .on('error', reject)
          .end()
      })
    expect([
      await readStatus(['Bearer dead', `Bearer ${validToken}`]),
      await readStatus([`Bearer ${validToken}`, 'Bearer dead']),
    ]).toEqual([401, 200])
  })

  test('is accepted if the scheme has capital or small letters', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(
        (
          await server.http.inject({
            url: '/api/profile',
            headers: { authorization: `${scheme} ${validToken}` },
          })
        ).statusCode,
      ).toBe(200)
    }
  })
})
