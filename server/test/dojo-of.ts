import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'

/** The dojo of whoever has this account. */
export async function dojoOf(db: Database, accountId: string): Promise<string> {
  const { rows } = await db.withoutDojo((tx) => tx.execute<{ dojo_id: string }>(sql`select dojo_id from accounts where id = ${accountId}`))
  return rows[0]!.dojo_id
}
