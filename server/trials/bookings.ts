import { addDays } from '@tatami/contract/lib/calendar-day'
import type { Booking, BookingMark } from '@tatami/contract/trials/trials'
import { and, asc, between, eq, ne } from 'drizzle-orm'
import { auditAction, NO_ACTOR_ID } from '../audit/audit.ts'
import { giveFreePlaces } from '../calendar/dates/places.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import { recordEvent } from './lead-events.ts'
import { listMissingPapers } from './papers.ts'
import { readPaidAmounts } from './payments.ts'
import { refundBooking } from './refund-payment.ts'
import { bookings, leads } from './tables.ts'

export type BookingRow = typeof bookings.$inferSelect
export type LeadRow = typeof leads.$inferSelect
export type BookingWithLead = { booking: BookingRow; lead: LeadRow }

const MAX_DAYS = 92

/** Leaves out canceled trials. Throws 422 for too many days. */
export async function listBookings(
  tx: Tx,
  dojoId: string,
  { from, until }: { from: string; until: string },
): Promise<Booking[]> {
  if (until >= addDays(from, MAX_DAYS)) throw invalid('until', `At most ${MAX_DAYS} days`)
  const rows = await tx
    .select({ booking: bookings, lead: leads })
    .from(bookings)
    .innerJoin(leads, eq(leads.id, bookings.lead_id))
    .where(and(between(bookings.class_date, from, until), ne(bookings.state, 'cancelled')))
    .orderBy(asc(bookings.class_date), asc(bookings.created_at), asc(bookings.id))
  return describeBookings(tx, dojoId, rows)
}

async function describeBookings(
  tx: Tx,
  dojoId: string,
  rows: readonly BookingWithLead[],
): Promise<Booking[]> {
  const leadIds = [...new Set(rows.map(({ lead }) => lead.id))]
  const visits = await tx
    .select(pick(bookings, 'id', 'lead_id', 'visitor_name', 'class_date'))
    .from(bookings)
    .where(and(equalsAny(bookings.lead_id, leadIds), ne(bookings.state, 'cancelled')))
  const missingPapers = await listMissingPapers(tx, dojoId, pluck(rows, 'booking'))
  const paidAmounts = await readPaidAmounts(
    tx,
    rows.map(({ booking }) => booking.id),
  )
  return rows.map(({ booking, lead }) => ({
    ...pick(booking, 'id', 'class_id', 'visitor_name', 'visitor_age', 'state'),
    ...pick(booking, 'language', 'source', 'created_at'),
    class_name: booking.told_class,
    day: booking.class_date,
    time: booking.told_time,
    contact_name: lead.name,
    ...pick(lead, 'phone', 'email', 'likely_person'),
    nth_visit: visits.filter(
      (visit) =>
        visit.lead_id === lead.id &&
        isSameName(visit.visitor_name, booking.visitor_name) &&
        (visit.class_date < booking.class_date || visit.id === booking.id),
    ).length,
    missing_papers: missingPapers.get(booking.id) ?? [],
    paid: paidAmounts.get(booking.id) ?? null,
  }))
}

const isSameName = (first: string, second: string): boolean =>
  first.toLowerCase() === second.toLowerCase()

/** Locks the booking, so that two presses come one after the other. Throws 404 for an unknown one. */
export async function lockBooking(tx: Tx, id: string): Promise<BookingWithLead> {
  const [booking] = await tx.select().from(bookings).where(eq(bookings.id, id)).for('update')
  const [lead] = booking ? await tx.select().from(leads).where(eq(leads.id, booking.lead_id)) : []
  if (!booking || !lead) throw notFound('Trial')
  return { booking, lead }
}

export async function readBooking(tx: Tx, dojoId: string, id: string): Promise<Booking> {
  const [booking] = await describeBookings(tx, dojoId, [await lockBooking(tx, id)])
  if (!booking) throw notFound('Trial')
  return booking
}

const CANCELED_MESSAGE = 'This trial was canceled'

export async function markBooking(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  state: BookingMark,
): Promise<Booking> {
  const { booking } = await lockBooking(tx, id)
  if (booking.state === 'cancelled') throw new Refusal(409, CANCELED_MESSAGE)
  if (booking.state === 'paying') throw new Refusal(409, 'This visitor is still paying')
  if (booking.class_date > (await todayOf(tx, caller.dojoId)))
    throw new Refusal(409, 'You can mark visitors on the day of the class')
  await tx
    .update(bookings)
    .set({ state, marked_by: caller.id, marked_at: nowIso() })
    .where(eq(bookings.id, id))
  return readBooking(tx, caller.dojoId, id)
}

/** Does nothing to a booking that no longer waits. */
export async function approveBooking(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<BookingWithLead | null> {
  const { booking, lead } = await lockBooking(tx, id)
  if (booking.state === 'cancelled') throw new Refusal(409, CANCELED_MESSAGE)
  if (booking.state !== 'held') return null
  await tx.update(bookings).set({ state: 'booked' }).where(eq(bookings.id, id))
  await recordChange(tx, caller, 'trial approved', booking)
  return { booking: { ...booking, state: 'booked' }, lead }
}

/** Does nothing to a booking that was canceled before. Throws 409 once the visitor is marked. */
export async function cancelBookingAsStaff(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<BookingWithLead | null> {
  const { booking, lead } = await lockBooking(tx, id)
  if (!(await cancelBooking(tx, caller.dojoId, booking, caller.id))) return null
  await recordChange(tx, caller, 'trial canceled', booking)
  return { booking: { ...booking, state: 'cancelled' }, lead }
}

/** The place goes to the waitlist of the class, and what was paid goes back to the visitor. Returns
 *  false if the booking was canceled before. */
export async function cancelBooking(
  tx: Tx,
  dojoId: string,
  booking: BookingRow,
  canceledBy = NO_ACTOR_ID,
): Promise<boolean> {
  if (booking.state === 'cancelled') return false
  if (booking.state === 'came' || booking.state === 'missed')
    throw new Refusal(409, 'This visitor is already marked')
  await tx.update(bookings).set({ state: 'cancelled' }).where(eq(bookings.id, booking.id))
  if (booking.state === 'booked' || booking.state === 'held')
    await recordEvent(tx, { id: canceledBy }, booking.lead_id, {
      kind: 'cancelled',
      note: `${booking.visitor_name}, ${booking.told_class}`,
    })
  await refundBooking(tx, booking.id)
  if (booking.uses_class_places && booking.state !== 'waiting')
    await giveFreePlaces(tx, dojoId, { class_id: booking.class_id, day: booking.class_date })
  return true
}

const recordChange = (
  tx: Tx,
  caller: DojoCaller,
  action: 'trial approved' | 'trial canceled',
  { told_class, class_date }: BookingRow,
) => auditAction(tx, caller, action, { details: { class_name: told_class, day: class_date } })
