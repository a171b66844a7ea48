/** Gives free places to visitors who wait for them. */
import { hasBegun } from '@tatami/contract/calendar/timetable'
import { asc, eq } from 'drizzle-orm'
import { giveFreePlaces, lockClass } from '../calendar/dates/places.ts'
import { findClassDate, readDojoTime } from '../calendar/timetable/timetable.ts'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { formatDay } from '../lib/format-day.ts'
import type { Email } from '../lib/mail.ts'
import { pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { bookingOn, hasHadAllVisits, lockPage } from './book.ts'
import type { BookingRow, BookingWithLead } from './bookings.ts'
import { listOpenOffers } from './offers.ts'
import { bookings, leads } from './tables.ts'
import { tellVisitor } from './tell-visitor.ts'
import { listTrialDates, type TrialDate } from './trial-dates.ts'

const isWaiting = eq(bookings.state, 'waiting')

export const findDojosWithWaitingTrials = async (overseerTx: Tx): Promise<string[]> =>
  pluck(
    await overseerTx.selectDistinct({ dojo_id: bookings.dojo_id }).from(bookings).where(isWaiting),
    'dojo_id',
  )

/** Those who have waited longest come first. Students on the waitlist of the class come before. */
export async function giveTrialPlaces(tx: Tx, dojoId: string, publicUrl: string): Promise<Email[]> {
  const { is_on } = await lockPage(tx)
  const rows = await tx
    .select({ booking: bookings, lead: leads })
    .from(bookings)
    .innerJoin(leads, eq(leads.id, bookings.lead_id))
    .where(isWaiting)
    .orderBy(asc(bookings.created_at), asc(bookings.id))
  const emails: Email[] = []
  for (const row of rows) {
    if (await endWait(tx, dojoId, row.booking)) continue
    const trialDate = is_on ? await findPlace(tx, dojoId, row.booking) : null
    const email = trialDate && (await givePlace(tx, dojoId, row, trialDate, publicUrl))
    if (email) emails.push(email)
  }
  return emails
}

/** Ends waiting once the class has begun. Returns true if it has. */
async function endWait(
  tx: Tx,
  dojoId: string,
  { id, class_id, class_date }: BookingRow,
): Promise<boolean> {
  const dojoTime = await readDojoTime(tx, dojoId)
  const date = await findClassDate(tx, class_id, class_date)
  const isOver = date ? hasBegun(date, dojoTime) : class_date < dojoTime.day
  if (isOver) await tx.update(bookings).set({ state: 'cancelled' }).where(eq(bookings.id, id))
  return isOver
}

async function findPlace(
  tx: Tx,
  dojoId: string,
  { class_id, class_date: day }: BookingRow,
): Promise<TrialDate | null> {
  await lockClass(tx, class_id)
  await giveFreePlaces(tx, dojoId, { class_id, day })
  const offers = (await listOpenOffers(tx)).filter(({ class_ids }) => class_ids.includes(class_id))
  const trialDates = await listTrialDates(tx, await readDojoTime(tx, dojoId), offers)
  const trialDate = trialDates.find(({ date }) => date.class_id === class_id && date.day === day)
  return trialDate && trialDate.placesLeft !== 0 ? trialDate : null
}

async function givePlace(
  tx: Tx,
  dojoId: string,
  { booking, lead }: BookingWithLead,
  trialDate: TrialDate,
  publicUrl: string,
): Promise<Email | null> {
  const { time_zone } = await dojoById(tx, dojoId)
  const visit = { visitor_name: booking.visitor_name, day: booking.class_date }
  const needsApproval = await hasHadAllVisits(tx, [lead.id], visit, trialDate.offer)
  const values = {
    ...bookingOn(trialDate, time_zone),
    state: needsApproval ? ('held' as const) : ('booked' as const),
  }
  await tx.update(bookings).set(values).where(eq(bookings.id, booking.id))
  const newBooking: BookingRow = { ...booking, ...values }
  const kind = needsApproval ? 'held' : 'free'
  const row = { booking: newBooking, lead }
  const { email, isTexted } = await tellVisitor(tx, dojoId, kind, row, publicUrl)
  await notifyOfPlace(tx, dojoId, newBooking, email !== null || isTexted)
  return email
}

/** Asks the staff to call a visitor whom no message reaches. */
const notifyOfPlace = (
  tx: Tx,
  dojoId: string,
  { visitor_name, told_class, told_date, told_time }: BookingRow,
  isTold: boolean,
) =>
  notifyStaff(tx, dojoId, isTold ? 'students.edit' : 'students.contact', {
    title: isTold ? 'Trial booked from the waitlist' : 'Trial has a place: please call',
    message: `${visitor_name}: ${told_class}, ${formatDay(told_date)}, ${told_time}`,
    opens: '/trials',
  })
