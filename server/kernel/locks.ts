/** PostgreSQL's advisory locks are numbers, the same for whoever uses the database; each stands here once. */
export const LOCKS = {
  /** One Tatami holds it on a connection of its own: it goes when its holder goes, however that goes. */
  dataFolder: 7_281_000,
  migration: 7_281_001,
  firstSuperAdmin: 7_281_002,
} as const
