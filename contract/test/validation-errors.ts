import type { z } from 'zod'

/** What a schema has against a value: the first sentence for each field, by field. */
export function validationErrors(schema: z.ZodType, value: unknown): Record<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? []
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [path.join('.'), message]),
  )
}
