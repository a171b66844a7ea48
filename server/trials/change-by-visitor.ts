import { and, eq, inArray, sql } from 'drizzle-orm'
import { giveFreePlaces } from '../calendar/dates/places.ts'
import { findClassDate, readDojoTime } from '../calendar/timetable/timetable.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { formatDay } from '../lib/format-day.ts'
import { firstRow } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { bookingOn, findFreeDate, insertBooking, lockPage } from './book.ts'
import { type BookingRow, type BookingWithLead, cancelBooking, lockBooking } from './bookings.ts'
import { listOpenOffers, type OfferRow } from './offers.ts'
import { bookingLinks, bookings, trialOffers } from './tables.ts'
import { isOpen, listTrialDates, type TrialDate } from './trial-dates.ts'

/** What the visitor may do with the link. Somebody who missed or canceled the trial can choose a
 *  new day. */
export type VisitorChoices = { mayMove: boolean; mayCancel: boolean }

export async function findChoices(
  tx: Tx,
  dojoId: string,
  booking: BookingRow,
): Promise<VisitorChoices> {
  if (booking.state === 'came' || booking.state === 'paying')
    return { mayMove: false, mayCancel: false }
  const [offer] = await tx.select().from(trialOffers).where(eq(trialOffers.id, booking.offer_id))
  // A new trial that has a price is booked and paid on the school's page.
  if (booking.state === 'missed' || booking.state === 'cancelled')
    return { mayMove: offer?.price === null, mayCancel: false }
  const date = await findClassDate(tx, booking.class_id, booking.class_date)
  const isBeforeCutoff =
    date?.status !== 'on' || !offer || isOpen(date, offer, await readDojoTime(tx, dojoId))
  return { mayMove: isBeforeCutoff, mayCancel: isBeforeCutoff }
}

/** Days of all classes for the visitor's age, those of the booked class first. */
export async function listNewDates(
  tx: Tx,
  dojoId: string,
  booking: BookingRow,
): Promise<TrialDate[]> {
  const offers = await listOffersFor(tx, booking)
  const trialDates = await listTrialDates(tx, await readDojoTime(tx, dojoId), offers)
  const newDates = trialDates.filter(
    ({ date }) => date.class_id !== booking.class_id || date.day !== booking.class_date,
  )
  const isOwnClass = ({ date }: TrialDate) => date.class_id === booking.class_id
  return [...newDates.filter(isOwnClass), ...newDates.filter((date) => !isOwnClass(date))]
}

/** Offers of the same price, for the visitor's age. */
async function listOffersFor(tx: Tx, { offer_id, visitor_age }: BookingRow): Promise<OfferRow[]> {
  const [bookedOffer] = await tx.select().from(trialOffers).where(eq(trialOffers.id, offer_id))
  const offers = await listOpenOffers(tx)
  return offers.filter(
    (offer) => isForAge(offer, visitor_age) && offer.price === (bookedOffer?.price ?? null),
  )
}

const isForAge = ({ min_age, max_age }: OfferRow, age: number): boolean =>
  (min_age === null || min_age <= age) && (max_age === null || age <= max_age)

export type MoveResult =
  | { kind: 'moved'; booking: BookingWithLead }
  | { kind: 'full' | 'closed' | 'too late' }

export async function moveByVisitor(
  tx: Tx,
  dojoId: string,
  id: string,
  target: { class_id: string; day: string },
): Promise<MoveResult> {
  await lockPage(tx)
  const { booking, lead } = await lockBooking(tx, id)
  if (booking.class_id === target.class_id && booking.class_date === target.day && isLive(booking))
    return { kind: 'moved', booking: { booking, lead } }
  if (!(await findChoices(tx, dojoId, booking)).mayMove) return { kind: 'too late' }
  const offers = await listOffersFor(tx, booking)
  const offer = offers.find(({ class_ids }) => class_ids.includes(target.class_id))
  if (!offer || (await isBookedOn(tx, booking, target))) return { kind: 'closed' }
  const trialDate = await findFreeDate(tx, dojoId, offer, target)
  if ('kind' in trialDate) return { kind: trialDate.kind === 'full' ? 'full' : 'closed' }
  const { time_zone } = await dojoById(tx, dojoId)
  const newBooking = isLive(booking)
    ? await moveBooking(tx, dojoId, booking, bookingOn(trialDate, time_zone))
    : await rebook(tx, booking, bookingOn(trialDate, time_zone))
  await notifyOfChange(tx, dojoId, 'Trial moved', newBooking)
  return { kind: 'moved', booking: { booking: newBooking, lead } }
}

const isLive = ({ state }: BookingRow): boolean =>
  state === 'held' || state === 'booked' || state === 'waiting'

type NewDate = ReturnType<typeof bookingOn>

async function moveBooking(
  tx: Tx,
  dojoId: string,
  booking: BookingRow,
  newDate: NewDate,
): Promise<BookingRow> {
  const isWaiting = booking.state === 'waiting'
  const rows = await tx
    .update(bookings)
    .set({ ...newDate, ...(isWaiting && { state: 'booked' }) })
    .where(eq(bookings.id, booking.id))
    .returning()
  if (booking.uses_class_places && !isWaiting)
    await giveFreePlaces(tx, dojoId, { class_id: booking.class_id, day: booking.class_date })
  return firstRow(rows)
}

/** A second booking, because the first one stays missed or canceled. The links lead to the new
 *  one. Nobody is written to twice because of a missed trial. */
async function rebook(tx: Tx, booking: BookingRow, newDate: NewDate): Promise<BookingRow> {
  const newBooking = await insertBooking(tx, {
    ...booking,
    ...newDate,
    id: newId(),
    form_key: newId(),
    state: 'booked',
    needs_check: false,
    marked_by: null,
    marked_at: null,
    created_at: undefined,
  })
  await tx
    .update(bookingLinks)
    .set({ booking_id: newBooking.id })
    .where(eq(bookingLinks.booking_id, booking.id))
  return newBooking
}

export async function isBookedOn(
  tx: Tx,
  { lead_id, visitor_name }: BookingRow,
  { class_id, day }: { class_id: string; day: string },
): Promise<boolean> {
  const bookingCount = await tx.$count(
    bookings,
    and(
      eq(bookings.lead_id, lead_id),
      eq(bookings.class_id, class_id),
      eq(bookings.class_date, day),
      sql`lower(${bookings.visitor_name}) = lower(${visitor_name})`,
      inArray(bookings.state, ['paying', 'held', 'booked', 'came']),
    ),
  )
  return bookingCount > 0
}

/** Returns false if it is too late. */
export async function cancelByVisitor(tx: Tx, dojoId: string, id: string): Promise<boolean> {
  await lockPage(tx)
  const { booking } = await lockBooking(tx, id)
  if (booking.state === 'cancelled') return true
  if (!(await findChoices(tx, dojoId, booking)).mayCancel) return false
  if (await cancelBooking(tx, dojoId, booking))
    await notifyOfChange(tx, dojoId, 'Trial canceled', booking)
  return true
}

const notifyOfChange = (
  tx: Tx,
  dojoId: string,
  title: 'Trial moved' | 'Trial canceled',
  { visitor_name, told_class, told_date, told_time }: BookingRow,
) =>
  notifyStaff(tx, dojoId, 'students.edit', {
    title,
    message: `${visitor_name}: ${told_class}, ${formatDay(told_date)}, ${told_time}`,
    opens: '/trials',
  })
