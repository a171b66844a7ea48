import { endpoints } from '@tatami/contract/api'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createKioskToken } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { newId } from '../db/columns.ts'
import { BODY_LIMIT_BYTES, bodyLimitOf } from './body-limit.ts'

const server = await startTestServer()
const people = {
  'super-admin': await server.signInSuperAdmin(),
  instructor: await server.createSensei(),
}
const { token } = await server.createStudent(people.instructor)
const kiosk = await createKioskToken(server.db, people.instructor)
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const namedWriteCalls = endpoints
  .filter(({ method }) => method !== 'GET')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const chooseToken = ({ access }: Endpoint) => {
  if (access === 'kiosk') return kiosk
  if (access === 'student') return token
  return access === 'super-admin' ? people['super-admin'].token : people.instructor.token
}

const send = (endpoint: Endpoint, payload: string) =>
  server.http.inject({
    method: endpoint.method,
    url: `/api${endpoint.path.replaceAll(/:\w+/g, UNKNOWN_ID)}`,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${chooseToken(endpoint)}`,
    },
    payload,
  })

type Shape = {
  type?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  maxLength?: number
  maxItems?: number
  items?: Shape
} & {
  properties?: Record<string, Shape>
  anyOf?: Shape[]
  oneOf?: Shape[]
}
const pickLongest = (texts: string[]) => texts.toSorted((a, b) => b.length - a.length)[0]!

/** The longest JSON that a schema allows. Each character of a string is written as six bytes. */
function longestJson(shape: Shape): string {
  const choices = shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
  if (choices) return pickLongest(choices.map((choice) => JSON.stringify(choice)))
  const alternatives = shape.anyOf ?? shape.oneOf
  if (alternatives) return pickLongest(alternatives.map(longestJson))
  if (shape.type === 'object')
    return `{${Object.entries(shape.properties ?? {})
      .map(([name, field]) => `"${name}":${longestJson(field)}`)
      .join(',')}}`
  if (shape.type === 'array') return longestArray(shape)
  if (shape.format === 'uuid') return `"${newId()}"`
  if (shape.format === 'date') return '"2015-03-01"'
  if (shape.type === 'string') return `"${'\\u0061'.repeat(shape.maxLength ?? 8)}"`
  return 'false'
}
function longestArray({ items = {}, maxItems = 7 }: Shape): string {
  const elements = Array.from({ length: maxItems }, () => longestJson(items))
  return `[${elements.join(',')}]`
}

const longestBody = (schema: z.ZodType) =>
  longestJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)

test.each(namedWriteCalls)(
  '%s accepts the longest body that its schema allows and refuses a longer one',
  async (_, endpoint) => {
    const limit = bodyLimitOf(endpoint)
    if (endpoint.body && !endpoint.maxBodyBytes) {
      const body = longestBody(endpoint.body)
      expect(
        endpoint.body
          .safeParse(JSON.parse(body))
          .error?.issues.filter(({ code }) => code.startsWith('too_')) ?? [],
      ).toEqual([])
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limit)
      // A computed limit is only a little larger than the longest body.
      if (limit > BODY_LIMIT_BYTES) expect(Buffer.byteLength(body)).toBeGreaterThan(limit * 0.8)
    }
    const { statusCode, payload } = await send(endpoint, ' '.repeat(limit + 1))
    expect([statusCode, JSON.parse(payload)]).toEqual([413, { detail: 'The request is too large' }])
    if (!endpoint.body) return
    const fittingResponse = await send(endpoint, `${' '.repeat(limit - 2)}[]`)
    expect([413, 500]).not.toContain(fittingResponse.statusCode)
  },
)

test('a schema without a maximum length is an error', () => {
  expect(() => bodyLimitOf({ body: z.object({ names: z.array(z.string().max(5)) }) })).toThrow(
    'The schema sets no maximum length',
  )
})
