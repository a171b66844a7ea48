import pg from 'pg'
import { expect } from 'vitest'

/** Resolves when a transaction is waiting for a lock. */
export async function waitForLock(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const waitingQuery =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  try {
    await expect
      .poll(async () => (await admin.query(waitingQuery)).rowCount, { timeout: 10_000 })
      .toBeGreaterThan(0)
  } finally {
    await admin.end()
  }
}
