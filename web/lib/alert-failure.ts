import { session } from './session.ts'

/** Shows the browser's alert (specification, section 8), but not after the session has ended: the
 *  login page then says so, and the form is kept. */
export function alertFailure(message: string) {
  if (session.token()) alert(message)
}
