import { addDays } from '@tatami/contract/lib/calendar-day'
import { type ClassDate, isOver } from '@tatami/contract/calendar/timetable'
import { and, between, eq, isNull, lt } from 'drizzle-orm'
import { findClassDate, readDojoTime } from '../calendar/timetable/timetable.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { hourIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { formatDay } from '../lib/format-day.ts'
import type { Email } from '../lib/mail.ts'
import { pluck } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { bookedDate } from './booked-date.ts'
import { type BookingRow, type BookingWithLead, cancelBooking } from './bookings.ts'
import type { MailKind } from './mail-words.ts'
import { bookings, leads, trialOffers } from './tables.ts'
import { planCalls } from './missed-calls.ts'
import { tellVisitor } from './tell-visitor.ts'

export const findDojosWithTrialsToCheck = async (overseerTx: Tx): Promise<string[]> =>
  pluck(
    await overseerTx
      .selectDistinct({ dojo_id: bookings.dojo_id })
      .from(bookings)
      .where(eq(bookings.needs_check, true)),
    'dojo_id',
  )

const readWithLeads = (tx: Tx, condition: ReturnType<typeof and>): Promise<BookingWithLead[]> =>
  tx
    .select({ booking: bookings, lead: leads })
    .from(bookings)
    .innerJoin(leads, eq(leads.id, bookings.lead_id))
    .where(condition)
    .orderBy(bookings.id)

const isLive = ({ state }: BookingRow): boolean =>
  state === 'booked' || state === 'held' || state === 'waiting'

/** Tells visitors whose class was moved or canceled since they were last told. */
export async function checkTrials(tx: Tx, dojoId: string, publicUrl: string): Promise<Email[]> {
  const rows = await readWithLeads(tx, eq(bookings.needs_check, true))
  await tx.update(bookings).set({ needs_check: false }).where(eq(bookings.needs_check, true))
  const { time_zone } = await dojoById(tx, dojoId)
  const emails: Email[] = []
  for (const row of rows) {
    if (!isLive(row.booking)) continue
    const email = await checkTrial(tx, dojoId, row, time_zone, publicUrl)
    if (email) emails.push(email)
  }
  return emails
}

async function checkTrial(
  tx: Tx,
  dojoId: string,
  { booking, lead }: BookingWithLead,
  timeZone: string,
  publicUrl: string,
): Promise<Email | null> {
  const date = await findClassDate(tx, booking.class_id, booking.class_date)
  if (date?.status !== 'on') return tellCanceled(tx, dojoId, { booking, lead }, publicUrl)
  if (isOver(date, await readDojoTime(tx, dojoId)) || isAsTold(booking, date)) return null
  const newDate = bookedDate(date, timeZone)
  await tx.update(bookings).set(newDate).where(eq(bookings.id, booking.id))
  // Somebody who waits learns the day and time together with the place.
  if (booking.state === 'waiting') return null
  return tell(tx, dojoId, 'moved', { booking: { ...booking, ...newDate }, lead }, publicUrl)
}

const isAsTold = ({ told_date, told_time }: BookingRow, { day, time }: ClassDate): boolean =>
  told_date === day && told_time === time

async function tellCanceled(
  tx: Tx,
  dojoId: string,
  { booking, lead }: BookingWithLead,
  publicUrl: string,
): Promise<Email | null> {
  await cancelBooking(tx, dojoId, booking)
  if (booking.class_date < (await readDojoTime(tx, dojoId)).day) return null
  const canceledBooking: BookingRow = { ...booking, state: 'cancelled' }
  return tell(tx, dojoId, 'canceled', { booking: canceledBooking, lead }, publicUrl)
}

/** Asks the instructors to call somebody whom neither an email nor a text reaches. */
async function tell(
  tx: Tx,
  dojoId: string,
  kind: MailKind,
  { booking, lead }: BookingWithLead,
  publicUrl: string,
): Promise<Email | null> {
  const { email, isTexted } = await tellVisitor(tx, dojoId, kind, { booking, lead }, publicUrl)
  if (!email && !isTexted)
    await notifyStaff(tx, dojoId, 'students.contact', {
      title: kind === 'moved' ? 'Trial moved: please call' : 'Trial canceled: please call',
      message:
        `${lead.name} cannot be reached otherwise. ${booking.visitor_name}: ${booking.told_class}, ` +
        `${formatDay(booking.told_date)}, ${booking.told_time}`,
      opens: '/trials',
    })
  return email
}

export const findDojosWithUnmarkedTrials = async (overseerTx: Tx): Promise<string[]> =>
  pluck(
    await overseerTx
      .selectDistinct({ dojo_id: bookings.dojo_id })
      .from(bookings)
      .where(isUnmarked()),
    'dojo_id',
  )

const isUnmarked = () => and(eq(bookings.state, 'booked'), lt(bookings.missed_after, nowIso()))

/** Two hours after a class, visitors who are not marked have missed it. */
export async function markMissedTrials(tx: Tx): Promise<void> {
  await tx.update(bookings).set({ state: 'missed' }).where(isUnmarked())
}

/** Reminders go out between 8 AM and this hour. */
const LAST_REMINDER_HOUR = 20

/** Reminds visitors of tomorrow's trials, unless they booked less than a day ahead. */
export async function sendTrialReminders(
  tx: Tx,
  dojoId: string,
  today: string,
  publicUrl: string,
): Promise<Email[]> {
  const { time_zone } = await dojoById(tx, dojoId)
  if (hourIn(time_zone) >= LAST_REMINDER_HOUR) return []
  const rows = await readWithLeads(
    tx,
    and(
      eq(bookings.state, 'booked'),
      eq(bookings.class_date, addDays(today, 1)),
      isNull(bookings.reminded_at),
    ),
  )
  return writeOnce(tx, dojoId, 'reminder', rows, publicUrl)
}

/** After some days, a message about a missed trial would only confuse. */
export const MISSED_DAYS = 3

/** Writes once, on the morning after a missed trial, and then plans a call. */
export async function sendMissedNotices(
  tx: Tx,
  dojoId: string,
  today: string,
  publicUrl: string,
): Promise<Email[]> {
  const rows = await readWithLeads(
    tx,
    and(
      eq(bookings.state, 'missed'),
      between(bookings.class_date, addDays(today, -MISSED_DAYS), addDays(today, -1)),
      isNull(bookings.missed_notice_at),
    ),
  )
  const emails = await writeOnce(tx, dojoId, 'missed', rows, publicUrl)
  const missedBookings = pluck(rows, 'booking')
  await tx
    .update(bookings)
    .set({ missed_notice_at: nowIso() })
    .where(equalsAny(bookings.id, pluck(missedBookings, 'id')))
  await planCalls(tx, pluck(missedBookings, 'lead_id'), today)
  return emails
}

const ONCE = {
  reminder: { column: 'reminded_at', setting: 'sends_reminders' },
  missed: { column: 'missed_notice_at', setting: 'writes_when_missed' },
} as const

/** Leaves out visitors of offers for which the school has turned this off. */
async function writeOnce(
  tx: Tx,
  dojoId: string,
  kind: keyof typeof ONCE,
  rows: readonly BookingWithLead[],
  publicUrl: string,
): Promise<Email[]> {
  const { column, setting } = ONCE[kind]
  const offers = await tx.select().from(trialOffers).where(eq(trialOffers[setting], true))
  const offerIds = new Set(pluck(offers, 'id'))
  const emails: Email[] = []
  for (const row of rows) {
    if (!offerIds.has(row.booking.offer_id)) continue
    await tx
      .update(bookings)
      .set({ [column]: nowIso() })
      .where(eq(bookings.id, row.booking.id))
    const { email } = await tellVisitor(tx, dojoId, kind, row, publicUrl)
    if (email) emails.push(email)
  }
  return emails
}

/** For the overseer: the dojos with trials on these days. */
export const findDojosWithTrialsOn = (overseerTx: Tx, firstDay: string, lastDay: string) =>
  overseerTx
    .selectDistinct({ dojo_id: bookings.dojo_id })
    .from(bookings)
    .where(between(bookings.class_date, firstDay, lastDay))
