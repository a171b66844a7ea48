import { progressProps } from '../lib/api.ts'

/** For a form that only the server checks; its messages show beside the fields. */
export const UNCHECKED_SCHEMA = { safeParse: (data: unknown) => ({ success: true as const, data }) }

/** The server's message already shows beside a field. */
export const isSaidBesideField = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

export const uncheckedProgressOf = (
  form: { errors: object },
  ...[attempt, fallback]: Parameters<typeof progressProps>
) => {
  const progress = progressProps(attempt, fallback)
  return isSaidBesideField(form) ? { ...progress, error: null } : progress
}
