import { findEndMinutes, parseMinutes } from '@tatami/contract/classes/classes'
import { formatMoneyInText } from '@tatami/contract/lib/money'
import { eq } from 'drizzle-orm'
import { renderIcs } from '../calendar/feeds/ics.ts'
import { toInstant } from '../calendar/feeds/instants.ts'
import { readDojoTime } from '../calendar/timetable/timetable.ts'
import type { Tx } from '../db/database.ts'
import type { Email } from '../lib/mail.ts'
import { readLetterhead } from '../pictures/pictures.ts'
import {
  formatDayIn,
  readVisiblePage,
  timeZoneName,
  type VisiblePage,
} from '../public-page/public-page.ts'
import { createBookingLink, SIGN_PATH } from './booking-links.ts'
import type { BookingRow, BookingWithLead } from './bookings.ts'
import { MAIL_WORDS, type MailKind } from './mail-words.ts'
import { listOpenOffers } from './offers.ts'
import { listMissingPapers } from './papers.ts'
import { findPaymentOfBooking } from './payments.ts'
import { trialOffers } from './tables.ts'
import { isFull, listTrialDates } from './trial-dates.ts'
import { TRIAL_WORDS } from './words.ts'

const KINDS_WITH_CALENDAR: readonly MailKind[] = ['booked', 'free', 'moved', 'reminder']
/** A visitor who may not come after all need not sign. */
const KINDS_WITHOUT_PAPERS: readonly MailKind[] = ['waiting', 'canceled', 'missed', 'refunded']
/** How many days a canceled trial offers instead. */
const NEXT_DATES = 3

/** Null for a visitor without an email, and after the school has turned off its page. */
export async function composeEmail(
  tx: Tx,
  dojoId: string,
  kind: MailKind,
  { booking, lead }: BookingWithLead,
  publicUrl: string,
): Promise<Email | null> {
  const visiblePage = lead.email === null ? null : await readVisiblePage(tx, dojoId)
  if (lead.email === null || !visiblePage) return null
  const words = MAIL_WORDS[booking.language]
  const link = await createBookingLink(tx, dojoId, booking.id, publicUrl)
  const offersNewDay = kind === 'canceled' || kind === 'missed' || kind === 'refunded'
  const paragraphs = [
    words.hello(lead.name),
    `${words.openings[kind](booking.visitor_name)}\n${describeDate(visiblePage, booking)}`,
    await describePayment(tx, booking),
    offersNewDay
      ? await listNextDates(tx, dojoId, booking)
      : await listNotes(tx, visiblePage, booking),
    KINDS_WITHOUT_PAPERS.includes(kind) ? '' : await askForSignature(tx, dojoId, booking, link),
    offersNewDay ? words.chooseAgain(link) : words.change(link),
    visiblePage.page.phone === null ? '' : words.questions(visiblePage.page.phone),
  ]
  return {
    to: lead.email,
    subject: words.subjects[kind](visiblePage.school.name),
    text: paragraphs.filter(Boolean).join('\n\n'),
    letterhead: await readLetterhead(tx),
    ...(KINDS_WITH_CALENDAR.includes(kind) && {
      calendar: await renderBooking(tx, visiblePage, booking),
    }),
  }
}

/** What was paid for the booking, or goes back. */
async function describePayment(tx: Tx, { id, language }: BookingRow): Promise<string> {
  const payment = await findPaymentOfBooking(tx, id)
  if (!payment) return ''
  const words = TRIAL_WORDS[language]
  const amount = formatMoneyInText(payment.amount)
  return payment.state === 'paid' ? words.paid(amount) : words.paidBack(amount)
}

async function askForSignature(
  tx: Tx,
  dojoId: string,
  booking: BookingRow,
  link: string,
): Promise<string> {
  const names = (await listMissingPapers(tx, dojoId, [booking])).get(booking.id) ?? []
  return names.length === 0
    ? ''
    : MAIL_WORDS[booking.language].sign(names.join(', '), `${link}/${SIGN_PATH}`)
}

/** The class, the day with its time and time zone, and the place, one per line. */
function describeDate({ page, timeZone }: VisiblePage, booking: BookingRow): string {
  const { language, told_class, told_date, told_time } = booking
  const start = parseMinutes(told_time.split(' - ', 1)[0] ?? null)
  const instant = toInstant(told_date, start ?? 0, timeZone)
  const zone = timeZoneName(language, timeZone, instant)
  const lines = [
    told_class,
    `${formatDayIn(language, told_date)}, ${told_time} (${zone})`,
    page.address,
    page.map_url,
  ]
  return lines.filter(Boolean).join('\n')
}

async function listNotes(tx: Tx, { page }: VisiblePage, booking: BookingRow): Promise<string> {
  const words = MAIL_WORDS[booking.language]
  const [offer] = await tx.select().from(trialOffers).where(eq(trialOffers.id, booking.offer_id))
  return [page.bring === null ? null : `${words.bring}: ${page.bring}`, offer?.confirmation]
    .filter(Boolean)
    .join('\n\n')
}

/** The next free dates of the same class, or of any class if it has none. */
async function listNextDates(tx: Tx, dojoId: string, booking: BookingRow): Promise<string> {
  const offers = await listOpenOffers(tx)
  const allDates = await listTrialDates(tx, await readDojoTime(tx, dojoId), offers)
  const freeDates = allDates.filter((trialDate) => !isFull(trialDate))
  const ownDates = freeDates.filter(({ date }) => date.class_id === booking.class_id)
  const nextDates = (ownDates.length > 0 ? ownDates : freeDates).slice(0, NEXT_DATES)
  if (nextDates.length === 0) return ''
  const lines = nextDates.map(
    ({ date }) => `${date.class_name}: ${formatDayIn(booking.language, date.day)}, ${date.time}`,
  )
  return [MAIL_WORDS[booking.language].nextDates, ...lines].join('\n')
}

/** An event for the visitor's own calendar. */
async function renderBooking(
  tx: Tx,
  { dojoId, page, school, timeZone }: VisiblePage,
  booking: BookingRow,
): Promise<string> {
  const { day } = await readDojoTime(tx, dojoId)
  const [startText = '', endText = ''] = booking.told_time.split(' - ')
  const start = parseMinutes(startText)
  return renderIcs({
    name: school.name,
    timeZone,
    today: day,
    events: [
      {
        uid: booking.id,
        day: booking.told_date,
        last_day: booking.told_date,
        start,
        end: start === null ? null : (findEndMinutes(start, parseMinutes(endText)) ?? start + 60),
        title: `${booking.told_class}, ${school.name}`,
        details: page.bring,
        place: page.address,
        is_cancelled: false,
      },
    ],
  })
}
