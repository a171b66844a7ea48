import type { PushSubscriptionKeys } from '@tatami/contract/notifications'
import { and, desc, eq, inArray, ne, or } from 'drizzle-orm'
import { refuseEnded } from '../accounts/sessions.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { pushSubscriptions } from './tables.ts'

/** Told with a dojo's id when a browser of it subscribes or no longer does. */
export const PUSH_CHANGED = 'push-changed'
/** A new browser takes the place of the oldest. */
const BROWSERS_AT_MOST = 10

/** A session is a browser and has one subscription; one that another session left in the same browser goes. */
export async function subscribe(tx: Tx, dojoId: string, caller: Caller, { endpoint, keys }: PushSubscriptionKeys): Promise<void> {
  await refuseEnded(tx, caller)
  const { session_id, endpoint: address } = pushSubscriptions
  const mineElsewhere = and(eq(session_id, caller.sessionId), ne(address, endpoint))
  const anothersHere = and(eq(address, endpoint), ne(session_id, caller.sessionId))
  await tx.delete(pushSubscriptions).where(or(mineElsewhere, anothersHere))
  await tx
    .insert(pushSubscriptions)
    .values({ account_id: caller.id, session_id: caller.sessionId, endpoint, ...keys })
    .onConflictDoUpdate({ target: [pushSubscriptions.dojo_id, pushSubscriptions.endpoint], set: keys })
  const older = tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.account_id, caller.id))
    .orderBy(desc(pushSubscriptions.id))
    .offset(BROWSERS_AT_MOST)
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, older))
  await tx.publish(PUSH_CHANGED, dojoId)
}

export async function unsubscribe(tx: Tx, dojoId: string, { sessionId }: Caller): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.session_id, sessionId))
  await tx.publish(PUSH_CHANGED, dojoId)
}

export async function isSubscribed(tx: Tx, { sessionId }: Caller): Promise<boolean> {
  const [one] = await tx.select({ id: pushSubscriptions.id }).from(pushSubscriptions).where(eq(pushSubscriptions.session_id, sessionId))
  return one !== undefined
}

export async function hasSubscriptions(tx: Tx): Promise<boolean> {
  const [one] = await tx.select({ id: pushSubscriptions.id }).from(pushSubscriptions).limit(1)
  return one !== undefined
}

/** The push service says that there is no such browser any more. One that has come back meanwhile has another id. */
export const forgetSubscription = (tx: Tx, id: string) => tx.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id))
