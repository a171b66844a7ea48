/** What visitors pay with Stripe while they book. The place is theirs until `expires_at`. */
import { toCents } from '@tatami/contract/lib/money'
import { PUBLIC_PAGE_PATH } from '@tatami/contract/public-page/public-page'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import {
  type Checkout,
  findProvider,
  findUsableAccount,
  type OnlinePaymentContext,
  type Provider,
} from '../online-payment/online-payment.ts'
import { now } from '../lib/clock.ts'
import { firstRow, pick } from '../lib/rows.ts'
import type { OfferRow } from './offers.ts'
import { PAY_PATH } from './payment-paths.ts'
import { bookings, trialPayments } from './tables.ts'

export type TrialPaymentRow = typeof trialPayments.$inferSelect

/** Stripe's pages stay open for 30 minutes at least, counted by Stripe's clock. */
const HOLD_MS = 31 * 60_000
export const CHECK_AGAIN_MS = 20_000
/** Whoever repeats a booking more often cannot pay for it again. */
export const MAX_PAYMENTS_OF_BOOKING = 5

const later = (ms: number): string => new Date(now().getTime() + ms).toISOString()

export type Price = { amount: number; is_live: boolean }

/** What visitors pay online. Null for a free trial, and if they pay at the school, because online
 *  payment is not set up. */
export async function findOnlinePrice(
  tx: Tx,
  { price }: Pick<OfferRow, 'price'>,
  publicUrl: string,
): Promise<Price | null> {
  const account = price === null ? null : await findUsableAccount(tx, publicUrl)
  return price === null || !account ? null : { amount: price, is_live: account.is_live }
}

type NewPayment = Price & { booking_id: string; form_key: string; needs_approval: boolean }

export const addTrialPayment = (tx: Tx, payment: NewPayment) =>
  tx.insert(trialPayments).values({
    ...payment,
    state: 'open',
    expires_at: later(HOLD_MS),
    next_check_at: later(CHECK_AGAIN_MS),
  })

export const countPayments = (tx: Tx, bookingId: string): Promise<number> =>
  tx.$count(trialPayments, eq(trialPayments.booking_id, bookingId))

/** Whether the booking that this payment is for waits for an instructor, once it is paid. */
export const needsApprovalAfterPayment = async (tx: Tx, bookingId: string): Promise<boolean> =>
  (await tx.$count(
    trialPayments,
    and(eq(trialPayments.booking_id, bookingId), eq(trialPayments.needs_approval, true)),
  )) > 0

/** What was paid online for bookings and not given back, in dollars. */
export async function readPaidAmounts(tx: Tx, bookingIds: string[]): Promise<Map<string, number>> {
  const payments = await tx
    .select(pick(trialPayments, 'booking_id', 'amount'))
    .from(trialPayments)
    .where(and(equalsAny(trialPayments.booking_id, bookingIds), eq(trialPayments.state, 'paid')))
  return new Map(
    payments.flatMap(({ booking_id, amount }) =>
      booking_id === null ? [] : [[booking_id, amount]],
    ),
  )
}

/** The payment of a booking that was paid, or else the one that goes back. */
export async function findPaymentOfBooking(
  tx: Tx,
  bookingId: string,
): Promise<TrialPaymentRow | null> {
  const payments = await tx
    .select()
    .from(trialPayments)
    .where(
      and(
        eq(trialPayments.booking_id, bookingId),
        inArray(trialPayments.state, ['paid', 'refunding', 'refunded']),
      ),
    )
    .orderBy(desc(trialPayments.created_at))
  return payments.find(({ state }) => state === 'paid') ?? payments[0] ?? null
}

export async function findPaymentOfForm(tx: Tx, formKey: string): Promise<TrialPaymentRow | null> {
  const [payment] = await tx.select().from(trialPayments).where(eq(trialPayments.form_key, formKey))
  return payment ?? null
}

/** Null if online payment was turned off, or changed to another mode. */
export async function findProviderOf(
  tx: Tx,
  context: OnlinePaymentContext,
  { is_live }: Pick<TrialPaymentRow, 'is_live'>,
): Promise<Provider | null> {
  const provider = await findProvider(tx, context)
  return provider && !provider.isSimulated && provider.isLive === is_live ? provider : null
}

/** Returns the address of Stripe's page for a payment, the same one each time. Null if the visitor
 *  can no longer pay. */
export async function openTrialCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  formKey: string,
  slug: string,
): Promise<string | null> {
  const { db, publicUrl } = context
  const order = await db.inDojo(dojoId, (tx) => beginCheckout(tx, context, formKey))
  if (!order) return null
  const { payment, provider, itemName } = order
  if (payment.checkout_url !== null) return payment.checkout_url
  const address = `${publicUrl}${PUBLIC_PAGE_PATH}/${slug}/trial/${PAY_PATH}?pay=${formKey}`
  const checkout = await provider.startCheckout({
    key: `tatami/trial/${payment.id}/${payment.attempt}`,
    customerId: null,
    paymentId: payment.id,
    items: [{ name: itemName, cents: toCents(payment.amount) }],
    returnUrl: address,
    cancelUrl: address,
    expiresAt: new Date(payment.expires_at),
    statementSuffix: undefined,
    savesMethod: false,
    isCardOnly: true,
  })
  return db.inDojo(dojoId, (tx) => storeCheckout(tx, payment.id, checkout))
}

const isPayable = (formKey: string) =>
  and(
    eq(trialPayments.form_key, formKey),
    eq(trialPayments.state, 'open'),
    isNull(trialPayments.lapsed_at),
  )

type CheckoutOrder = { payment: TrialPaymentRow; provider: Provider; itemName: string }

/** Keeps the place for as long as Stripe's page will be open. Each attempt has a key of its own,
 *  because Stripe refuses a repeated key with another time. */
async function beginCheckout(
  tx: Tx,
  context: OnlinePaymentContext,
  formKey: string,
): Promise<CheckoutOrder | null> {
  const [row] = await tx
    .select({ payment: trialPayments, itemName: bookings.told_class })
    .from(trialPayments)
    .innerJoin(bookings, eq(bookings.id, trialPayments.booking_id))
    .where(isPayable(formKey))
    .for('update', { of: trialPayments })
  const provider = row ? await findProviderOf(tx, context, row.payment) : null
  if (!row || !provider) return null
  const { payment, itemName } = row
  if (payment.checkout_url !== null) return { payment, provider, itemName }
  const changedRows = await tx
    .update(trialPayments)
    .set({ attempt: payment.attempt + 1, expires_at: later(HOLD_MS) })
    .where(eq(trialPayments.id, payment.id))
    .returning()
  return { payment: firstRow(changedRows), provider, itemName }
}

/** Keeps the first page, because the visitor may be on it already. Nobody learns the address of
 *  another one. */
async function storeCheckout(
  tx: Tx,
  id: string,
  { id: checkout_id, url: checkout_url }: Checkout,
): Promise<string | null> {
  const isOpen = and(eq(trialPayments.id, id), eq(trialPayments.state, 'open'))
  await tx
    .update(trialPayments)
    .set({ checkout_id, checkout_url })
    .where(and(isOpen, isNull(trialPayments.checkout_id)))
  const [payment] = await tx
    .select({ checkout_url: trialPayments.checkout_url })
    .from(trialPayments)
    .where(isOpen)
  return payment?.checkout_url ?? null
}
