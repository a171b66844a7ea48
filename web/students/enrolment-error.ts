import { ApiError, gotNoAnswer } from '../lib/api.ts'

/** Why a student could not be created: the server's words in any of three fields, else its status (specification, section 8). */
export function whyNotCreated(error: unknown): string {
  if (gotNoAnswer(error)) return 'Network error: Unable to connect to server'
  if (error instanceof ApiError) return error.message
  return 'An unexpected error occurred'
}
