import { progressOf } from '../lib/api.ts'

/**
 * A schema that accepts everything: the server checks the form, and its messages show beside the
 * fields.
 */
export const UNCHECKED_SCHEMA = { safeParse: (data: unknown) => ({ success: true as const, data }) }

/** The server's message already shows beside a field. */
export const isSaidBesideField = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

export const uncheckedProgressOf = (
  form: { errors: object },
  ...[attempt, fallback]: Parameters<typeof progressOf>
) => {
  const progress = progressOf(attempt, fallback)
  return isSaidBesideField(form) ? { ...progress, error: null } : progress
}
