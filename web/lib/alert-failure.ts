import { session } from './session.ts'

/** Shows a browser alert (specification, section 8). Shows none after the session has ended,
 *  because the login page explains that, and the form is kept as a draft. */
export function alertFailure(message: string) {
  if (session.token()) alert(message)
}
