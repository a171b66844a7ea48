import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { z } from 'zod'

/** Allowed for every call: room for white space and ignored fields. */
export const BODY_LIMIT_BYTES = 16 * 1024
const BYTES_PER_CHARACTER = 6
const BYTES_PER_NUMBER = 32
const BYTES_PER_BOOLEAN = 'false'.length
const BYTES_FOR_PUNCTUATION = 4
const DEFAULT_MAX_LENGTH = 200
const MAX_LENGTH_BY_FORMAT: Record<string, number> = { uuid: 36, date: 10, 'date-time': 40 }

/** More than BODY_LIMIT_BYTES only if the schema or the call needs it. */
export const bodyLimitOf = ({
  body,
  maxBodyBytes,
}: Pick<Endpoint, 'body' | 'maxBodyBytes'>): number =>
  maxBodyBytes ??
  Math.max(
    BODY_LIMIT_BYTES,
    body ? longest(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Shape) : 0,
  )

type Shape = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  properties?: Record<string, Shape>
  items?: Shape
  maxItems?: number
  maxLength?: number
  format?: string
}

const highest = <T>(items: T[], size: (one: T) => number) => Math.max(...items.map(size))

function longest(shape: Shape): number {
  const {
    type,
    properties = {},
    items = {},
    maxItems = items.enum?.length,
    maxLength,
    format = '',
  } = shape
  const choices = shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
  if (choices)
    return highest(choices, (choice) => Buffer.byteLength(String(choice))) + BYTES_FOR_PUNCTUATION
  const alternatives = shape.anyOf ?? shape.oneOf
  if (alternatives) return highest(alternatives, longest)
  if (type === 'object') {
    const sizes = Object.entries(properties).map(
      ([name, field]) => name.length + BYTES_FOR_PUNCTUATION + longest(field),
    )
    return sizes.reduce((sum, size) => sum + size, BYTES_FOR_PUNCTUATION)
  }
  if (type === 'array' && maxItems !== undefined)
    return maxItems * longest(items) + BYTES_FOR_PUNCTUATION
  if (type === 'string')
    return (
      (MAX_LENGTH_BY_FORMAT[format] ?? (maxLength ?? DEFAULT_MAX_LENGTH) * BYTES_PER_CHARACTER) +
      BYTES_FOR_PUNCTUATION
    )
  const types = [type].flat()
  if (types.every((typeName) => typeName === 'boolean' || typeName === 'null'))
    return BYTES_PER_BOOLEAN
  if (types.every((typeName) => ['boolean', 'number', 'integer', 'null'].includes(typeName ?? '')))
    return BYTES_PER_NUMBER
  throw new Error(`How long may this be? ${JSON.stringify(shape).slice(0, 200)}`)
}
