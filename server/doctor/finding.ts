/** The doctor prints `says` after the name of the check, and `remedy` on the next line. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'problem'
  says: string
  remedy?: string
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says })
export const warning = (check: string, says: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  says,
  remedy,
})
export const problem = (check: string, says: string, remedy: string): Finding => ({
  check,
  state: 'problem',
  says,
  remedy,
})

export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

export function errorCodeOf(error: unknown): string {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  const innerError = cause ?? errors?.[0]
  return innerError ? errorCodeOf(innerError) : ''
}
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
