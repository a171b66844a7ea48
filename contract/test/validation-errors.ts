import type { z } from 'zod'

/** The errors of a value by field, with the first message of each field. */
export function validationErrors(schema: z.ZodType, value: unknown): Record<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? []
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [path.join('.'), message]),
  )
}
