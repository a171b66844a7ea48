import { END_REASONS } from '@tatami/contract/accounts/accounts'
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { z } from 'zod'
import type { Request } from './fuzz-requests.ts'
import { canariesIn } from './canaries.ts'
import { schemaError } from './strict-schema.ts'

type Answer = { statusCode: number; payload: string; headers: Record<string, unknown> }

const INTERNAL_WORDS = new RegExp(
  [
    /\bselect\b.*\bfrom\b|insert into|\bupdate\b.*\bset\b|relation "|column "|violates/,
    /syntax|postgres|drizzle|fastify|zod|node_modules|FST_|ECONN|\.ts\b|undefined|\[object|input:|Error\b|JSON at/,
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

/** No reply may be broken, of the wrong shape, reveal internals, or contain rows of another dojo
 *  that the caller may not read. */
export function responseViolations(
  { method }: Request,
  { statusCode, payload, headers }: Answer,
  mayRead: (table: string) => boolean,
  endpoint?: Endpoint,
): string[] {
  const shortAnswer = `${statusCode} ${payload.slice(0, 300)}`
  if (statusCode >= 500) return [`Broken: ${shortAnswer}`]
  const leakedTables = canariesIn(payload)
    .filter((table) => !mayRead(table))
    .map((table) => `Tells words of another dojo's ${table}: ${shortAnswer}`)
  if (statusCode === 304 || method === 'HEAD')
    return payload === '' ? leakedTables : [`Has a body: ${shortAnswer}`]
  const json = parseJson(payload)
  if (statusCode === 200)
    return [...leakedTables, endpoint ? schemaError(endpoint.reply, json) : null].filter(
      (complaint) => complaint !== null,
    )
  const { success, data } = refusal.safeParse(json)
  if (!success) return [`No refusal: ${shortAnswer}`]
  const { detail, errors } = data
  return [
    ...leakedTables,
    ...(INTERNAL_WORDS.test(payload) ? [`Tells of the inside: ${shortAnswer}`] : []),
    ...(statusCode === 422 && errors?.[0]?.message !== detail
      ? [`Does not say what is wrong first: ${shortAnswer}`]
      : []),
    ...(statusCode === 429 && !(Number(headers['retry-after']) > 0)
      ? [`Does not say when to come back: ${shortAnswer}`]
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
