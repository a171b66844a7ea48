import type { Role } from '@tatami/contract/lib/endpoint'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isUniqueViolation } from '../db/database-errors.ts'
import { equalsAny } from '../db/bulk.ts'
import { Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { senseiDirectory } from '../sensei/tables.ts'
import { accounts, passwordResets, signInAddresses } from './tables.ts'

export type Account = typeof accounts.$inferSelect
type NewAccount = {
  id: string
  email: string
  password_hash: string
  role: Role
  dojo_id: string | null
  is_active: boolean
}

const EMAIL_TAKEN = 'An account with this email already exists'

/** Returns an error handler that throws 409 if an account of any dojo already has the email. */
const refuseTakenEmail =
  (message = EMAIL_TAKEN) =>
  (error: unknown): never => {
    throw isUniqueViolation(error) ? new Refusal(409, message) : error
  }

export const createAccount = (tx: Tx, account: NewAccount, advice?: string) =>
  tx
    .insert(accounts)
    .values(account)
    .catch(refuseTakenEmail(advice && `${EMAIL_TAKEN}. ${advice}`))

/** The dojo's tables have copies of the email. A foreign key updates them. */
export async function changeEmail(tx: Tx, id: string, email: string): Promise<void> {
  await tx.update(accounts).set({ email }).where(eq(accounts.id, id)).catch(refuseTakenEmail())
  await endResetLinks(tx, id)
}

/** `mustChange` is true if somebody else set the password. The account's owner must then choose
 *  another one at the next sign-in. */
export async function changePasswordHash(
  tx: Tx,
  id: string,
  password_hash: string,
  { mustChange = false } = {},
): Promise<void> {
  await tx
    .update(accounts)
    .set({ password_hash, must_change_password: mustChange })
    .where(eq(accounts.id, id))
  // Wrong guesses of the old password no longer count.
  await tx
    .update(signInAddresses)
    .set({ failures: 0, failures_since: null })
    .where(and(eq(signInAddresses.account_id, id), gt(signInAddresses.failures, 0)))
  await endResetLinks(tx, id)
}

/** A reset link that was sent before the change, perhaps to the old email, must not undo it. */
const endResetLinks = (tx: Tx, id: string) =>
  tx.delete(passwordResets).where(eq(passwordResets.account_id, id))

export const deleteAccount = (tx: Tx, id: string) => tx.delete(accounts).where(eq(accounts.id, id))

export async function findAccountByEmail(tx: Tx, email: string): Promise<Account | null> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.email, email))
  return account ?? null
}

export const findAccountsByEmail = (tx: Tx, emails: string[]): Promise<Account[]> =>
  tx.select().from(accounts).where(equalsAny(accounts.email, emails))

export async function findAccountById(tx: Tx, id: string, lock?: 'share'): Promise<Account | null> {
  const query = tx.select().from(accounts).where(eq(accounts.id, id))
  const [account] = await (lock ? query.for(lock) : query)
  return account ?? null
}

export const requireAccount = async (tx: Tx, id: string, lock?: 'share'): Promise<Account> =>
  mustExist(await findAccountById(tx, id, lock), 'The account')

/** True if the dojo has an active owner. Locks that owner's account. */
export async function isDojoActive(tx: Tx, dojoId: string): Promise<boolean> {
  const [owner] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(senseiDirectory, eq(senseiDirectory.sensei_id, accounts.id))
    .where(and(eq(senseiDirectory.dojo_id, dojoId), eq(accounts.is_active, true)))
    .limit(1)
    .for('share', { of: accounts })
  return owner !== undefined
}

export async function findActiveDojos(tx: Tx, dojoIds: string[]): Promise<Set<string>> {
  if (dojoIds.length === 0) return new Set()
  const activeDojos = await tx
    .selectDistinct({ dojo_id: senseiDirectory.dojo_id })
    .from(senseiDirectory)
    .where(and(eq(senseiDirectory.is_active, true), equalsAny(senseiDirectory.dojo_id, dojoIds)))
  return new Set(pluck(activeDojos, 'dojo_id'))
}

export async function requireActiveDojo(tx: Tx, dojoId: string): Promise<void> {
  if (!(await isDojoActive(tx, dojoId)))
    throw new Refusal(403, 'Your dojo is not active. Please contact your instructor.')
}

// The role is not a parameter, because a prepared statement would then not use the partial index.
const isSuperAdmin = sql`${accounts.role} = 'super-admin'`

export async function listSuperAdminEmails(tx: Tx): Promise<string[]> {
  const rows = await tx.select({ email: accounts.email }).from(accounts).where(isSuperAdmin)
  return pluck(rows, 'email')
}

export async function listSuperAdminIds(tx: Tx): Promise<string[]> {
  const rows = await tx.select({ id: accounts.id }).from(accounts).where(isSuperAdmin)
  return pluck(rows, 'id')
}

export async function findFirstSuperAdminDate(tx: Tx): Promise<string | undefined> {
  const [firstAdmin] = await tx
    .select({ created_at: accounts.created_at })
    .from(accounts)
    .where(isSuperAdmin)
    .orderBy(accounts.created_at)
    .limit(1)
  return firstAdmin?.created_at
}
