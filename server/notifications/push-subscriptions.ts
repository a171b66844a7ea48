import type { PushSubscriptionKeys } from '@tatami/contract/notifications/notifications'
import { and, desc, eq, inArray, ne, or } from 'drizzle-orm'
import { requireLiveSession } from '../accounts/sessions.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { pushSubscriptions } from './tables.ts'

export const PUSH_CHANGED = 'push-changed'
const MAX_BROWSERS_PER_ACCOUNT = 10

/** Also deletes older subscriptions of the session and of the browser. They belong together. */
export async function subscribe(
  tx: Tx,
  dojoId: string,
  caller: Caller,
  { endpoint, keys }: PushSubscriptionKeys,
): Promise<void> {
  await requireLiveSession(tx, caller)
  const { session_id, endpoint: address } = pushSubscriptions
  const isOfOtherBrowser = and(eq(session_id, caller.sessionId), ne(address, endpoint))
  const isOfOtherSession = and(eq(address, endpoint), ne(session_id, caller.sessionId))
  await tx.delete(pushSubscriptions).where(or(isOfOtherBrowser, isOfOtherSession))
  await tx
    .insert(pushSubscriptions)
    .values({ account_id: caller.id, session_id: caller.sessionId, endpoint, ...keys })
    .onConflictDoUpdate({
      target: [pushSubscriptions.dojo_id, pushSubscriptions.endpoint],
      set: keys,
    })
  const oldestSubscriptions = tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.account_id, caller.id))
    .orderBy(desc(pushSubscriptions.id))
    .offset(MAX_BROWSERS_PER_ACCOUNT)
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, oldestSubscriptions))
  await tx.publish(PUSH_CHANGED, dojoId)
}

export async function unsubscribe(tx: Tx, dojoId: string, { sessionId }: Caller): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.session_id, sessionId))
  await tx.publish(PUSH_CHANGED, dojoId)
}

export const isSubscribed = async (tx: Tx, { sessionId }: Caller): Promise<boolean> =>
  (await tx.$count(pushSubscriptions, eq(pushSubscriptions.session_id, sessionId))) > 0

export const hasSubscriptions = async (tx: Tx): Promise<boolean> =>
  (await tx.select({ id: pushSubscriptions.id }).from(pushSubscriptions).limit(1)).length > 0

export const deleteSubscription = (tx: Tx, id: string) =>
  tx.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id))
