import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { z } from 'zod'

/** The least that every call may send. It leaves room for indentation and for unknown fields. */
export const BODY_LIMIT_BYTES = 16 * 1024
/** The longest form of a character in JSON is an escape sequence, such as \u00e9. */
const BYTES_PER_CHARACTER = 6
const BYTES_PER_NUMBER = 32
const BYTES_PER_BOOLEAN = 'false'.length
const BYTES_FOR_PUNCTUATION = 4
const DEFAULT_MAX_LENGTH = 200
const MAX_LENGTH_BY_FORMAT: Record<string, number> = { uuid: 36, date: 10, 'date-time': 40 }

/** The limit of a call's body. Its schema may allow more than `BODY_LIMIT_BYTES`. */
export const bodyLimitOf = ({
  body,
  maxBodyBytes,
}: Pick<Endpoint, 'body' | 'maxBodyBytes'>): number =>
  maxBodyBytes ??
  Math.max(
    BODY_LIMIT_BYTES,
    body ? maxBytesOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema) : 0,
  )

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

function maxBytesOf(schema: Schema): number {
  const { type, properties = {}, items = {}, maxItems = items.enum?.length } = schema
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (choices) return maxBytesOfChoices(choices) + BYTES_FOR_PUNCTUATION
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return Math.max(...alternatives.map(maxBytesOf))
  if (type === 'object') {
    const sizes = Object.entries(properties).map(
      ([name, field]) => name.length + BYTES_FOR_PUNCTUATION + maxBytesOf(field),
    )
    return sizes.reduce((sum, size) => sum + size, BYTES_FOR_PUNCTUATION)
  }
  if (type === 'array' && maxItems !== undefined)
    return maxItems * maxBytesOf(items) + BYTES_FOR_PUNCTUATION
  if (type === 'string') return maxBytesOfString(schema) + BYTES_FOR_PUNCTUATION
  const types = [type].flat().map((typeName) => typeName ?? '')
  if (types.every((typeName) => typeName === 'boolean' || typeName === 'null'))
    return BYTES_PER_BOOLEAN
  if (types.every((typeName) => SCALARS.includes(typeName))) return BYTES_PER_NUMBER
  throw new Error(`The schema sets no maximum length: ${JSON.stringify(schema).slice(0, 200)}`)
}

const maxBytesOfChoices = (choices: unknown[]) =>
  Math.max(...choices.map((choice) => Buffer.byteLength(String(choice))))

const maxBytesOfString = ({ format = '', maxLength = DEFAULT_MAX_LENGTH }: Schema) =>
  MAX_LENGTH_BY_FORMAT[format] ?? maxLength * BYTES_PER_CHARACTER
