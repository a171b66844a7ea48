import { and, asc, eq, gt, isNull, lt, notExists, sql } from 'drizzle-orm'
import { isLive } from '../accounts/sessions.ts'
import { now, nowIso } from '../lib/clock.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { notifications, notificationSettings, pushClaims, pushSubscriptions } from './tables.ts'

/** What could not be pushed for this long is left to the bell. */
const WINDOW_MS = 10 * 60_000
const AT_ONCE = 100

const { id, endpoint, p256dh, auth } = pushSubscriptions
const what = {
  notification_id: notifications.id,
  title: notifications.title,
  message: notifications.message,
  subscription_id: id,
  endpoint,
  p256dh,
  auth,
  wanted: sql<boolean>`${notificationSettings.push_enabled} is not false`,
}
export type Push = Record<Exclude<keyof typeof what, 'wanted'>, string>

/** Unread notices, made after a browser subscribed, that nobody has taken up for it; once committed, they are this server's to send,
 *  or to leave where the account has push switched off. */
export async function claimPushes(tx: Tx, dojoId: string): Promise<(Push & { wanted: boolean })[]> {
  // In turn over all servers, so that each sees what the one before took.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`push ${dojoId}`}, 0))`)
  const since = new Date(now().getTime() - WINDOW_MS).toISOString()
  const taken = tx
    .select({ one: sql`1` })
    .from(pushClaims)
    .where(and(eq(pushClaims.notification_id, notifications.id), eq(pushClaims.subscription_id, pushSubscriptions.id)))
  const due = await tx
    .select(what)
    .from(pushSubscriptions)
    .innerJoin(notifications, eq(notifications.account_id, pushSubscriptions.account_id))
    .leftJoin(notificationSettings, eq(notificationSettings.account_id, pushSubscriptions.account_id))
    .where(
      and(
        gt(notifications.created_at, since),
        gt(notifications.created_at, pushSubscriptions.created_at),
        isNull(notifications.read_at),
        isLive(pushSubscriptions.session_id),
        notExists(taken),
      ),
    )
    .orderBy(asc(notifications.id), asc(pushSubscriptions.id))
    .limit(AT_ONCE)
  if (due.length === 0) return []
  await tx.delete(pushClaims).where(lt(pushClaims.created_at, since))
  const created_at = nowIso()
  await tx.insert(pushClaims).values(due.map(({ notification_id, subscription_id }) => ({ notification_id, subscription_id, created_at })))
  return due
}

/** The dojos, the office among them, in which a browser is subscribed. */
export const dojosWithPush = async (tx: Tx): Promise<string[]> => {
  const rows = await asOverseer(tx, (over) => over.selectDistinct({ dojo_id: pushSubscriptions.dojo_id }).from(pushSubscriptions))
  return rows.map(({ dojo_id }) => dojo_id)
}
