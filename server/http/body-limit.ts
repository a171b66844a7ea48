import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { z } from 'zod'

/** No limit is lower than this, which leaves room for indentation and unknown fields. */
export const BODY_LIMIT_BYTES = 16 * 1024
/** The longest form of a character in JSON is an escape sequence, such as \u00e9. */
const BYTES_PER_CHARACTER = 6
const BYTES_PER_NUMBER = 32
const BYTES_PER_BOOLEAN = 'false'.length
const BYTES_FOR_PUNCTUATION = 4
const DEFAULT_MAX_LENGTH = 200
const MAX_LENGTH_BY_FORMAT: Record<string, number> = { uuid: 36, date: 10, 'date-time': 40 }

/** The limit is higher than `BODY_LIMIT_BYTES` if the schema of the body allows more. */
export function computeBodyLimit({
  body,
  maxBodyBytes,
}: Pick<Endpoint, 'body' | 'maxBodyBytes'>): number {
  if (maxBodyBytes !== undefined) return maxBodyBytes
  if (!body) return BODY_LIMIT_BYTES
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema
  return Math.max(BODY_LIMIT_BYTES, computeMaxBytes(schema))
}

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  maxItems?: number
  maxLength?: number
  format?: string
}

const SCALARS = ['boolean', 'number', 'integer', 'null']

function computeMaxBytes(schema: Schema): number {
  const { type, properties = {}, items = {}, maxItems = items.enum?.length } = schema
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices) return computeMaxBytesOfChoices(choices) + BYTES_FOR_PUNCTUATION
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return Math.max(...alternatives.map(computeMaxBytes))
  if (type === 'object') {
    const sizes = Object.entries(properties).map(
      ([name, field]) => name.length + BYTES_FOR_PUNCTUATION + computeMaxBytes(field),
    )
    return sizes.reduce((sum, size) => sum + size, BYTES_FOR_PUNCTUATION)
  }
  if (type === 'array' && maxItems !== undefined)
    return maxItems * computeMaxBytes(items) + BYTES_FOR_PUNCTUATION
  if (type === 'string') return computeMaxBytesOfString(schema) + BYTES_FOR_PUNCTUATION
  const types = [type].flat().map((typeName) => typeName ?? '')
  if (types.every((typeName) => typeName === 'boolean' || typeName === 'null'))
    return BYTES_PER_BOOLEAN
  if (types.every((typeName) => SCALARS.includes(typeName))) return BYTES_PER_NUMBER
  throw new Error(`The schema sets no maximum length: ${JSON.stringify(schema).slice(0, 200)}`)
}

const computeMaxBytesOfChoices = (choices: unknown[]) =>
  Math.max(...choices.map((choice) => Buffer.byteLength(String(choice))))

const computeMaxBytesOfString = ({ format = '', maxLength = DEFAULT_MAX_LENGTH }: Schema) =>
  MAX_LENGTH_BY_FORMAT[format] ?? maxLength * BYTES_PER_CHARACTER
