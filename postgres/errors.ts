export type EmbeddedPostgresErrorCode =
  | 'already_running'
  | 'unsupported_platform'
  | 'no_system_user'
  | 'folder_unreachable'
  | 'failed'

/** The message is one line for the person who started the process. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
  readonly code: EmbeddedPostgresErrorCode

  constructor(message: string, code: EmbeddedPostgresErrorCode = 'failed') {
    super(message)
    this.code = code
  }
}
