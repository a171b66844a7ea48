import { z } from 'zod'

/** What every call may send: room for spaces, and for fields that are ignored. */
export const BODY_LIMIT_BYTES = 16 * 1024
/** JSON may write a character of a text as \uXXXX. */
const BYTES_A_CHARACTER = 6
const BYTES_A_NUMBER = 32
/** Quotes, a comma and the like. */
const BYTES_AROUND = 4
/** A text whose only rule is a pattern is short. */
const LONGEST_UNSAID = 200
const LONGEST_OF_FORMAT: Record<string, number> = { uuid: 36, date: 10, 'date-time': 40 }

/** How many bytes the body of a call may have: more than BODY_LIMIT_BYTES only where its schema takes more. */
export const bodyLimitOf = (schema: z.ZodType | undefined): number =>
  Math.max(BODY_LIMIT_BYTES, schema ? longest(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape) : 0)

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

const highest = <T>(some: T[], size: (one: T) => number) => Math.max(...some.map(size))

/** How many bytes of JSON the schema takes at most. */
function longest(shape: Shape): number {
  const { type, properties = {}, items = {}, maxItems = items.enum?.length, maxLength, format = '' } = shape
  const choices = shape.enum ?? (shape.const === undefined ? undefined : [shape.const])
  if (choices) return highest(choices, (choice) => Buffer.byteLength(String(choice))) + BYTES_AROUND
  const others = shape.anyOf ?? shape.oneOf
  if (others) return highest(others, longest)
  if (type === 'object') {
    const sizes = Object.entries(properties).map(([name, field]) => name.length + BYTES_AROUND + longest(field))
    return sizes.reduce((sum, size) => sum + size, BYTES_AROUND)
  }
  if (type === 'array' && maxItems !== undefined) return maxItems * longest(items) + BYTES_AROUND
  if (type === 'string') return (LONGEST_OF_FORMAT[format] ?? (maxLength ?? LONGEST_UNSAID) * BYTES_A_CHARACTER) + BYTES_AROUND
  if ([type].flat().every((one) => ['boolean', 'number', 'integer', 'null'].includes(one ?? ''))) return BYTES_A_NUMBER
  throw new Error(`How long may this be? ${JSON.stringify(shape).slice(0, 200)}`)
}
