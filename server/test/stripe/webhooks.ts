import { randomBytes } from 'node:crypto'
import { Stripe } from 'stripe'
import { STRIPE_API_VERSION } from './stripe-contract.ts'
import { type Store, unixTime } from './store.ts'

/** An event that waits for its delivery to one endpoint. */
type Delivery = { url: string; secret: string; event: Stripe.Event }

/** The header that Stripe signs a webhook with, in this version of its scheme. */
export const signatureHeader = (payload: string, secret: string, timestamp: number): string =>
  new Stripe('sk_test_signatures').webhooks.generateTestHeaderString({ payload, secret, timestamp })

export type Webhooks = ReturnType<typeof createWebhooks>

/** `late`: some seconds later. `reversed`: after the next event. */
export type DeliveryFault = 'late' | 'twice' | 'reversed' | 'lost'

export type DeliveryOptions = {
  faultOf?: () => DeliveryFault | null
  /** Where a webhook's address leads to, such as to one of two servers. */
  addressOf?: (url: string) => string
}

const LATE_MS = 3_000

/** Records events and delivers them. A test may hold deliveries to repeat or reorder them. */
export function createWebhooks(
  livemode: boolean,
  { faultOf = () => null, addressOf = (url) => url }: DeliveryOptions = {},
) {
  const events: Stripe.Event[] = []
  const heldDeliveries: Delivery[] = []
  const runningDeliveries = new Set<Promise<unknown>>()
  let isHolding = false

  async function deliver({ url, secret, event }: Delivery): Promise<number> {
    const payload = JSON.stringify(event)
    const response = await fetch(addressOf(url), {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signatureHeader(payload, secret, unixTime()),
      },
    })
    await response.arrayBuffer()
    return response.status
  }

  let waitingDelivery: Delivery | null = null

  function startWithFaults(delivery: Delivery): void {
    const fault = faultOf()
    if (fault === 'lost') return
    if (fault === 'late') return void setTimeout(() => startDelivery(delivery), LATE_MS).unref()
    const formerDelivery = waitingDelivery
    waitingDelivery = fault === 'reversed' ? delivery : null
    if (fault !== 'reversed') startDelivery(delivery)
    if (fault === 'twice') startDelivery(delivery)
    if (formerDelivery) startDelivery(formerDelivery)
  }

  const startDelivery = (delivery: Delivery): void => {
    const running = deliver(delivery)
      .catch(() => {})
      .finally(() => runningDeliveries.delete(running))
    runningDeliveries.add(running)
  }

  function emit(store: Store, type: Stripe.Event['type'], object: object): void {
    const event = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      api_version: STRIPE_API_VERSION,
      created: unixTime(),
      livemode,
      pending_webhooks: store.webhook_endpoint.size,
      request: null,
      type,
      data: { object: structuredClone(object) },
    } as Stripe.Event
    events.push(event)
    for (const { url, secret, enabled_events } of store.webhook_endpoint.values()) {
      if (!enabled_events.includes(type)) continue
      const delivery = { url, secret: secret ?? '', event }
      if (isHolding) heldDeliveries.push(delivery)
      else startWithFaults(delivery)
    }
  }

  return {
    events,
    emit,
    /** From now on, deliveries wait for `release`. */
    hold: () => {
      isHolding = true
    },
    /** Delivers what waited, in the order that `arrange` returns, and reports the statuses. */
    release: async (
      arrange: (deliveries: Delivery[]) => Delivery[] = (deliveries) => deliveries,
    ): Promise<number[]> => {
      isHolding = false
      const statuses: number[] = []
      for (const delivery of arrange(heldDeliveries.splice(0)))
        statuses.push(await deliver(delivery))
      return statuses
    },
    deliver,
    settled: async () => {
      while (runningDeliveries.size > 0) await Promise.all(runningDeliveries)
    },
  }
}
