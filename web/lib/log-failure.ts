import type { Endpoint } from '@tatami/contract/endpoint'
import { ApiError, gotNoAnswer } from './api.ts'

const reasonOf = (error: unknown) =>
  gotNoAnswer(error) ? 'no answer' : error instanceof ApiError ? `status ${error.status}` : error instanceof Error ? error.name : 'unknown'

/** One line on the console: the call and its outcome, without ids, names or the server's words, which may be personal. */
export const logFailure = ({ method, path }: Endpoint, error: unknown) => console.warn(`${method} ${path} failed: ${reasonOf(error)}`)
