import { endpoints } from '@tatami/contract/api'
import { ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { expect, test } from 'vitest'
import { computeBodyLimit } from '../http/body-limit.ts'
import { createKioskToken } from './fixtures.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const student = await server.createStudent(sensei)
const TOKENS = {
  instructor: sensei.token,
  student: student.token,
  guardian: (await server.createGuardian(sensei, [student])).token,
  'super-admin': (await server.signInSuperAdmin()).token,
  kiosk: await createKioskToken(server.db, sensei),
}

const NESTED_BODIES: [name: string, createBody: (length: number) => string][] = [
  ['lists that never close', (length) => '['.repeat(length)],
  ['lists within lists', (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`],
  ['objects within objects', (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`],
]

test.each(NESTED_BODIES)(
  'no call crashes on a body of %s that is as long as the size limit allows',
  async (_, createBody) => {
    const failures: string[] = []
    for (const endpoint of endpoints.filter((call) => call.body)) {
      const { method, path, access } = endpoint
      const token = access === 'public' ? undefined : TOKENS[ROLES_BY_ACCESS[access][0]]
      const { statusCode } = await server.http.inject({
        method,
        url: `/api${path.replaceAll(/:\w+/g, student.id)}`,
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        payload: createBody(computeBodyLimit(endpoint) - 10),
      })
      // An object with only an unknown field counts as an empty form, which changes nothing.
      if (statusCode >= 500) failures.push(`${method} ${path}: ${statusCode}`)
    }
    expect(failures).toEqual([])
  },
)
