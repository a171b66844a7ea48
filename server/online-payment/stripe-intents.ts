import type { Stripe } from 'stripe'
import type { IntentStatus } from './provider.ts'
import { CURRENCY, idOf } from './stripe-client.ts'

const INTENT_STATES: Partial<Record<Stripe.PaymentIntent.Status, IntentStatus['state']>> = {
  succeeded: 'paid',
  processing: 'processing',
  canceled: 'canceled',
}

export const toIntentStatus = (intent: Stripe.PaymentIntent): IntentStatus => {
  const { last_payment_error: error } = intent
  return {
    id: intent.id,
    state: INTENT_STATES[intent.status] ?? 'unpaid',
    cents: intent.currency === CURRENCY ? intent.amount : 0,
    isLive: intent.livemode,
    paymentId: intent.metadata['payment_id'] ?? null,
    methodId: idOf(intent.payment_method),
    decline: error && {
      code: error.code ?? null,
      declineCode: error.decline_code ?? null,
      adviceCode: error.advice_code ?? null,
      networkCode: error.network_decline_code ?? null,
    },
  }
}
