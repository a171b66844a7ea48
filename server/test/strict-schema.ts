import { z } from 'zod'

/** Returns the same schema, except that its objects refuse unknown fields. */
function makeStrict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return makeStrict(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) return makeStrict(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodArray) return z.array(makeStrict(schema.element as z.ZodType))
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(
        Object.entries(schema.shape).map(([name, field]) => [name, makeStrict(field as z.ZodType)]),
      ),
    )
  return schema
}

/** Describes missing, extra and wrong fields of a reply. Null if it matches the schema exactly. */
export const schemaError = (schema: z.ZodType, reply: unknown): string | null => {
  const { error } = makeStrict(schema).safeParse(reply)
  return error ? z.prettifyError(error) : null
}
