/** No connection can be made: the database is down, full, or refuses this server. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** The driver's own error, which Drizzle wraps; {} for anything that is no error. */
export const driverError = (error: unknown): Partial<Error> & { code?: unknown } =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : {}

/** PostgreSQL's five-character code, '' for anything else. */
export function sqlState(error: unknown): string {
  const { code } = driverError(error)
  return typeof code === 'string' ? code : ''
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505'
/** A row that is referred to does not exist (any more). */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503'
/** Serialization failure or deadlock: the transaction was rolled back and may be retried. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error))
export const isQueryTimeout = (error: unknown): error is Error =>
  driverError(error).message === 'Query read timeout'

/** The database only reads: a standby, or a primary that has become one. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

const UNAVAILABLE_STATES = /^(08|57P0|53|58|57014$|25P03$)/
const NETWORK_ERRORS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** PostgreSQL may not write to its own files, as on a disk that has become read-only; the same code says that a role lacks a right. */
const isFileRefusal = (error: unknown): boolean =>
  sqlState(error) === '42501' && driverError(error).message?.startsWith('could not ') === true

/** The database is down, full, silent, cut off, only reads or cannot use its disk (53, 58); a statement time-out (57014) and an idle
 *  transaction's end (25P03) count, too. */
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
