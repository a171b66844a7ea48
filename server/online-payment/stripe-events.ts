import { Stripe } from 'stripe'
import { now } from '../lib/clock.ts'
import type { ProviderEvent } from './provider.ts'
import { idOf, withFailure } from './stripe-client.ts'

/** The events that say that a payment, a refund, a dispute or a saved method may have changed. */
export const WEBHOOK_EVENTS: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'payment_method.automatically_updated',
  'payment_method.detached',
  'customer.deleted',
  'mandate.updated',
]

const isHandled = ({ type }: Stripe.Event): boolean =>
  (WEBHOOK_EVENTS as readonly string[]).includes(type)

type Reference = string | { id: string } | null
type EventObject = {
  id?: string
  status?: string | null
  payment_intent?: Reference
  payment_method?: Reference
}

/** A mandate allows debits from a bank account. An ended one never comes back. */
const isEndedMandate = (type: string, { status }: EventObject): boolean =>
  type === 'mandate.updated' && status === 'inactive'

function toProviderEvent({ id, type, livemode, data }: Stripe.Event): ProviderEvent {
  const object = data.object as EventObject
  return {
    id,
    type,
    objectId: object.id ?? '',
    intentId: idOf(object.payment_intent),
    endedMethodId: isEndedMandate(type, object) ? idOf(object.payment_method) : null,
    isLive: livemode,
  }
}

const PAGE_SIZE = 100
/** More than this within an hour or two would be another business in the same Stripe account. */
const MAX_EVENTS = 10_000

/** Oldest first. */
export async function listEvents(client: Stripe, firstTime: Date): Promise<ProviderEvent[]> {
  const period = { gte: Math.floor(firstTime.getTime() / 1000) }
  const events = await withFailure(
    client.events
      .list({ created: period, limit: PAGE_SIZE })
      .autoPagingToArray({ limit: MAX_EVENTS }),
  )
  return events.filter(isHandled).toReversed().map(toProviderEvent)
}

/** Stripe's own tolerance applies only to old timestamps. */
const MAX_SECONDS_AHEAD = 300

// The key plays no part in checking signatures.
const signatureChecker = new Stripe('sk_test_signatures').webhooks

/** An event from the body of a webhook, or null if Stripe did not sign it. */
export function readSignedEvent(
  payload: string,
  signature: string,
  secret: string,
): ProviderEvent | null {
  const receivedAt = now().getTime()
  const timestamp = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1])
  if (!(timestamp <= receivedAt / 1000 + MAX_SECONDS_AHEAD)) return null
  try {
    return toProviderEvent(
      signatureChecker.constructEvent(payload, signature, secret, undefined, undefined, receivedAt),
    )
  } catch {
    return null
  }
}
