/** The numbers of our PostgreSQL advisory locks, which all programs that use a database share. */
export const ADVISORY_LOCKS = {
  migration: 7_281_001,
  firstSuperAdmin: 7_281_002,
  backup: 7_281_003,
  /** Held while a server decides whether a nightly backup is due. */
  nightlyBackup: 7_281_004,
} as const
