import { and, asc, count, eq, gt, inArray, isNull, lt, notExists, sql } from 'drizzle-orm'
import { isLiveSession } from '../accounts/sessions.ts'
import { now, nowIso } from '../lib/clock.ts'
import { asOverseer, type Tx } from '../db/database.ts'
import { pluck } from '../lib/rows.ts'
import { notifications, notificationSettings, pushClaims, pushSubscriptions } from './tables.ts'

/** Older notifications are not pushed. */
const MAX_AGE_MS = 10 * 60_000
const BATCH_SIZE = 100

const { id, account_id, endpoint, p256dh, auth } = pushSubscriptions
const pushColumns = {
  notification_id: notifications.id,
  title: notifications.title,
  message: notifications.message,
  subscription_id: id,
  account_id,
  endpoint,
  p256dh,
  auth,
  isPushEnabled: sql<boolean>`${notificationSettings.push_enabled} is not false`,
}

/** A notification for one browser. `unread` is the number on the app's icon. */
export type Push = Record<Exclude<keyof typeof pushColumns, 'isPushEnabled'>, string> & {
  unread: number
}

/** Also claims the pushes of accounts that have turned push off, so that they are not sent when it
 *  is turned on again. The caller sends the other pushes after the commit. */
export async function claimPushes(
  tx: Tx,
  dojoId: string,
): Promise<(Push & { isPushEnabled: boolean })[]> {
  // The lock keeps two servers from claiming the same pushes.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`push ${dojoId}`}, 0))`)
  const windowStart = new Date(now().getTime() - MAX_AGE_MS).toISOString()
  const pendingPushes = await findPendingPushes(tx, windowStart)
  if (pendingPushes.length === 0) return []
  await tx.delete(pushClaims).where(lt(pushClaims.created_at, windowStart))
  const created_at = nowIso()
  await tx.insert(pushClaims).values(
    pendingPushes.map(({ notification_id, subscription_id }) => ({
      notification_id,
      subscription_id,
      created_at,
    })),
  )
  const unreadByAccount = await countUnreadByAccount(tx, pluck(pendingPushes, 'account_id'))
  return pendingPushes.map((push) => ({
    ...push,
    unread: unreadByAccount.get(push.account_id) ?? 0,
  }))
}

async function findPendingPushes(tx: Tx, windowStart: string) {
  const existingClaim = tx
    .select({ one: sql`1` })
    .from(pushClaims)
    .where(
      and(
        eq(pushClaims.notification_id, notifications.id),
        eq(pushClaims.subscription_id, pushSubscriptions.id),
      ),
    )
  return tx
    .select(pushColumns)
    .from(pushSubscriptions)
    .innerJoin(notifications, eq(notifications.account_id, pushSubscriptions.account_id))
    .leftJoin(
      notificationSettings,
      eq(notificationSettings.account_id, pushSubscriptions.account_id),
    )
    .where(
      and(
        gt(notifications.created_at, windowStart),
        gt(notifications.created_at, pushSubscriptions.created_at),
        isNull(notifications.read_at),
        isLiveSession(pushSubscriptions.session_id),
        notExists(existingClaim),
      ),
    )
    .orderBy(asc(notifications.id), asc(pushSubscriptions.id))
    .limit(BATCH_SIZE)
}

async function countUnreadByAccount(tx: Tx, accountIds: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ accountId: notifications.account_id, unread: count() })
    .from(notifications)
    .where(
      and(
        inArray(notifications.account_id, [...new Set(accountIds)]),
        isNull(notifications.read_at),
      ),
    )
    .groupBy(notifications.account_id)
  return new Map(rows.map(({ accountId, unread }) => [accountId, unread]))
}

export const findDojosWithPush = async (tx: Tx): Promise<string[]> => {
  const rows = await asOverseer(tx, (overseerTx) =>
    overseerTx.selectDistinct({ dojo_id: pushSubscriptions.dojo_id }).from(pushSubscriptions),
  )
  return pluck(rows, 'dojo_id')
}
