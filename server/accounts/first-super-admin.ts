import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts'
import { createAccount } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { accounts } from './tables.ts'

/** The account created at the first start. `password` is set only when it was generated here. */
type FirstSuperAdmin = { email: string; password?: string }

/** Creates a super admin in a database that has none; null if there is one. */
export async function createFirstSuperAdmin(
  db: Database,
  given: { email?: string | undefined; password?: string | undefined },
): Promise<FirstSuperAdmin | null> {
  const email = given.email?.toLowerCase() ?? 'admin@tatami.local'
  const password = given.password ?? randomBytes(12).toString('base64url')
  return db.withoutDojo(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.firstSuperAdmin})`)
    const [existing] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.role, 'super-admin')).limit(1)
    if (existing) return null
    await createAccount(tx, {
      id: newId(),
      email,
      password_hash: await hashPassword(password),
      role: 'super-admin',
      dojo_id: null,
      is_active: true,
    })
    return given.password ? { email } : { email, password }
  })
}
