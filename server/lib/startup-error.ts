/** Why the server does not start, in one line for whoever started it. Anything else thrown at the start is a bug. */
export class StartupError extends Error {
  override name = 'StartupError'
}
