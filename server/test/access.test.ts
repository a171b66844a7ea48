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

const tokenOf = async (role: CallerRole) =>
  role === 'kiosk' ? kiosk : server.db.withoutDojo((tx) => openSession(tx, ids[role]))
const path = (endpoint: Endpoint) => `/api${endpoint.path.replaceAll(/:\w+/g, newId)}`
const admits = ({ access }: Endpoint, role: CallerRole) =>
  access === 'public' || (ROLES_BY_ACCESS[access] as readonly string[]).includes(role)

const GARBAGE = ['{"broken":', '[]', '{"id":{}}', 'null', 'x'.repeat(300 * 1024)]
/** Two kinds in `npm test`, chosen by the call's number. */
const garbageFor = (endpoint: Endpoint) =>
  GARBAGE.filter(
    (_, number) => process.env.LONG || (number + endpoints.indexOf(endpoint)) % GARBAGE.length < 2,
  )
/** An invalid body. A refused caller must not get an error about it. */
async function call(endpoint: Endpoint, headers: Record<string, string>) {
  const payloads = endpoint.body ? garbageFor(endpoint) : [undefined]
  return Promise.all(
    payloads.map(async (payload) => {
      const answer = await server.http.inject({
        method: endpoint.method,
        url: path(endpoint),
        headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
        ...(payload && { payload }),
      })
      // Files are not JSON.
      return [
        answer.statusCode,
        answer.statusCode === 200 ? undefined : answer.json().detail,
      ] as const
    }),
  )
}

describe.each(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)('%s', (_, endpoint) => {
  test('is mounted', () => {
    expect(server.http.hasRoute({ method: endpoint.method, url: `/api${endpoint.path}` })).toBe(
      true,
    )
  })

  const isPublic = endpoint.access === 'public'
  test('refuses strangers before it reads the body, unless the call is public', async () => {
    for (const answer of await call(endpoint, isPublic ? { authorization: 'Bearer dead' } : {})) {
      // 404, because the id in the path does not exist.
      if (isPublic) expect([200, 400, 404, 413, 422]).toContain(answer[0])
      else expect(answer).toEqual([401, 'Authentication required. Please log in again.'])
    }
  })

  test.each(CALLER_ROLES)(
    'admits or refuses a %s as declared, before it reads the body',
    async (role) => {
      const answers = await call(endpoint, { authorization: `Bearer ${await tokenOf(role)}` })
      for (const answer of answers) {
        if (admits(endpoint, role)) expect([401, 403]).not.toContain(answer[0])
        else expect(answer).toEqual([403, 'You are not allowed to do this.'])
      }
    },
  )
})

const paths = [...new Set(endpoints.map((endpoint) => endpoint.path))]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

test.each(paths)('%s does not exist for any other method', async (knownPath) => {
  const declaredMethods = endpoints
    .filter((endpoint) => endpoint.path === knownPath)
    .map(({ method }) => method as string)
  const url = `/api${knownPath.replaceAll(/:\w+/g, newId)}`
  for (const method of METHODS.filter(
    (undeclaredMethod) => !declaredMethods.includes(undeclaredMethod),
  )) {
    for (const headers of [{}, { authorization: `Bearer ${await tokenOf('instructor')}` }]) {
      const answer = await server.http.inject({ method, url, headers })
      expect([method, answer.statusCode, answer.json()]).toEqual([
        method,
        404,
        { detail: 'Not found' },
      ])
    }
  }
})

describe('a malformed token', async () => {
  // An earlier call has ended all other sessions of this account.
  const { token: good } = await server.createSensei()
  const odd: [string, Record<string, string>][] = [
    ['never handed out', { authorization: `Bearer ${randomBytes(32).toString('base64url')}` }],
    [
      'the hash instead of the token',
      { authorization: 'Bearer 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU' },
    ],
    ['nothing', { authorization: '' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['a scheme and spaces', { authorization: 'Bearer    ' }],
    ['another scheme', { authorization: `Basic ${good}` }],
    ['no scheme', { authorization: good }],
    ['very long', { authorization: `Bearer ${'a'.repeat(100_000)}` }],
    ['with something after it', { authorization: `Bearer ${good} ${good}` }],
    ['with a comma and another', { authorization: `Bearer ${good}, Bearer ${good}` }],
    ['in Unicode', { authorization: 'Bearer жетон🥋' }],
    ['with a quote', { authorization: `Bearer ${good}' or '1'='1` }],
    ['with a NUL', { authorization: `Bearer ${good}\u0000` }],
    ['in a cookie', { cookie: `token=${good}` }],
  ]

  test.each(odd)('%s: 401', async (_, headers) => {
    const answer = await server.http.inject({ url: '/api/profile', headers })
    expect([answer.statusCode, answer.json()]).toEqual([
      401,
      { detail: 'Authentication required. Please log in again.' },
    ])
  })

  test('in the address: 401', async () => {
    expect(
      (await server.http.inject(`/api/profile?token=${good}&access_token=${good}`)).statusCode,
    ).toBe(401)
  })

  test('twice: the first one counts', async () => {
    const address = await server.http.listen({ host: '127.0.0.1', port: 0 })
    const status = (authorization: string[]) =>
      new Promise((resolve, reject) => {
        request(
          `${address}/api/profile`,
          {
            headers: [
              'host',
              'tatami',
              ...authorization.flatMap((value) => ['authorization', value]),
            ],
          },
          (answer) => resolve(answer.resume().statusCode),
        )
          .on('error', reject)
          .end()
      })
    expect([
      await status(['Bearer dead', `Bearer ${good}`]),
      await status([`Bearer ${good}`, 'Bearer dead']),
    ]).toEqual([401, 200])
  })

  test('a valid token is accepted, whatever the case of its scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect(
        (
          await server.http.inject({
            url: '/api/profile',
            headers: { authorization: `${scheme} ${good}` },
          })
        ).statusCode,
      ).toBe(200)
    }
  })
})
