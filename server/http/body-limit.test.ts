import { endpoints } from '@tatami/contract/api'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createKioskToken } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { newId } from '../db/columns.ts'
import { BODY_LIMIT_BYTES, computeBodyLimit } from './body-limit.ts'

const server = await startTestServer()
const superAdmin = await server.signInSuperAdmin()
const instructor = await server.createSensei()
const student = await server.createStudent(instructor)
const kioskToken = await createKioskToken(server.db, instructor)
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const namedWriteCalls = endpoints
  .filter(({ method }) => method !== 'GET')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const chooseToken = ({ access }: Endpoint) => {
  if (access === 'kiosk') return kioskToken
  if (access === 'student') return student.token
  return access === 'super-admin' ? superAdmin.token : instructor.token
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

type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  maxLength?: number
  maxItems?: number
  items?: JsonSchema
} & {
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}
const pickLongest = (texts: string[]) => texts.toSorted((a, b) => b.length - a.length)[0]!

/** Returns the longest JSON that a schema allows. Six bytes encode each character of a string. */
function createLongestJson(schema: JsonSchema): string {
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices) return pickLongest(choices.map((choice) => JSON.stringify(choice)))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return pickLongest(alternatives.map(createLongestJson))
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([name, field]) => `"${name}":${createLongestJson(field)}`,
    )
    return `{${fields.join(',')}}`
  }
  if (schema.type === 'array') return createLongestArray(schema)
  if (schema.format === 'uuid') return `"${newId()}"`
  if (schema.format === 'date') return '"2015-03-01"'
  if (schema.type === 'string') return `"${'\\u0061'.repeat(schema.maxLength ?? 8)}"`
  return 'false'
}
function createLongestArray({ items = {}, maxItems = 7 }: JsonSchema): string {
  const elements = Array.from({ length: maxItems }, () => createLongestJson(items))
  return `[${elements.join(',')}]`
}

const createLongestBody = (schema: z.ZodType) =>
  createLongestJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

test.each(namedWriteCalls)(
  '%s accepts the longest body that its schema allows and refuses a longer one',
  async (_, endpoint) => {
    const limit = computeBodyLimit(endpoint)
    if (endpoint.body && !endpoint.maxBodyBytes) {
      const body = createLongestBody(endpoint.body)
      const issues = endpoint.body.safeParse(JSON.parse(body)).error?.issues ?? []
      expect(issues.filter(({ code }) => code.startsWith('too_'))).toEqual([])
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limit)
      // A computed limit is only a little larger than the longest body.
      if (limit > BODY_LIMIT_BYTES) expect(Buffer.byteLength(body)).toBeGreaterThan(limit * 0.8)
    }
    const { statusCode, payload } = await send(endpoint, ' '.repeat(limit + 1))
    expect([statusCode, JSON.parse(payload)]).toEqual([413, { detail: 'The request is too large' }])
    if (!endpoint.body) return
    const responseAtLimit = await send(endpoint, `${' '.repeat(limit - 2)}[]`)
    expect([413, 500]).not.toContain(responseAtLimit.statusCode)
  },
)

test('throws if a schema has no maximum length', () => {
  expect(() => computeBodyLimit({ body: z.object({ names: z.array(z.string().max(5)) }) })).toThrow(
    'The schema sets no maximum length',
  )
})
