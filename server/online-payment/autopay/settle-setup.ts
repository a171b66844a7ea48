import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { todayOf } from '../../dojos/dojos.ts'
import { now } from '../../lib/clock.ts'
import type { Email } from '../../lib/mail.ts'
import { lockPayer } from '../payers.ts'
import type { Provider } from '../provider.ts'
import { findProvider, type OnlinePaymentContext } from '../stripe-account.ts'
import { onlinePayments } from '../tables.ts'
import { findOpenAgreement, makeAgreement } from './agreements.ts'
import type { MethodDetails } from './method-provider.ts'
import { tellPayer } from './payer-messages.ts'
import { insertMethod } from './saved-methods.ts'
import { autopayDebits, methodSetups } from './tables.ts'

type SetupRow = typeof methodSetups.$inferSelect

/** `isOver`: no card can be saved anymore. */
type Answer = { isOver: boolean; methodId: string | null }

/** Asks Stripe whether a card was saved. If it was, autopay starts. */
export async function settleSetup(
  context: OnlinePaymentContext,
  dojoId: string,
  setupId: string,
): Promise<void> {
  const { db, publicUrl, sendEmail } = context
  const { setup, provider } = await db.inDojo(dojoId, async (tx) => ({
    setup: await findSetup(tx, setupId),
    provider: await findProvider(tx, context),
  }))
  if (setup?.state !== 'open' || !provider || setup.is_live !== provider.isLive) return
  const { isOver, methodId } = await askProvider(context, dojoId, setup, provider)
  const details = methodId === null ? null : await provider.readMethod(methodId)
  if (!details && !isOver) return
  const emails = await db.inDojo(dojoId, (tx) =>
    recordSetup(tx, dojoId, setupId, details, publicUrl),
  )
  emails.forEach(sendEmail)
}

export async function findSetup(tx: Tx, setupId: string): Promise<SetupRow | undefined> {
  const [setup] = await tx.select().from(methodSetups).where(eq(methodSetups.id, setupId))
  return setup
}

async function askProvider(
  { db }: OnlinePaymentContext,
  dojoId: string,
  { payment_id, checkout_id, expires_at }: SetupRow,
  provider: Provider,
): Promise<Answer> {
  if (payment_id === null) {
    if (checkout_id !== null) return provider.readSetup(checkout_id)
    // The call that began the checkout was cut off, so the payer never got its address.
    return { isOver: Date.parse(expires_at) <= now().getTime(), methodId: null }
  }
  const [payment] = await db.inDojo(dojoId, (tx) =>
    tx.select().from(onlinePayments).where(eq(onlinePayments.id, payment_id)),
  )
  if (payment?.state === 'open' || payment?.state === 'unknown')
    return { isOver: false, methodId: null }
  const hasPaid = payment?.state === 'paid' || payment?.state === 'processing'
  if (!hasPaid || payment.intent_id === null) return { isOver: true, methodId: null }
  return { isOver: true, methodId: (await provider.readIntent(payment.intent_id)).methodId }
}

async function recordSetup(
  tx: Tx,
  dojoId: string,
  setupId: string,
  details: MethodDetails | null,
  publicUrl: string,
): Promise<Email[]> {
  const [setup] = await tx
    .select()
    .from(methodSetups)
    .where(and(eq(methodSetups.id, setupId), eq(methodSetups.state, 'open')))
    .for('no key update')
  const payer = setup && (await lockPayer(tx, setup.payer_id))
  if (!payer) return []
  const isSaved = details !== null && details.customerId === payer.customer_id
  await tx
    .update(methodSetups)
    .set({ state: isSaved ? 'saved' : 'expired' })
    .where(eq(methodSetups.id, setupId))
  if (!isSaved || !(await insertMethod(tx, payer, details))) return []
  if (setup.terms) return makeAgreement(tx, dojoId, payer, setup.terms, publicUrl)
  await resumeDebits(tx, dojoId, payer.id)
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: 'New payment method',
    message: `From now on, you pay with the ${details.kind === 'bank' ? 'bank account' : 'card'} ending in ${details.last4}.`,
  })
  return emails
}

/** An older debit has had its tries. What is still owed is part of the next one. */
const RESUMED_DAYS = 7

/** Debits that waited for a new card are tried at the next run. */
async function resumeDebits(tx: Tx, dojoId: string, payerId: string): Promise<void> {
  const agreement = await findOpenAgreement(tx, payerId)
  if (!agreement) return
  const today = await todayOf(tx, dojoId)
  const waitingDebits = await tx
    .select({ id: autopayDebits.id, due_on: autopayDebits.due_on })
    .from(autopayDebits)
    .where(
      and(eq(autopayDebits.agreement_id, agreement.id), eq(autopayDebits.state, 'needs_method')),
    )
  const resumedIds = waitingDebits
    .filter(({ due_on }) => due_on >= addDays(today, 0 - RESUMED_DAYS))
    .map(({ id }) => id)
  await tx
    .update(autopayDebits)
    .set({ state: 'open', next_try_on: today, awaits_text: false })
    .where(inArray(autopayDebits.id, resumedIds))
}
