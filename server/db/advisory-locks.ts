/** PostgreSQL's advisory locks are numbers, the same for whoever uses the database; each stands here once. */
export const ADVISORY_LOCKS = {
  migration: 7_281_001,
  firstSuperAdmin: 7_281_002,
} as const
