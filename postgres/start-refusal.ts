/** Why the server does not start or go on, in one line for whoever started it. Anything else thrown at the start is a bug. */
export class StartRefusal extends Error {
  override name = 'StartRefusal'
}
