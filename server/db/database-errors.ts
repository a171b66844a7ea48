export class Unreachable extends Error {
  override name = 'Unreachable'
}

export function driverError(error: unknown): Partial<Error> & { code?: unknown } {
  if (!(error instanceof Error)) return {}
  return error.cause instanceof Error ? error.cause : error
}

/** The error's SQLSTATE code (PostgreSQL manual, appendix A), or Node's code of a network error. */
export function sqlState(error: unknown): string {
  const { code } = driverError(error)
  return typeof code === 'string' ? code : ''
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505'
/** True if a row refers to another row that does not exist or was deleted. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503'
/** True if the caller's role must not write this row. */
export const violatesPolicy = (error: unknown): boolean =>
  sqlState(error) === '42501' &&
  driverError(error).message?.includes('violates row-level security policy') === true
/** True for a serialization failure or deadlock. The transaction was rolled back. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error))
export const isQueryTimeout = (error: unknown): error is Error =>
  driverError(error).message === 'Query read timeout'

/** True if the database is a standby. Before a failover, it may have been the primary. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

const UNAVAILABLE_STATES = /^(08|57P0|53|58|57014$|25P03$)/
const NETWORK_ERRORS = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** True if PostgreSQL cannot write a file. A missing privilege has the same code. */
const isFileError = (error: unknown): boolean =>
  sqlState(error) === '42501' && driverError(error).message?.startsWith('could not ') === true

/** True if the database is down (08, 57P0), silent or read-only, if its disk is full or broken
 *  (53, 58), or if a statement (57014) or an idle transaction (25P03) took too long. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  return (
    error instanceof Unreachable ||
    isQueryTimeout(error) ||
    isReadOnly(error) ||
    isFileError(error) ||
    UNAVAILABLE_STATES.test(state) ||
    NETWORK_ERRORS.has(state) ||
    /Connection terminated|not queryable/i.test(driverError(error).message ?? '')
  )
}
