import { and, eq } from 'drizzle-orm'
import { findActiveDojos } from '../../accounts/accounts.ts'
import { findFamilyRole, findStaffScope } from '../../accounts/staff-caller.ts'
import { accounts } from '../../accounts/tables.ts'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { nowIso } from '../../lib/clock.ts'
import { newSecret, sha256 } from '../../lib/secrets.ts'
import { calendarFeeds } from './tables.ts'
import { pick } from '../../lib/rows.ts'

const isOfAccount = ({ id }: Pick<DojoCaller, 'id'>) => eq(calendarFeeds.account_id, id)

export async function readFeed(tx: Tx, caller: DojoCaller): Promise<{ created_at: string | null }> {
  const [feed] = await tx
    .select({ created_at: calendarFeeds.created_at })
    .from(calendarFeeds)
    .where(isOfAccount(caller))
  return feed ?? { created_at: null }
}

/** Creates a new calendar address. The old one stops working. */
export async function renewFeed(
  tx: Tx,
  caller: DojoCaller,
  publicUrl: string,
): Promise<{ url: string; created_at: string }> {
  // The secret starts with the dojo's id, because the server can search only one dojo at a time.
  const secret = `${caller.dojoId}.${newSecret()}`
  const created_at = nowIso()
  await tx.delete(calendarFeeds).where(isOfAccount(caller))
  await tx
    .insert(calendarFeeds)
    .values({ account_id: caller.id, token_hash: sha256(secret), created_at })
  await auditAction(tx, caller, 'calendar address made')
  return { url: `${publicUrl}/calendar/${secret}.ics`, created_at }
}

/** The dojo's id and a secret of 43 characters. */
const SECRET_PATTERN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/

export const parseDojoId = (secret: string): string | null =>
  SECRET_PATTERN.exec(secret)?.[1] ?? null

/** `staff` says what a member of staff may see. It is null for students and guardians. */
type FeedReader = Pick<DojoCaller, 'id' | 'role' | 'dojoId' | 'staff'>

export async function findFeedReader(
  tx: Tx,
  dojoId: string,
  secret: string,
): Promise<FeedReader | null> {
  const [account] = await tx
    .select(pick(accounts, 'id', 'role'))
    .from(calendarFeeds)
    .innerJoin(accounts, eq(accounts.id, calendarFeeds.account_id))
    .where(and(eq(calendarFeeds.token_hash, sha256(secret)), eq(accounts.is_active, true)))
  if (!account || !(await findActiveDojos(tx, [dojoId])).has(dojoId)) return null
  if (account.role !== 'instructor') return { ...account, dojoId, staff: null }
  const { scope } = await findStaffScope(tx, { id: account.id, dojoId })
  const role = scope ? account.role : await findFamilyRole(tx, account.id)
  return role && { id: account.id, role, dojoId, staff: scope }
}

export async function endFeed(tx: Tx, caller: DojoCaller): Promise<void> {
  const endedFeeds = await tx
    .delete(calendarFeeds)
    .where(isOfAccount(caller))
    .returning({ created_at: calendarFeeds.created_at })
  if (endedFeeds.length > 0) await auditAction(tx, caller, 'calendar address ended')
}
