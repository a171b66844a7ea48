/** PostgreSQL identifies advisory locks by numbers, which all users of a database share. */
export const ADVISORY_LOCKS = {
  migration: 7_281_001,
  firstSuperAdmin: 7_281_002,
  /** Shared by backups; a migration waits for them. */
  backup: 7_281_003,
  /** Held while it is decided whether a nightly backup is due. */
  nightlyBackup: 7_281_004,
} as const
