import { z } from 'zod'

type Pick = (value: unknown) => unknown
const asIs: Pick = (value) => value

/** Keeps a schema's fields and drops all others, without validating. */
export function compileReplyFilter(schema: z.ZodType): Pick {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = compileReplyFilter(schema.unwrap() as z.ZodType)
    return inner === asIs
      ? asIs
      : (value) => (value === null || value === undefined ? value : inner(value))
  }
  if (schema instanceof z.ZodArray) {
    const pickElement = compileReplyFilter(schema.element as z.ZodType)
    return pickElement === asIs ? asIs : (value) => (value as unknown[]).map(pickElement)
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(
      ([name, field]) => [name, compileReplyFilter(field as z.ZodType)] as const,
    )
    return (value) => {
      const result: Record<string, unknown> = {}
      for (const [name, pick] of fields)
        result[name] = pick((value as Record<string, unknown>)[name])
      return result
    }
  }
  return asIs
}
