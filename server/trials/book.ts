import type { Language } from '@tatami/contract/public-page/public-page'
import type { ContactPurpose } from '@tatami/contract/trials/trials'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { and, asc, eq, gte, ne, type SQL, sql } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
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
import type { BookingRow, BookingWithLead, LeadRow } from './bookings.ts'
import { type Contact, findOrCreateLead, findSimilarLeads } from './leads.ts'
import { listOpenOffers, type OfferRow } from './offers.ts'
import { addPaper, asksForPapers } from './papers.ts'
import {
  addTrialPayment,
  countPayments,
  findOnlinePrice,
  findPaymentOfForm,
  MAX_PAYMENTS_OF_BOOKING,
  needsApprovalAfterPayment,
  type Price,
} from './payments.ts'
import { bookingPapers, bookings } from './tables.ts'
import { isFull, listTrialDates, type TrialDate } from './trial-dates.ts'

/** Even bookings that wait for an instructor end at so many a day, or at three times the number
 *  that the school allows, if that is more. */
const MAX_HELD_PER_DAY = 100
/** Whoever repeats a booking more often cannot sign again from the page. */
const MAX_FORMS_OF_BOOKING = 5
const HOUR_MS = 3_600_000

export type BookingRequest = Contact & {
  class_id: string
  day: string
  visitor_name: string
  visitor_age: number
  visitor_birthday: string | null
  name: string
  is_for: 'self' | 'child'
  language: Language
  source: string
  purposes: ContactPurpose[]
  form_key: string
  address_hash: string
  /** True if the visitor waits for a place if the date is full. */
  waits: boolean
}

/** What visitors read after the form. */
export type BookedState = 'booked' | 'held' | 'waiting' | 'paying'

/** `booked` has no `created` if the visitor was booked before. The visitor must not notice. */
export type BookingResult =
  | { kind: 'booked'; state: BookedState; created: BookingWithLead | null; hasPapers: boolean }
  | { kind: 'full'; trialDate: TrialDate; nextDates: TrialDate[] }
  | { kind: 'closed' }
  | { kind: 'too many' }

type PageRow = typeof publicPages.$inferSelect
type Limits = Pick<PageRow, 'is_on' | 'bookings_per_hour' | 'bookings_per_day'>

/** The lock makes bookings of one school come one after the other. */
export async function lockPage(tx: Tx): Promise<Limits> {
  const rows = await tx
    .select(pick(publicPages, 'is_on', 'bookings_per_hour', 'bookings_per_day'))
    .from(publicPages)
    .for('update')
  return firstRow(rows)
}

export async function bookTrial(
  tx: Tx,
  dojoId: string,
  request: BookingRequest,
  publicUrl: string,
): Promise<BookingResult> {
  const limits = await lockPage(tx)
  const bookingsToday = await countBookings(tx, hoursAgo(24))
  const isFlood = bookingsToday >= limits.bookings_per_day
  const earlierAnswer = await findAnswerToForm(tx, request, isFlood)
  if (earlierAnswer) return earlierAnswer
  const similarLeads = await findSimilarLeads(tx, request)
  const leadIds = pluck(similarLeads, 'id')
  const maxBookings = Math.max(MAX_HELD_PER_DAY, 3 * limits.bookings_per_day)
  if (bookingsToday >= maxBookings || (await hasBookedTooOften(tx, request, leadIds, limits)))
    return { kind: 'too many' }
  const offers = await listOpenOffers(tx)
  const offer = offers.find(({ class_ids }) => class_ids.includes(request.class_id))
  if (!offer) return { kind: 'closed' }
  const hasPapers = await asksForPapers(tx, offer)
  const onlinePrice = await findOnlinePrice(tx, offer, publicUrl)
  const sameBooking = await findSameBooking(tx, leadIds, request)
  if (sameBooking) {
    const mayAddPaper = hasPapers && (await countForms(tx, sameBooking.id)) < MAX_FORMS_OF_BOOKING
    if (mayAddPaper) await addPaperOfForm(tx, sameBooking.id, request)
    if (onlinePrice) return payAgain(tx, sameBooking.id, request, onlinePrice, mayAddPaper)
    const state = answerState(sameBooking, isFlood)
    return { kind: 'booked', state, created: null, hasPapers: mayAddPaper }
  }
  const dateResult = await findFreeDate(tx, dojoId, offer, request)
  // Somebody who has to pay cannot get a place without doing anything.
  const mayWait = request.waits && !onlinePrice
  if ('kind' in dateResult && !(dateResult.kind === 'full' && mayWait)) return dateResult
  const needsApproval = isFlood || (await hasHadAllVisits(tx, leadIds, request, offer))
  const freeState = needsApproval ? 'held' : 'booked'
  const stateWithPlace = onlinePrice ? 'paying' : freeState
  const booking = await createBooking(tx, dojoId, request, {
    similarLeads,
    ...('kind' in dateResult
      ? { trialDate: dateResult.trialDate, state: 'waiting' }
      : { trialDate: dateResult, state: stateWithPlace }),
  })
  if (hasPapers) await addPaperOfForm(tx, booking.booking.id, request)
  if (onlinePrice) {
    const payment = { booking_id: booking.booking.id, needs_approval: needsApproval }
    await addTrialPayment(tx, { ...onlinePrice, ...payment, form_key: request.form_key })
    return { kind: 'booked', state: 'paying', created: null, hasPapers }
  }
  await notifyOfBooking(tx, dojoId, booking.booking)
  const state = answerState(booking.booking, isFlood)
  return { kind: 'booked', state, created: booking, hasPapers }
}

/** The page must not tell a stranger that somebody is booked. Whoever pays for a trial that is
 *  booked already gets the money back. */
async function payAgain(
  tx: Tx,
  booking_id: string,
  { form_key }: BookingRequest,
  price: Price,
  hasPapers: boolean,
): Promise<BookingResult> {
  if ((await countPayments(tx, booking_id)) >= MAX_PAYMENTS_OF_BOOKING) return { kind: 'too many' }
  const needs_approval = await needsApprovalAfterPayment(tx, booking_id)
  await addTrialPayment(tx, { ...price, booking_id, form_key, needs_approval })
  return { kind: 'booked', state: 'paying', created: null, hasPapers }
}

/** A visitor who had too many trials must not learn it from the page, so only a flood is told. */
const answerState = ({ state }: Pick<BookingRow, 'state'>, isFlood: boolean): BookedState => {
  if (state === 'waiting') return 'waiting'
  return isFlood ? 'held' : 'booked'
}

/** A form that is sent twice gets the same answer. */
async function findAnswerToForm(
  tx: Tx,
  { form_key }: BookingRequest,
  isFlood: boolean,
): Promise<BookingResult | null> {
  const [booking] = await tx
    .select(pick(bookings, 'state'))
    .from(bookings)
    .where(eq(bookings.form_key, form_key))
  const hasPapers = (await tx.$count(bookingPapers, eq(bookingPapers.form_key, form_key))) > 0
  if (await findPaymentOfForm(tx, form_key))
    return { kind: 'booked', state: 'paying', created: null, hasPapers }
  if (!booking && !hasPapers) return null
  const state = booking ? answerState(booking, isFlood) : 'booked'
  return { kind: 'booked', state, created: null, hasPapers }
}

const countForms = (tx: Tx, bookingId: string): Promise<number> =>
  tx.$count(bookingPapers, eq(bookingPapers.booking_id, bookingId))

const addPaperOfForm = (tx: Tx, bookingId: string, request: BookingRequest) =>
  addPaper(tx, {
    form_key: request.form_key,
    booking_id: bookingId,
    visitor: pick(request, 'visitor_name', 'visitor_birthday', 'email'),
  })

type NewBooking = {
  similarLeads: readonly LeadRow[]
  trialDate: TrialDate
  state: BookedState
}

async function createBooking(
  tx: Tx,
  dojoId: string,
  request: BookingRequest,
  { similarLeads, trialDate, state }: NewBooking,
): Promise<BookingWithLead> {
  const lead = await findOrCreateLead(
    tx,
    pick(request, 'name', 'email', 'phone', 'is_for', 'language', 'source', 'purposes'),
    similarLeads,
  )
  const { time_zone } = await dojoById(tx, dojoId)
  const booking = await insertBooking(tx, {
    ...pick(request, 'visitor_name', 'visitor_age', 'visitor_birthday', 'source', 'language'),
    ...pick(request, 'form_key', 'address_hash'),
    lead_id: lead.id,
    ...bookingOn(trialDate, time_zone),
    state,
  })
  return { booking, lead }
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
  return { kind: 'full', trialDate, nextDates: classDates.filter((date) => !isFull(date)) }
}

const hoursAgo = (hours: number): string =>
  new Date(now().getTime() - hours * HOUR_MS).toISOString()

const countBookings = (tx: Tx, firstInstant: string, condition?: SQL): Promise<number> =>
  tx.$count(bookings, and(gte(bookings.created_at, firstInstant), condition))

async function hasBookedTooOften(
  tx: Tx,
  { address_hash }: BookingRequest,
  leadIds: string[],
  { bookings_per_hour: limit }: Limits,
): Promise<boolean> {
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

/** True if the visitor has had all trials that the offer allows, or had the first one too long ago. */
export async function hasHadAllVisits(
  tx: Tx,
  leadIds: string[],
  { visitor_name, day }: Visitor & { day: string },
  { visits, within_days }: Pick<OfferRow, 'visits' | 'within_days'>,
): Promise<boolean> {
  const earlierVisits = await tx
    .select({ day: bookings.class_date })
    .from(bookings)
    .where(and(isOfVisitor(leadIds, { visitor_name }), ne(bookings.state, 'waiting')))
    .orderBy(asc(bookings.class_date))
  const [firstVisit] = earlierVisits
  if (!firstVisit) return false
  const isTooLate = within_days !== null && day >= addDays(firstVisit.day, within_days)
  return isTooLate || earlierVisits.length >= visits
}

async function findSameBooking(
  tx: Tx,
  leadIds: string[],
  request: BookingRequest,
): Promise<Pick<BookingRow, 'id' | 'state'> | null> {
  const [booking] = await tx
    .select(pick(bookings, 'id', 'state'))
    .from(bookings)
    .where(
      and(
        isOfVisitor(leadIds, request),
        eq(bookings.class_id, request.class_id),
        eq(bookings.class_date, request.day),
        ne(bookings.state, 'missed'),
      ),
    )
    .orderBy(asc(bookings.created_at), asc(bookings.id))
  return booking ?? null
}

/** The columns of a booking that follow from the date. */
export const bookingOn = ({ date, offer }: TrialDate, timeZone: string) => ({
  ...bookedDate(date, timeZone),
  offer_id: offer.id,
  uses_class_places: offer.uses_class_places,
})

/** In hexadecimal digits, because scanners type like keyboards. */
const CODE_BYTES = 24

export async function insertBooking(
  tx: Tx,
  booking: typeof bookings.$inferInsert,
): Promise<BookingRow> {
  const check_in_code = randomBytes(CODE_BYTES).toString('hex').toUpperCase()
  return firstRow(
    await tx
      .insert(bookings)
      .values({ ...booking, check_in_code })
      .returning(),
  )
}

const NOTICE_TITLES: Partial<Record<BookingRow['state'], string>> = {
  held: 'Trial to approve',
  waiting: 'Trial on the waitlist',
}

const notifyOfBooking = (tx: Tx, dojoId: string, booking: BookingRow) =>
  notifyStaff(tx, dojoId, 'students.edit', {
    title: NOTICE_TITLES[booking.state] ?? 'Trial booked',
    message:
      `${booking.visitor_name} (${booking.visitor_age}): ${booking.told_class}, ` +
      `${formatDay(booking.told_date)}, ${booking.told_time}`,
    opens: '/trials',
  })
