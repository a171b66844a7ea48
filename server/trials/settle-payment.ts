import { formatMoneyInText, toCents } from '@tatami/contract/lib/money'
import { and, asc, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { now, nowIso } from '../lib/clock.ts'
import { formatDay } from '../lib/format-day.ts'
import type { Email } from '../lib/mail.ts'
import { notifyStaff } from '../notifications/notify.ts'
import {
  CLAIM_MS,
  type IntentStatus,
  type Job,
  MAX_TASKS,
  type OnlinePaymentContext,
  type Provider,
} from '../online-payment/online-payment.ts'
import { bookingOn, findFreeDate, lockPage } from './book.ts'
import { type BookingRow, type BookingWithLead, cancelBooking, lockBooking } from './bookings.ts'
import { isBookedOn } from './change-by-visitor.ts'
import { listOpenOffers } from './offers.ts'
import { findProviderOf, type TrialPaymentRow } from './payments.ts'
import { sendTrialRefund } from './refund-payment.ts'
import { bookings, trialPayments } from './tables.ts'
import { tellVisitor } from './tell-visitor.ts'

const { dojo_id, id, state, next_check_at } = trialPayments

/** Visitors see their payment at once when they come back from Stripe. This is for those who close
 *  the page. */
export const SETTLE_TRIAL_PAYMENTS: Job = {
  findTasks: (tx) =>
    tx
      .select({ dojo_id, id, due_at: next_check_at })
      .from(trialPayments)
      .where(and(inArray(state, ['open', 'refunding']), lte(next_check_at, nowIso())))
      .orderBy(asc(next_check_at))
      .limit(MAX_TASKS),
  claimMs: CLAIM_MS,
  claim: (tx, task, claimedUntil) =>
    tx
      .update(trialPayments)
      .set({ next_check_at: claimedUntil })
      .where(and(eq(id, task.id), eq(next_check_at, task.due_at ?? '')))
      .returning({ id }),
  perform: (context, task) => settleTrialPayment(context, task.dojo_id, task.id),
}

/** Asks Stripe whether a trial is paid, and books it or gives its place free. */
export async function settleTrialPayment(
  context: OnlinePaymentContext,
  dojoId: string,
  paymentId: string,
): Promise<void> {
  const { db, publicUrl, sendEmail } = context
  const { row, provider } = await db.inDojo(dojoId, async (tx) => {
    const storedRow = await readWithBooking(tx, paymentId)
    return {
      row: storedRow,
      provider: storedRow && (await findProviderOf(tx, context, storedRow.payment)),
    }
  })
  if (row?.payment.state === 'refunding' && provider)
    return sendTrialRefund(context, dojoId, row.payment, provider)
  if (row?.payment.state !== 'open') return
  try {
    const answer = await askStripe(row, provider)
    const emails = await db.inDojo(dojoId, (tx) =>
      recordAnswer(tx, dojoId, paymentId, answer, publicUrl),
    )
    emails.forEach(sendEmail)
  } finally {
    // Nobody waits for a place longer because Stripe does not respond.
    await db.inDojo(dojoId, (tx) => freeOverduePlace(tx, dojoId, paymentId))
  }
}

type PaymentWithBooking = { payment: TrialPaymentRow; bookingState: BookingRow['state'] | null }

async function readWithBooking(tx: Tx, paymentId: string): Promise<PaymentWithBooking | undefined> {
  const [row] = await tx
    .select({ payment: trialPayments, bookingState: bookings.state })
    .from(trialPayments)
    .leftJoin(bookings, eq(bookings.id, trialPayments.booking_id))
    .where(eq(id, paymentId))
  return row
}

/** `isOver`: nobody can pay anymore. */
type Answer = { isOver: boolean; paidIntentId: string | null }

async function askStripe(
  { payment, bookingState }: PaymentWithBooking,
  provider: Provider | null | undefined,
): Promise<Answer> {
  const { checkout_id, expires_at } = payment
  if (checkout_id === null)
    return { isOver: Date.parse(expires_at) <= now().getTime(), paidIntentId: null }
  if (!provider) return { isOver: false, paidIntentId: null }
  // Somebody canceled the booking, or it was booked by another payment.
  if (bookingState !== 'paying')
    await provider.expireCheckout(`tatami/trial/${payment.id}/expire`, checkout_id)
  const { isOver, intentId } = await provider.readCheckout(checkout_id)
  const intent = intentId === null ? null : await provider.readIntent(intentId)
  const paidIntentId = intent && isPaid(payment, intent) ? intent.id : null
  return { isOver: isOver && intent?.state !== 'processing', paidIntentId }
}

const isPaid = ({ id: paymentId, amount, is_live }: TrialPaymentRow, intent: IntentStatus) =>
  intent.state === 'paid' &&
  intent.paymentId === paymentId &&
  intent.cents === toCents(amount) &&
  intent.isLive === is_live

/** Returns the emails that are to be sent after the commit. */
async function recordAnswer(
  tx: Tx,
  dojoId: string,
  paymentId: string,
  { isOver, paidIntentId }: Answer,
  publicUrl: string,
): Promise<Email[]> {
  const payment = await lockOpenPayment(tx, paymentId)
  if (!payment) return []
  if (paidIntentId !== null)
    return recordPaid(tx, dojoId, { ...payment, intent_id: paidIntentId }, publicUrl)
  if (!isOver) return []
  await tx.update(trialPayments).set({ state: 'expired' }).where(eq(id, paymentId))
  await freePlace(tx, dojoId, payment)
  return []
}

/** Locks the page of the school first, as bookings do. */
async function lockOpenPayment(tx: Tx, paymentId: string): Promise<TrialPaymentRow | undefined> {
  await lockPage(tx)
  const [payment] = await tx
    .select()
    .from(trialPayments)
    .where(and(eq(id, paymentId), eq(state, 'open')))
    .for('update')
  return payment
}

async function freePlace(tx: Tx, dojoId: string, { booking_id }: TrialPaymentRow): Promise<void> {
  if (booking_id === null) return
  const { booking } = await lockBooking(tx, booking_id)
  if (booking.state === 'paying' && !(await hasOtherOpenPayment(tx, booking_id)))
    await cancelBooking(tx, dojoId, booking)
}

/** Somebody may have sent the form in two tabs. */
const hasOtherOpenPayment = async (tx: Tx, bookingId: string): Promise<boolean> =>
  (await tx.$count(
    trialPayments,
    and(
      eq(trialPayments.booking_id, bookingId),
      eq(state, 'open'),
      gt(trialPayments.expires_at, nowIso()),
    ),
  )) > 0

async function freeOverduePlace(tx: Tx, dojoId: string, paymentId: string): Promise<void> {
  const payment = await lockOpenPayment(tx, paymentId)
  if (!payment || payment.lapsed_at !== null) return
  if (now().getTime() < Date.parse(payment.expires_at) + GRACE_MS) return
  await tx.update(trialPayments).set({ lapsed_at: nowIso() }).where(eq(id, paymentId))
  await freePlace(tx, dojoId, payment)
}

/** Stripe's clock may differ from ours, and its answer takes a moment. */
const GRACE_MS = 60_000

type PaidPayment = TrialPaymentRow & { intent_id: string }

/** Books the trial, or gives the money back if the place is taken or was paid before. */
async function recordPaid(
  tx: Tx,
  dojoId: string,
  payment: PaidPayment,
  publicUrl: string,
): Promise<Email[]> {
  const row = payment.booking_id === null ? null : await lockBooking(tx, payment.booking_id)
  const isPaidTwice = row !== null && (await hasPaid(tx, row.booking.id))
  const newValues = row && !isPaidTwice ? await findPlaceOf(tx, dojoId, payment, row.booking) : null
  const paidValues = { intent_id: payment.intent_id, paid_at: nowIso() }
  if (!row || !newValues) {
    await tx
      .update(trialPayments)
      .set({ ...paidValues, state: 'refunding', next_check_at: nowIso() })
      .where(eq(id, payment.id))
    if (!row) return []
    const kind = isPaidTwice ? 'paidTwice' : 'refunded'
    const { email } = await tellVisitor(tx, dojoId, kind, row, publicUrl)
    return email ? [email] : []
  }
  await tx
    .update(trialPayments)
    .set({ ...paidValues, state: 'paid' })
    .where(eq(id, payment.id))
  return confirmBooking(tx, dojoId, payment, row, newValues, publicUrl)
}

const hasPaid = async (tx: Tx, bookingId: string): Promise<boolean> =>
  (await tx.$count(
    trialPayments,
    and(eq(trialPayments.booking_id, bookingId), eq(state, 'paid')),
  )) > 0

type NewValues = Partial<ReturnType<typeof bookingOn>>

/** The place that the visitor still has, or gets again. Null if there is none. */
async function findPlaceOf(
  tx: Tx,
  dojoId: string,
  { lapsed_at }: TrialPaymentRow,
  booking: BookingRow,
): Promise<NewValues | null> {
  if (booking.state === 'paying') return {}
  if (booking.state !== 'cancelled' || lapsed_at === null) return null
  const target = { class_id: booking.class_id, day: booking.class_date }
  const offers = await listOpenOffers(tx)
  const offer = offers.find(({ class_ids }) => class_ids.includes(target.class_id))
  if (!offer || (await isBookedOn(tx, booking, target))) return null
  const trialDate = await findFreeDate(tx, dojoId, offer, target)
  if ('kind' in trialDate) return null
  const { time_zone } = await dojoById(tx, dojoId)
  return bookingOn(trialDate, time_zone)
}

async function confirmBooking(
  tx: Tx,
  dojoId: string,
  { amount, needs_approval }: TrialPaymentRow,
  { booking, lead }: BookingWithLead,
  newValues: NewValues,
  publicUrl: string,
): Promise<Email[]> {
  const kind = needs_approval ? 'held' : 'booked'
  // The class may have been canceled or moved while the visitor paid.
  const values = { ...newValues, state: kind, needs_check: true } as const
  await tx.update(bookings).set(values).where(eq(bookings.id, booking.id))
  const row = { booking: { ...booking, ...values }, lead }
  const { visitor_name, visitor_age, told_class, told_date, told_time } = row.booking
  await notifyStaff(tx, dojoId, 'students.edit', {
    title: needs_approval ? 'Trial to approve' : 'Trial booked',
    message:
      `${visitor_name} (${visitor_age}): ${told_class}, ${formatDay(told_date)}, ${told_time}. ` +
      `Paid online: ${formatMoneyInText(amount)}`,
    opens: '/trials',
  })
  const { email } = await tellVisitor(tx, dojoId, kind, row, publicUrl)
  return email ? [email] : []
}
