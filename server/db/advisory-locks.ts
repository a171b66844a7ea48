/** Lock numbers are shared by all users of a database. */
export const ADVISORY_LOCKS = {
  migration: 7_281_001,
  firstSuperAdmin: 7_281_002,
  backup: 7_281_003,
  /** Serialises the decision whether a nightly backup is due. */
  nightlyBackup: 7_281_004,
} as const
