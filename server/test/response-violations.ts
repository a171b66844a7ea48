import { END_REASONS } from '@tatami/contract/accounts/accounts'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { z } from 'zod'
import type { Request } from './fuzz-requests.ts'
import { findCanaryTables } from './canaries.ts'
import { schemaError } from './strict-schema.ts'

type Response = { statusCode: number; payload: string; headers: Record<string, unknown> }

const TECHNICAL_WORDS = new RegExp(
  [
    /\bselect\b.*\bfrom\b|insert into|\bupdate\b.*\bset\b|relation "|column "|violates/,
    /syntax|postgres|drizzle|fastify|zod|node_modules|FST_|ECONN/,
    /\.ts\b|undefined|\[object|input:|Error\b|JSON at/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
const refusal = z.strictObject({
  detail: z.string().min(1),
  errors: z
    .array(z.strictObject({ field: z.string(), message: z.string() }))
    .min(1)
    .optional(),
  reason: z.enum(END_REASONS).optional(),
})

/** Returns what is wrong with a response: a server error, the wrong shape, technical details or
 *  data of another dojo. `mayRead` returns true for tables that the caller may read for every
 *  dojo. */
export function findViolations(
  { method }: Request,
  { statusCode, payload, headers }: Response,
  mayRead: (table: string) => boolean,
  endpoint?: Endpoint,
): string[] {
  const shortResponse = `${statusCode} ${payload.slice(0, 300)}`
  if (statusCode >= 500) return [`Server error: ${shortResponse}`]
  const leaks = findCanaryTables(payload)
    .filter((table) => !mayRead(table))
    .map((table) => `Contains data of another dojo's ${table}: ${shortResponse}`)
  if (statusCode === 304 || method === 'HEAD')
    return payload === '' ? leaks : [`Has a body: ${shortResponse}`]
  const json = parseJson(payload)
  if (statusCode === 200)
    return [...leaks, endpoint ? schemaError(endpoint.reply, json) : null].filter(
      (violation) => violation !== null,
    )
  const { success, data } = refusal.safeParse(json)
  if (!success) return [`Not an error response: ${shortResponse}`]
  const { detail, errors } = data
  return [
    ...leaks,
    ...(TECHNICAL_WORDS.test(payload) ? [`Reveals technical details: ${shortResponse}`] : []),
    ...(statusCode === 422 && errors?.[0]?.message !== detail
      ? [`The first error is not in the detail: ${shortResponse}`]
      : []),
    ...(statusCode === 429 && !(Number(headers['retry-after']) > 0)
      ? [`Has no Retry-After: ${shortResponse}`]
      : []),
  ]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
