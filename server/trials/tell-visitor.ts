import { hourIn } from '../dojos/calendar.ts'
import type { Tx } from '../db/database.ts'
import type { Email } from '../lib/mail.ts'
import { formatDayIn, readVisiblePage, type VisiblePage } from '../public-page/public-page.ts'
import { readUsageToday } from '../texting/allowance.ts'
import { queueBatch } from '../texting/batches.ts'
import { findOptOuts } from '../texting/opt-outs.ts'
import { createBookingLink } from './booking-links.ts'
import type { BookingWithLead } from './bookings.ts'
import { composeEmail } from './emails.ts'
import { MAIL_WORDS, type MailKind } from './mail-words.ts'

/** Texts that do not answer a visitor wait for nothing: outside these hours, there is none. */
const FIRST_TEXT_HOUR = 8
const LAST_TEXT_HOUR = 21

export type SentMessages = {
  /** To be sent after the commit. */
  email: Email | null
  isTexted: boolean
}

/** Tells a visitor by email, and by text if they ticked the box for it. */
export async function tellVisitor(
  tx: Tx,
  dojoId: string,
  kind: MailKind,
  row: BookingWithLead,
  publicUrl: string,
): Promise<SentMessages> {
  const email = await composeEmail(tx, dojoId, kind, row, publicUrl)
  // Nobody gets two messages about a missed trial.
  const isTexted =
    kind === 'missed' && email ? false : await textVisitor(tx, dojoId, kind, row, publicUrl)
  return { email, isTexted }
}

async function textVisitor(
  tx: Tx,
  dojoId: string,
  kind: MailKind,
  row: BookingWithLead,
  publicUrl: string,
): Promise<boolean> {
  const { phone, purposes } = row.lead
  const visiblePage = await readVisiblePage(tx, dojoId)
  if (phone === null || !visiblePage || !purposes.includes('service_text')) return false
  if (!isTextTime(kind, visiblePage)) return false
  if ((await findOptOuts(tx, [phone])).has(phone)) return false
  if ((await readUsageToday(tx)).remaining_messages < 1) return false
  const link = await createBookingLink(tx, dojoId, row.booking.id, publicUrl)
  const text = composeText(kind, visiblePage, row, link)
  await queueBatch(tx, dojoId, { kind: 'trial', text, texts: [{ phone, text, students: [] }] })
  return true
}

/** Somebody who has just booked is awake. */
function isTextTime(kind: MailKind, { timeZone }: VisiblePage): boolean {
  const hour = hourIn(timeZone)
  const isAnswer = kind === 'booked' || kind === 'held' || kind === 'waiting'
  return isAnswer || (FIRST_TEXT_HOUR <= hour && hour < LAST_TEXT_HOUR)
}

function composeText(
  kind: MailKind,
  { school }: VisiblePage,
  { booking }: BookingWithLead,
  link: string,
): string {
  const words = MAIL_WORDS[booking.language]
  const { told_class, told_date, told_time, language } = booking
  const dateText = `${told_class}, ${formatDayIn(language, told_date)}, ${told_time}`
  const opening = `${school.name}: ${words.openings[kind](booking.visitor_name)} ${dateText}.`
  const isOver = kind === 'canceled' || kind === 'missed' || kind === 'refunded'
  return `${opening} ${isOver ? words.chooseAgain(link) : words.change(link)} ${words.stop}`
}
