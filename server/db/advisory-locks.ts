/** PostgreSQL identifies advisory locks by numbers, which all users of a database share. */
export const ADVISORY_LOCKS = {
  migration: 7_281_001,
  firstSuperAdmin: 7_281_002,
} as const
