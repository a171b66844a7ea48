import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { newId } from '../db/columns.ts'
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts'
import { auditAction } from '../audit/audit.ts'
import { findAccountByEmail, changePasswordHash, createAccount } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { removeSecondFactors } from './second-factor.ts'
import { endSessionsOfAccount } from './sessions.ts'
import { accounts } from './tables.ts'

type SuperAdminCredentials = { email: string; password?: string }

const generatePassword = () => randomBytes(12).toString('base64url')

/** Creates a super admin if there is none. Returns the password only if it was generated. */
export async function createFirstSuperAdmin(
  db: Database,
  settings: { email?: string | undefined; password?: string | undefined },
): Promise<SuperAdminCredentials | null> {
  const email = settings.email?.toLowerCase() ?? 'admin@tatami.local'
  const password = settings.password ?? generatePassword()
  return db.withoutDojo(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.firstSuperAdmin})`)
    const [existingAdmin] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.role, 'super-admin'))
      .limit(1)
    if (existingAdmin) return null
    await createAccount(tx, {
      id: newId(),
      email,
      password_hash: await hashPassword(password),
      role: 'super-admin',
      dojo_id: null,
      is_active: true,
    })
    return settings.password ? { email } : { email, password }
  })
}

/** Ends sessions, removes second factors and returns a new password, which the super admin must
 *  replace at the next sign-in. Returns null if no super admin has this email. */
export async function recoverSuperAdmin(db: Database, email: string): Promise<string | null> {
  const password = generatePassword()
  const password_hash = await hashPassword(password)
  return db.withoutDojo(async (tx) => {
    const account = await findAccountByEmail(tx, email)
    if (account?.role !== 'super-admin') return null
    await changePasswordHash(tx, account.id, password_hash, { mustChange: true })
    await removeSecondFactors(tx, account.id)
    await endSessionsOfAccount(tx, account.id, 'password-reset')
    await auditAction(tx, { id: account.id, dojoId: null }, 'super admin recovered', {
      subject_id: account.id,
    })
    return password
  })
}
