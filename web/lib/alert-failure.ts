import { session } from './session.ts'

/** The browser's alert (specification, section 8). If the session has ended, the login page that
 *  now shows says so, and the failed form is kept. */
export function alertFailure(message: string) {
  if (session.token()) alert(message)
}
