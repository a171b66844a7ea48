import { progressProps } from '../lib/api.ts'

/** Accepts everything, for forms that only the server checks. */
export const SERVER_CHECKED_SCHEMA = {
  safeParse: (data: unknown) => ({ success: true as const, data }),
}

export const hasFieldError = ({ errors }: { errors: object }): boolean =>
  Object.keys(errors).length > 0

type Request = Parameters<typeof progressProps>[0]

/** If a field shows an error, the form as a whole shows none. */
export function serverCheckedProgress(
  form: { errors: object },
  request: Request,
  fallback: string,
) {
  const progress = progressProps(request, fallback)
  return hasFieldError(form) ? { ...progress, error: null } : progress
}
