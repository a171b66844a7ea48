/** Why the server does not start, in one line. Other errors are bugs. */
export class StartupError extends Error {
  override name = 'StartupError'
}
