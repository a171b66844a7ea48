import { progressProps } from '../lib/api.ts'

/** For forms that only the server checks. Its messages appear next to the fields. */
export const SERVER_CHECKED_SCHEMA = {
  safeParse: (data: unknown) => ({ success: true as const, data }),
}

export const hasFieldError = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

type Request = Parameters<typeof progressProps>[0]

/** Shows no error for the whole form if a field has one. */
export function serverCheckedProgress(
  form: { errors: object },
  request: Request,
  fallback: string,
) {
  const progress = progressProps(request, fallback)
  return hasFieldError(form) ? { ...progress, error: null } : progress
}
