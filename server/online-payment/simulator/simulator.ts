import { and, eq, inArray } from 'drizzle-orm'
import type { Database, Tx } from '../../db/database.ts'
import { now, nowIso } from '../../lib/clock.ts'
import { firstRow } from '../../lib/rows.ts'
import {
  type CheckoutOrder,
  type Decline,
  type IntentStatus,
  type Provider,
  ProviderFailure,
} from '../provider.ts'
import { simulatedCheckouts } from './tables.ts'

export type SimulatedCheckout = typeof simulatedCheckouts.$inferSelect

export const SIMULATOR_PATH = '/pay/simulator'

/** A real bank takes days. */
const BANK_MS = 60_000

const DECLINE: Decline = {
  code: 'card_declined',
  declineCode: 'insufficient_funds',
  adviceCode: null,
  networkCode: null,
}

/** Lets a school try out pay links without a Stripe account. It takes no money, saves no cards and
 *  makes no refunds. */
export function createSimulator(db: Database, dojoId: string, publicUrl: string): Provider {
  const read = (id: string) => db.inDojo(dojoId, (tx) => readSimulatedCheckout(tx, id))
  const urlOf = (id: string) => `${publicUrl}${SIMULATOR_PATH}/${dojoId}.${id}`
  return {
    isLive: false,
    isSimulated: true,
    countsAsMoney: false,
    checkoutOrigin: publicUrl,
    findMissingPermissions: async () => [],
    createCustomer: async (_key, { payerId }) => `simulated_${payerId}`,
    startCheckout: async (order) => {
      const { id } = await db.inDojo(dojoId, (tx) => findOrInsertCheckout(tx, order))
      return { id, url: urlOf(id) }
    },
    readCheckout: async (id) => {
      const { state } = await read(id)
      const intentId = state === 'open' || state === 'over' ? null : id
      return { isOver: state !== 'open' && state !== 'declined', intentId }
    },
    expireCheckout: (_key, id) =>
      db.inDojo(dojoId, (tx) => changeState(tx, id, ['open', 'declined'], 'over')),
    readIntent: async (id) => toIntentStatus(await read(id)),
    listRefunds: async () => [],
    listDisputes: async () => [],
    readFee: async () => ({ cents: 0, paidBy: null }),
    dashboardUrl: () => publicUrl,
    listEvents: async () => [],
    removeWebhook: async () => {},
    forgetMethod: async () => {},
    forgetCustomer: async () => {},
    readMethod: async () => null,
    findDebit: async () => null,
    createRefund: refuse,
    registerWebhook: refuse,
    startSetup: refuse,
    readSetup: refuse,
    debit: refuse,
  }
}

async function refuse(): Promise<never> {
  throw new ProviderFailure('rejected', 'The simulator cannot do this')
}

export async function readSimulatedCheckout(tx: Tx, id: string): Promise<SimulatedCheckout> {
  const [checkout] = await tx.select().from(simulatedCheckouts).where(eq(simulatedCheckouts.id, id))
  if (!checkout) throw new ProviderFailure('rejected', 'The simulator does not know this checkout')
  return checkout
}

/** The same key gives the same checkout, as at Stripe. */
async function findOrInsertCheckout(
  tx: Tx,
  { key, paymentId, items, returnUrl }: CheckoutOrder,
): Promise<SimulatedCheckout> {
  await tx
    .insert(simulatedCheckouts)
    .values({
      key,
      payment_id: paymentId,
      cents: items.reduce((sum, { cents }) => sum + cents, 0),
      return_url: returnUrl,
      state: 'open',
      changed_at: nowIso(),
    })
    .onConflictDoNothing()
  return firstRow(await tx.select().from(simulatedCheckouts).where(eq(simulatedCheckouts.key, key)))
}

type State = SimulatedCheckout['state']

async function changeState(tx: Tx, id: string, formerStates: State[], state: State): Promise<void> {
  await tx
    .update(simulatedCheckouts)
    .set({ state, changed_at: nowIso() })
    .where(and(eq(simulatedCheckouts.id, id), inArray(simulatedCheckouts.state, formerStates)))
}

/** What the payer presses on the simulator's page. */
export const SIMULATED_ANSWERS = { card: 'paid', decline: 'declined', bank: 'processing' } as const
export type SimulatedAnswer = keyof typeof SIMULATED_ANSWERS

export const answerCheckout = (tx: Tx, id: string, answer: SimulatedAnswer): Promise<void> =>
  changeState(tx, id, ['open', 'declined'], SIMULATED_ANSWERS[answer])

const INTENT_STATES: Record<State, IntentStatus['state']> = {
  open: 'unpaid',
  declined: 'unpaid',
  processing: 'processing',
  paid: 'paid',
  over: 'canceled',
}

function toIntentStatus(checkout: SimulatedCheckout): IntentStatus {
  const { id, state, cents, payment_id, changed_at } = checkout
  const hasArrived = state === 'processing' && Date.parse(changed_at) + BANK_MS <= now().getTime()
  return {
    id,
    state: hasArrived ? 'paid' : INTENT_STATES[state],
    cents,
    isLive: false,
    paymentId: payment_id,
    methodId: null,
    decline: state === 'declined' ? DECLINE : null,
  }
}
