import { z } from 'zod'

function strictly(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return strictly(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) return strictly(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodArray) return z.array(strictly(schema.element as z.ZodType))
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(
        Object.entries(schema.shape).map(([name, field]) => [name, strictly(field as z.ZodType)]),
      ),
    )
  return schema
}

/** Describes missing, extra or wrong fields of a reply. Null if it matches the schema exactly. */
export const schemaError = (schema: z.ZodType, reply: unknown): string | null => {
  const { error } = strictly(schema).safeParse(reply)
  return error ? z.prettifyError(error) : null
}
