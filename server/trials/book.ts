import type { Language } from '@tatami/contract/public-page/public-page'
import type { ContactPurpose } from '@tatami/contract/trials/trials'
import { and, eq, gte, ne, type SQL, sql } from 'drizzle-orm'
import { lockClass } from '../calendar/dates/places.ts'
import { readDojoTime } from '../calendar/timetable/timetable.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { now } from '../lib/clock.ts'
import { formatDay } from '../lib/format-day.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { publicPages } from '../public-page/tables.ts'
import { bookedDate } from './booked-date.ts'
import type { BookingRow, BookingWithLead } from './bookings.ts'
import { type Contact, findOrCreateLead, findSimilarLeads } from './leads.ts'
import { listOpenOffers, type OfferRow } from './offers.ts'
import { bookings } from './tables.ts'
import { isFull, listTrialDates, type TrialDate } from './trial-dates.ts'

export const LIMITS = {
  bookingsPerHour: 5,
  /** From then on, an instructor has to approve the bookings of the day. */
  bookingsPerDay: 30,
  heldPerDay: 100,
} as const
const HOUR_MS = 3_600_000

export type BookingRequest = Contact & {
  class_id: string
  day: string
  visitor_name: string
  visitor_age: number
  name: string
  is_for: 'self' | 'child'
  language: Language
  source: string
  purposes: ContactPurpose[]
  form_key: string
  address_hash: string
}

/** `booked` has no `created` if the visitor was booked before. The visitor must not notice. */
export type BookingResult =
  | { kind: 'booked'; isHeld: boolean; created: BookingWithLead | null }
  | { kind: 'full'; nextDates: TrialDate[] }
  | { kind: 'closed' }
  | { kind: 'too many' }

/** The lock makes bookings of one school come one after the other. */
export const lockPage = (tx: Tx) =>
  tx.select({ slug: publicPages.slug }).from(publicPages).for('update')

export async function bookTrial(
  tx: Tx,
  dojoId: string,
  request: BookingRequest,
): Promise<BookingResult> {
  await lockPage(tx)
  const bookingsToday = await countBookings(tx, hoursAgo(24))
  const isFlood = bookingsToday >= LIMITS.bookingsPerDay
  const asBefore: BookingResult = { kind: 'booked', isHeld: isFlood, created: null }
  if ((await tx.$count(bookings, eq(bookings.form_key, request.form_key))) > 0) return asBefore
  const similarLeads = await findSimilarLeads(tx, request)
  const leadIds = pluck(similarLeads, 'id')
  if (bookingsToday >= LIMITS.heldPerDay || (await hasBookedTooOften(tx, request, leadIds)))
    return { kind: 'too many' }
  const offers = await listOpenOffers(tx)
  const offer = offers.find(({ class_ids }) => class_ids.includes(request.class_id))
  if (!offer) return { kind: 'closed' }
  if (await isBooked(tx, leadIds, request)) return asBefore
  const trialDate = await findFreeDate(tx, dojoId, offer, request)
  if ('kind' in trialDate) return trialDate
  const visits = await countVisits(tx, leadIds, request)
  const lead = await findOrCreateLead(tx, request, similarLeads)
  const state = isFlood || visits >= offer.visits ? 'held' : 'booked'
  const { time_zone } = await dojoById(tx, dojoId)
  const booking = await insertBooking(tx, {
    ...pick(request, 'visitor_name', 'visitor_age', 'source', 'language', 'form_key'),
    address_hash: request.address_hash,
    lead_id: lead.id,
    ...bookingOn(trialDate, time_zone),
    state,
  })
  await notifyOfBooking(tx, dojoId, booking)
  return { kind: 'booked', isHeld: isFlood, created: { booking, lead } }
}

/** Locks the class, so that nobody else takes the last place at the same time. */
export async function findFreeDate(
  tx: Tx,
  dojoId: string,
  offer: OfferRow,
  { class_id, day }: Pick<BookingRequest, 'class_id' | 'day'>,
): Promise<TrialDate | Exclude<BookingResult, { kind: 'booked' }>> {
  await lockClass(tx, class_id)
  const trialDates = await listTrialDates(tx, await readDojoTime(tx, dojoId), [offer])
  const classDates = trialDates.filter(({ date }) => date.class_id === class_id)
  const trialDate = classDates.find(({ date }) => date.day === day)
  if (!trialDate) return { kind: 'closed' }
  if (!isFull(trialDate)) return trialDate
  return { kind: 'full', nextDates: classDates.filter((date) => !isFull(date)) }
}

const hoursAgo = (hours: number): string =>
  new Date(now().getTime() - hours * HOUR_MS).toISOString()

const countBookings = (tx: Tx, firstInstant: string, condition?: SQL): Promise<number> =>
  tx.$count(bookings, and(gte(bookings.created_at, firstInstant), condition))

async function hasBookedTooOften(
  tx: Tx,
  { address_hash }: BookingRequest,
  leadIds: string[],
): Promise<boolean> {
  const limit = LIMITS.bookingsPerHour
  const anHourAgo = hoursAgo(1)
  const ofAddress = await countBookings(tx, anHourAgo, eq(bookings.address_hash, address_hash))
  const ofContact = await countBookings(tx, anHourAgo, equalsAny(bookings.lead_id, leadIds))
  return ofAddress >= limit || ofContact >= limit
}

type Visitor = Pick<BookingRequest, 'visitor_name'>

const isOfVisitor = (leadIds: string[], { visitor_name }: Visitor) =>
  and(
    equalsAny(bookings.lead_id, leadIds),
    sql`lower(${bookings.visitor_name}) = lower(${visitor_name})`,
    ne(bookings.state, 'cancelled'),
  )

const countVisits = (tx: Tx, leadIds: string[], visitor: Visitor): Promise<number> =>
  tx.$count(bookings, isOfVisitor(leadIds, visitor))

async function isBooked(tx: Tx, leadIds: string[], request: BookingRequest): Promise<boolean> {
  const bookingCount = await tx.$count(
    bookings,
    and(
      isOfVisitor(leadIds, request),
      eq(bookings.class_id, request.class_id),
      eq(bookings.class_date, request.day),
      ne(bookings.state, 'missed'),
    ),
  )
  return bookingCount > 0
}

/** The columns of a booking that follow from the date. */
export const bookingOn = ({ date, offer }: TrialDate, timeZone: string) => ({
  ...bookedDate(date, timeZone),
  offer_id: offer.id,
  uses_class_places: offer.uses_class_places,
})

export const insertBooking = async (
  tx: Tx,
  booking: typeof bookings.$inferInsert,
): Promise<BookingRow> => firstRow(await tx.insert(bookings).values(booking).returning())

const notifyOfBooking = (tx: Tx, dojoId: string, booking: BookingRow) =>
  notifyStaff(tx, dojoId, 'students.edit', {
    title: booking.state === 'held' ? 'Trial to approve' : 'Trial booked',
    message:
      `${booking.visitor_name} (${booking.visitor_age}): ${booking.told_class}, ` +
      `${formatDay(booking.told_date)}, ${booking.told_time}`,
    opens: '/trials',
  })
