/** An error that the operator can fix. Its message is printed in one line, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
