import { progressProps } from '../lib/api.ts'

/** For forms that only the server checks. Its messages appear next to the fields. */
export const SERVER_CHECKED_SCHEMA = {
  safeParse: (data: unknown) => ({ success: true as const, data }),
}

export const hasFieldError = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

/** Shows no error for the whole form if a field has one. */
export const serverCheckedProgress = (
  form: { errors: object },
  ...[attempt, fallback]: Parameters<typeof progressProps>
) => {
  const progress = progressProps(attempt, fallback)
  return hasFieldError(form) ? { ...progress, error: null } : progress
}
