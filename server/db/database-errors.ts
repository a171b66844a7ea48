export class Unreachable extends Error {
  override name = 'Unreachable'
}

export const driverError = (error: unknown): Partial<Error> & { code?: unknown } =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : {}

export function sqlState(error: unknown): string {
  const { code } = driverError(error)
  return typeof code === 'string' ? code : ''
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505'
/** The referenced row does not exist (any more). */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503'
/** Serialization failure or deadlock: rolled back, may be retried. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error))
export const isQueryTimeout = (error: unknown): error is Error =>
  driverError(error).message === 'Query read timeout'

/** The database is a standby, or has become one. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

const UNAVAILABLE_STATES = /^(08|57P0|53|58|57014$|25P03$)/
const NETWORK_ERRORS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** PostgreSQL cannot write its files, as on a read-only disk; missing privileges have the same
 *  code. */
const isFileRefusal = (error: unknown): boolean =>
  sqlState(error) === '42501' && driverError(error).message?.startsWith('could not ') === true

/** The database is down, full, silent, read-only or has disk trouble (53, 58). Statement time-outs
 *  (57014) and ended idle transactions (25P03) count, too. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  return (
    error instanceof Unreachable ||
    isQueryTimeout(error) ||
    isReadOnly(error) ||
    isFileRefusal(error) ||
    UNAVAILABLE_STATES.test(state) ||
    NETWORK_ERRORS.has(state) ||
    /Connection terminated|not queryable/i.test(driverError(error).message ?? '')
  )
}
