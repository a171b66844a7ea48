import { progressOf } from '../lib/api.ts'

/** A form's schema that takes everything: the server checks it, and its words stand beside the fields. */
export const UNCHECKED_SCHEMA = { safeParse: (data: unknown) => ({ success: true as const, data }) }

/** Whether what the server refused stands beside a field, and need not be said once more. */
export const isSaidBesideField = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

/** As progressOf, for an unchecked form. */
export const uncheckedProgressOf = (
  form: { errors: object },
  ...[attempt, fallback]: Parameters<typeof progressOf>
) => {
  const progress = progressOf(attempt, fallback)
  return isSaidBesideField(form) ? { ...progress, error: null } : progress
}
