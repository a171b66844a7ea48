import { eq } from 'drizzle-orm'
import type { Role } from '@tatami/contract/lib/endpoint'
import type { Tx } from '../db/database.ts'
import { notificationSettings, notifications, pushSubscriptions } from '../notifications/tables.ts'
import { accountById } from './accounts.ts'
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

const BELONGINGS = [
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

/**
 * Gives a log-in to somebody else of its dojo, under a new id and role: email, password, passkeys, sessions, browsers, settings and notifications with
 * their read marks go along, and the row of the earlier id is gone. Nobody may refer to that row any more (a student's email is null by then).
 * Returns the email. Every server must look its sessions up again (`sessions.accountChanged`).
 */
export async function moveAccount(
  tx: Tx,
  currentId: string,
  { id, role }: { id: string; role: Role },
): Promise<string> {
  const account = (await accountById(tx, currentId))!
  // An email is unique, and both rows are there for the length of this transaction.
  await tx.insert(accounts).values({ ...account, id, role, email: `${id}@moving.invalid` })
  for (const table of BELONGINGS)
    await tx.update(table).set({ account_id: id }).where(eq(table.account_id, currentId))
  await tx.delete(accounts).where(eq(accounts.id, currentId))
  await tx.update(accounts).set({ email: account.email }).where(eq(accounts.id, id))
  return account.email
}

/** Whether somebody has signed in with this account, as far back as that is kept. */
export async function hasSignedIn(tx: Tx, id: string): Promise<boolean> {
  const uses = await Promise.all([
    tx.$count(signInAddresses, eq(signInAddresses.account_id, id)),
    tx.$count(sessions, eq(sessions.account_id, id)),
  ])
  return uses.some((n) => n > 0)
}
