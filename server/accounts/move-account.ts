import { eq } from 'drizzle-orm'
import type { Role } from '@tatami/contract/lib/endpoint'
import type { Tx } from '../db/database.ts'
import { notificationSettings, notifications, pushSubscriptions } from '../notifications/tables.ts'
import { requireAccount } from './accounts.ts'
import {
  accountRecoveries,
  accounts,
  passkeys,
  passwordResets,
  recoveryCodes,
  sessions,
  signInAddresses,
  totpSecrets,
} from './tables.ts'

const MOVED_TABLES = [
  sessions,
  passwordResets,
  accountRecoveries,
  signInAddresses,
  passkeys,
  totpSecrets,
  recoveryCodes,
  notifications,
  notificationSettings,
  pushSubscriptions,
] as const

/** Moves the password, passkeys, sessions, settings and notifications to a new id. Rows of other
 *  tables must not refer to the old account. Call `sessions.publishAccountChange` afterwards. */
export async function moveAccount(
  tx: Tx,
  currentId: string,
  { id, role }: { id: string; role: Role },
): Promise<string> {
  const account = await requireAccount(tx, currentId)
  // Emails are unique, and both rows exist until the end of this transaction.
  await tx.insert(accounts).values({ ...account, id, role, email: `${id}@moving.invalid` })
  for (const table of MOVED_TABLES)
    await tx.update(table).set({ account_id: id }).where(eq(table.account_id, currentId))
  await tx.delete(accounts).where(eq(accounts.id, currentId))
  await tx.update(accounts).set({ email: account.email }).where(eq(accounts.id, id))
  return account.email
}

/** True if somebody has ever signed in to the account. */
export async function hasSignedIn(tx: Tx, id: string): Promise<boolean> {
  const counts = await Promise.all([
    tx.$count(signInAddresses, eq(signInAddresses.account_id, id)),
    tx.$count(sessions, eq(sessions.account_id, id)),
  ])
  return counts.some((rowCount) => rowCount > 0)
}
