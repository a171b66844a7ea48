import { z } from 'zod'

type Filter = (value: unknown) => unknown
const keepValue: Filter = (value) => value

/** Compiles a function that drops unknown fields. It does not validate values, so it is much faster
 *  than parsing. */
export function compileReplyFilter(schema: z.ZodType): Filter {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const filterValue = compileReplyFilter(schema.unwrap() as z.ZodType)
    if (filterValue === keepValue) return keepValue
    return (value) => (value === null || value === undefined ? value : filterValue(value))
  }
  if (schema instanceof z.ZodArray) {
    const filterElement = compileReplyFilter(schema.element as z.ZodType)
    if (filterElement === keepValue) return keepValue
    return (value) => (value as unknown[]).map(filterElement)
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(
      ([name, field]) => [name, compileReplyFilter(field as z.ZodType)] as const,
    )
    return (value) => {
      const result: Record<string, unknown> = {}
      for (const [name, filterField] of fields)
        result[name] = filterField((value as Record<string, unknown>)[name])
      return result
    }
  }
  return keepValue
}
