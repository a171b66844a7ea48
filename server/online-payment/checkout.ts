import { toDollars } from '@tatami/contract/lib/money'
import { and, desc, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { lineKey } from './live-lines.ts'
import type { OwedLine } from './owed-lines.ts'
import { expireCheckout, openCheckout, type OnlinePaymentRow } from './open-checkout.ts'
import { totalCents } from './autopay/covered-lines.ts'
import { keepLeftOut } from './autopay/left-out.ts'
import { hasSameLines, readPayableLines, takePart } from './payable-lines.ts'
import {
  endSetup,
  findOpenSetup,
  haveSameTerms,
  insertSetup,
  type SetupRow,
} from './autopay/setups.ts'
import type { AgreementTerms } from './autopay/tables.ts'
import { MIN_CENTS } from './amounts.ts'
import { findJustPaid } from './look-at-stripe.ts'
import { lockPayer } from './payers.ts'
import { CheckoutReplaced, type Provider, ProviderFailure } from './provider.ts'
import { settlePayment } from './settle.ts'
import { findProvider, type OnlinePaymentContext } from './stripe-account.ts'
import { onlinePaymentLines, onlinePayments } from './tables.ts'

const MIN_CHECKOUT_MINUTES = 30
/** Stripe refuses less than 30 minutes, and our call may be slow. */
const CHECKOUT_MINUTES = MIN_CHECKOUT_MINUTES + 1
const MINUTE_MS = 60_000
/** What the payer sees may change while they press the button, but not forever. */
const MAX_TRIES = 5

export type CheckoutResult =
  | { kind: 'redirect'; url: string }
  /** What is owed has changed since the page was opened, so the payer should look again. */
  | { kind: 'changed' }
  | { kind: 'nothing_owed' }
  /** Another press of the payer, for another amount, has ended this one. Nothing was paid. */
  | { kind: 'replaced' }
  /** The payer has already paid on the page that was open, and has not come back from it. */
  | { kind: 'just_paid'; paymentId: string }
  | { kind: 'off' }

type Order = {
  /** What the payer saw as owed. */
  shownCents: number
  /** What the payer wants to pay of it. Null to pay everything. */
  partCents?: number | null
  /** Pay only what autopay leaves out. */
  isLeftOut?: boolean
  /** What the payer agrees to, if the checkout also saves the card for autopay. */
  terms?: AgreementTerms | null
}

/** The payer presses Pay. Two presses, tabs or devices get the same checkout. With `terms`, the
 *  checkout also saves the card for autopay. */
export async function startCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payerId: string,
  { shownCents, partCents = null, isLeftOut = false, terms = null }: Order,
): Promise<CheckoutResult> {
  const { db } = context
  const provider = await db.inDojo(dojoId, (tx) => findProvider(tx, context))
  if (!provider) return { kind: 'off' }
  const paymentId = await findJustPaid(context, dojoId, payerId)
  if (paymentId !== null) return { kind: 'just_paid', paymentId }
  for (let tries = 1; ; tries += 1) {
    const preparation = await db.inDojo(dojoId, (tx) =>
      preparePayment(tx, dojoId, payerId, {
        ...{ shownCents, partCents, isLeftOut, terms, isLive: provider.isLive },
      }),
    )
    if (preparation.kind === 'nothing_owed' || preparation.kind === 'changed') return preparation
    if (preparation.kind === 'outdated') {
      // Whoever gives up must not end the page of another press, or nobody could pay.
      if (tries === MAX_TRIES) return { kind: 'replaced' }
      if (preparation.payment) await endCheckout(context, dojoId, preparation.payment)
      if (preparation.setup) await endSetup(context, dojoId, preparation.setup)
      continue
    }
    const { payment } = preparation
    if (payment.checkout_url !== null) return { kind: 'redirect', url: payment.checkout_url }
    return openPage(context, dojoId, payment, provider)
  }
}

async function openPage(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<CheckoutResult> {
  try {
    return { kind: 'redirect', url: await openCheckout(context, dojoId, payment, provider) }
  } catch (failure) {
    if (!(failure instanceof CheckoutReplaced)) throw failure
    return { kind: 'replaced' }
  }
}

type Preparation =
  | { kind: 'ready'; payment: OnlinePaymentRow }
  /** An open checkout for something else must end first. */
  | { kind: 'outdated'; payment: OnlinePaymentRow | null; setup: SetupRow | null }
  | { kind: 'changed' }
  | { kind: 'nothing_owed' }

type Wish = Required<Order> & { isLive: boolean }

async function preparePayment(
  tx: Tx,
  dojoId: string,
  payerId: string,
  { shownCents, partCents, isLeftOut, terms, isLive }: Wish,
): Promise<Preparation> {
  const payer = await lockPayer(tx, payerId)
  if (!payer) return { kind: 'nothing_owed' }
  const allLines = await readPayableLines(tx, dojoId, payer)
  const payableLines = isLeftOut ? await keepLeftOut(tx, allLines) : allLines
  const payableCents = totalCents(payableLines)
  if (payableCents < MIN_CENTS) return { kind: 'nothing_owed' }
  const lines = takePart(payableLines, partCents ?? payableCents)
  const isPart = totalCents(lines) < totalCents(allLines)
  const openPayment = await findOpenPayment(tx, payerId)
  const setup = await findOpenSetup(tx, payerId)
  if (openPayment) {
    const setupOfPayment = setup?.payment_id === openPayment.id ? setup : null
    const isSame =
      openPayment.is_part === isPart &&
      (await hasSameLines(tx, openPayment, lines)) &&
      (setupOfPayment !== null) === (terms !== null) &&
      haveSameTerms(setupOfPayment?.terms ?? null, terms)
    if (!isSame || !isUsable(openPayment) || openPayment.is_live !== isLive)
      return { kind: 'outdated', payment: openPayment, setup: setupOfPayment }
  }
  if (payableCents !== shownCents) return { kind: 'changed' }
  if (openPayment) return { kind: 'ready', payment: openPayment }
  const formerPayersPayment = await findOpenPaymentForSame(tx, lines)
  if (formerPayersPayment) return { kind: 'outdated', payment: formerPayersPayment, setup: null }
  if (terms && setup) return { kind: 'outdated', payment: null, setup }
  const payment = await insertPayment(tx, payerId, lines, { isPart, isLive })
  if (terms) await insertSetup(tx, payerId, { isLive, terms, paymentId: payment.id })
  return { kind: 'ready', payment }
}

/** A checkout that was not opened at once has too little time left for Stripe. */
function isUsable({ checkout_id, expires_at }: OnlinePaymentRow): boolean {
  const minutesLeft = (Date.parse(expires_at ?? '') - now().getTime()) / MINUTE_MS
  return minutesLeft > (checkout_id === null ? MIN_CHECKOUT_MINUTES : 0)
}

async function findOpenPayment(tx: Tx, payerId: string): Promise<OnlinePaymentRow | undefined> {
  const [payment] = await tx
    .select()
    .from(onlinePayments)
    .where(and(eq(onlinePayments.payer_id, payerId), eq(onlinePayments.state, 'open')))
    .orderBy(desc(onlinePayments.created_at))
    .limit(1)
  return payment
}

/** Somebody who paid for one of the students before may still have the page of Stripe open. */
async function findOpenPaymentForSame(
  tx: Tx,
  lines: readonly OwedLine[],
): Promise<OnlinePaymentRow | undefined> {
  const rows = await tx
    .select({ payment: onlinePayments, line: pick(onlinePaymentLines, 'student_id', 'pays_for') })
    .from(onlinePayments)
    .innerJoin(onlinePaymentLines, eq(onlinePaymentLines.payment_id, onlinePayments.id))
    .where(
      and(
        eq(onlinePayments.state, 'open'),
        eq(onlinePaymentLines.is_live, true),
        equalsAny(onlinePaymentLines.student_id, pluck(lines, 'student_id')),
      ),
    )
  const keys = new Set(lines.map(lineKey))
  return rows.find(({ line }) => keys.has(lineKey(line)))?.payment
}

async function insertPayment(
  tx: Tx,
  payerId: string,
  lines: readonly OwedLine[],
  { isPart, isLive }: { isPart: boolean; isLive: boolean },
): Promise<OnlinePaymentRow> {
  const expiresAt = new Date(now().getTime() + CHECKOUT_MINUTES * MINUTE_MS)
  const payment = firstRow(
    await tx
      .insert(onlinePayments)
      .values({
        id: newId(),
        payer_id: payerId,
        state: 'open',
        amount: toDollars(totalCents(lines)),
        is_part: isPart,
        is_live: isLive,
        expires_at: expiresAt.toISOString(),
        next_check_at: new Date(now().getTime() + MINUTE_MS).toISOString(),
      })
      .returning(),
  )
  await tx.insert(onlinePaymentLines).values(
    lines.map(({ cents: lineCents, ...line }) => ({
      ...line,
      payment_id: payment.id,
      amount: toDollars(lineCents),
    })),
  )
  return payment
}

/** Ends a checkout that is no longer wanted. If it was paid in the meantime, records that. */
export async function endCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
): Promise<void> {
  const { id, checkout_id } = payment
  const provider = await context.db.inDojo(dojoId, (tx) => findProvider(tx, context))
  if (provider && checkout_id !== null)
    await expireCheckout(context, dojoId, { ...payment, checkout_id }, provider)
  await settlePayment(context, dojoId, id)
}

/** Ends all open checkouts of a school, and records what was paid on them. Leaves them as they are
 *  if Stripe does not respond. */
export async function endOpenCheckouts(
  context: OnlinePaymentContext,
  dojoId: string,
): Promise<void> {
  const openPayments = await context.db.inDojo(dojoId, (tx) =>
    tx.select().from(onlinePayments).where(eq(onlinePayments.state, 'open')),
  )
  for (const payment of openPayments)
    await endCheckout(context, dojoId, payment).catch((failure: unknown) => {
      if (!(failure instanceof ProviderFailure)) throw failure
    })
}
