import { progressProps } from '../lib/api.ts'

/** For forms that only the server checks. Its messages appear next to the fields. */
export const SERVER_CHECKED_SCHEMA = {
  safeParse: (data: unknown) => ({ success: true as const, data }),
}

/** True if a field already shows the server's message */
export const hasFieldError = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

/** Like `progressProps`, but without an error that a field already shows */
export const serverCheckedProgress = (
  form: { errors: object },
  ...[attempt, fallback]: Parameters<typeof progressProps>
) => {
  const progress = progressProps(attempt, fallback)
  return hasFieldError(form) ? { ...progress, error: null } : progress
}
