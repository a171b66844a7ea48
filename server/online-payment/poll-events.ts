import { eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { currentDojoId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { type ProviderEvent, ProviderFailure } from './provider.ts'
import { recordEvent } from './record-event.ts'
import { findProvider, type OnlinePaymentContext, readStripeAccount } from './stripe-account.ts'
import { stripeAccounts, stripeEvents } from './tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Stripe may add an event to its list late. */
const OVERLAP_MS = HOUR_MS

type AccountChanges = Partial<typeof stripeAccounts.$inferInsert>

const changeAccount = (tx: Tx, changes: AccountChanges) =>
  tx.update(stripeAccounts).set(changes).where(eq(stripeAccounts.dojo_id, currentDojoId))

/**
 * Reads Stripe's own list of events, because a webhook can get lost or be switched off without
 * notice. Reads nothing in a restored or copied database.
 */
export async function pollEvents(context: OnlinePaymentContext, dojoId: string): Promise<void> {
  const { db } = context
  const startedAt = now()
  const { account, provider } = await db.inDojo(dojoId, async (tx) => ({
    account: await readStripeAccount(tx),
    provider: await findProvider(tx, context),
  }))
  if (!account) return
  const next_poll_at = nextPollAfter(startedAt, account)
  if (!provider) {
    await db.inDojo(dojoId, (tx) => changeAccount(tx, { next_poll_at }))
    return
  }
  const firstTime = Date.parse(account.polled_until ?? account.changed_at) - OVERLAP_MS
  const events = await provider.listEvents(new Date(firstTime)).catch(async (failure: unknown) => {
    if (failure instanceof ProviderFailure && failure.kind === 'wrong_key')
      await db.inDojo(dojoId, (tx) => recordWrongKey(tx, dojoId, failure.message, next_poll_at))
    throw failure
  })
  const ownEvents = events.filter(({ isLive }) => isLive === account.is_live)
  await recordNewEvents(context, dojoId, ownEvents)
  const checked_at = startedAt.toISOString()
  await db.inDojo(dojoId, (tx) =>
    changeAccount(tx, {
      ...{ state: 'ready', error: null, next_poll_at },
      ...{ checked_at, polled_until: checked_at },
    }),
  )
}

/** Without a webhook, the list is the only way to learn of refunds and disputes. */
function nextPollAfter(
  startedAt: Date,
  { webhook_id }: Pick<typeof stripeAccounts.$inferSelect, 'webhook_id'>,
): string {
  const intervalMs = webhook_id === null ? 5 * MINUTE_MS : HOUR_MS
  return new Date(startedAt.getTime() + intervalMs).toISOString()
}

const EVENTS_AT_ONCE = 20

/** Webhooks have brought most events already. The rest is recorded in short transactions, because
 *  each locks the payments of its events, which nobody can settle meanwhile. */
async function recordNewEvents(
  { db }: OnlinePaymentContext,
  dojoId: string,
  events: readonly ProviderEvent[],
): Promise<void> {
  const knownIds = await db.inDojo(dojoId, (tx) => findKnownEvents(tx, pluck(events, 'id')))
  const newEvents = events.filter(({ id }) => !knownIds.has(id))
  for (let index = 0; index < newEvents.length; index += EVENTS_AT_ONCE)
    await db.inDojo(dojoId, async (tx) => {
      for (const event of newEvents.slice(index, index + EVENTS_AT_ONCE))
        await recordEvent(tx, event)
    })
}

async function findKnownEvents(tx: Tx, eventIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ event_id: stripeEvents.event_id })
    .from(stripeEvents)
    .where(equalsAny(stripeEvents.event_id, eventIds))
  return new Set(pluck(rows, 'event_id'))
}

/** Tells the staff once, until the key works again. */
async function recordWrongKey(
  tx: Tx,
  dojoId: string,
  error: string,
  next_poll_at: string,
): Promise<void> {
  const account = await readStripeAccount(tx)
  await changeAccount(tx, { next_poll_at })
  if (!account || account.state === 'wrong_key') return
  await changeAccount(tx, { state: 'wrong_key', error })
  await notifyStaff(tx, dojoId, 'settings', {
    title: 'Online payment has stopped',
    message: 'Stripe no longer accepts your key. Please enter a new one.',
    opens: '/online-payment',
  })
}
