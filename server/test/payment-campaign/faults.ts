/** Decides which calls and webhooks of Stripe fail, and how. */
import type { DeliveryFault } from '../stripe/webhooks.ts'
import type { StripeFault } from '../stripe/fake-stripe.ts'
import type { StripeCall } from '../stripe/stripe-contract.ts'
import { random } from './random.ts'

export const STRIPE_FAULTS: readonly StripeFault[] = [
  ...(['broken-before', 'broken-after', 'broken-late', 'broken-stored'] as const),
  ...(['cut-before', 'cut-after', 'cut-late'] as const),
  ...(['silent', 'rate-limited', 'key-in-use'] as const),
]
export const DELIVERY_FAULTS: readonly DeliveryFault[] = ['late', 'twice', 'reversed', 'lost']

export type Faults = {
  ofCall: (call: StripeCall) => StripeFault | null
  ofDelivery: () => DeliveryFault | null
}

/** Each fault happens with the same probability. */
export function randomFaults(probability: number): Faults {
  const pick = <Fault>(faults: readonly Fault[]): Fault | null =>
    faults[Math.floor(random() / probability)] ?? null
  return { ofCall: () => pick(STRIPE_FAULTS), ofDelivery: () => pick(DELIVERY_FAULTS) }
}

const changesSomething = ({ operation }: StripeCall): boolean => operation.startsWith('Post')

/** Every second call that changes something has the next fault, and so has every second webhook. */
export function faultsInTurn(): Faults & { areDone: () => boolean } {
  const callFaults = everySecond(STRIPE_FAULTS)
  const deliveryFaults = everySecond(DELIVERY_FAULTS)
  return {
    ofCall: (call) => (changesSomething(call) ? callFaults.next() : null),
    ofDelivery: deliveryFaults.next,
    areDone: () => callFaults.isDone() && deliveryFaults.isDone(),
  }
}

function everySecond<Fault>(faults: readonly Fault[]) {
  let count = 0
  return {
    next: (): Fault | null => {
      count += 1
      return count % 2 === 0 ? (faults[count / 2 - 1] ?? null) : null
    },
    isDone: (): boolean => count >= 2 * faults.length,
  }
}
