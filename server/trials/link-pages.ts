import { formatMoneyInText } from '@tatami/contract/lib/money'
import { escapeHtml } from '../lib/html.ts'
import {
  formatDayIn,
  PAGE_WORDS,
  phoneLink,
  renderDocument,
  renderZone,
  type VisiblePage,
} from '../public-page/public-page.ts'
import { renderPapers } from './booking-pages.ts'
import type { VisitorChoices } from './change-by-visitor.ts'
import type { BookingRow } from './bookings.ts'
import type { TrialPaymentRow } from './payments.ts'
import { isFull, type TrialDate } from './trial-dates.ts'
import { TRIAL_WORDS, type TrialWords } from './words.ts'

export type LinkPage = {
  /** Where the visitor signs. */
  signPath: string
  booking: BookingRow
  choices: VisitorChoices
  /** The free days, while the visitor chooses a new one. */
  newDates: readonly TrialDate[] | null
  /** True if the visitor pressed Cancel and has not confirmed it yet. */
  asksToCancel: boolean
  /** What nobody has signed yet. */
  missingPapers: readonly string[]
  /** The code for the kiosk, as the address of an image. Null if the school has no kiosk. */
  codeImage: string | null
  /** What was paid online. Null for a free trial. */
  payment: TrialPaymentRow | null
  /** Why the last press did nothing, or that it worked. */
  notice: 'moved' | 'taken' | 'tooLate' | null
}

/** What a visitor sees who opens the link in an email. */
export function renderLinkPage(visiblePage: VisiblePage, page: LinkPage): string {
  const { booking } = page
  const words = TRIAL_WORDS[booking.language]
  const body = [
    `<h1>${words.yourTrial}</h1>`,
    renderNotice(page, words),
    renderStep(visiblePage, page, words),
  ]
  return renderDocument({
    language: booking.language,
    title: `${words.yourTrial} · ${visiblePage.school.name}`,
    school: visiblePage.school,
    home: `/d/${visiblePage.page.slug}?lang=${booking.language}`,
    body: body.join('\n'),
  })
}

function renderStep(visiblePage: VisiblePage, page: LinkPage, words: TrialWords): string {
  const { booking, newDates, asksToCancel } = page
  if (newDates !== null) return renderNewDates(visiblePage, booking, newDates)
  if (asksToCancel) return renderCancelQuestion(visiblePage, booking, words)
  return renderBooking(visiblePage, page, words)
}

const renderDate = (
  { page }: VisiblePage,
  { language, told_class, told_date, told_time }: BookingRow,
): string => {
  const dateText = `${formatDayIn(language, told_date)}, ${told_time}`
  return `<p><b lang="${page.language}">${escapeHtml(told_class)}</b><br>${escapeHtml(dateText)}</p>`
}

function renderCancelQuestion(
  visiblePage: VisiblePage,
  booking: BookingRow,
  words: TrialWords,
): string {
  const isWaiting = booking.state === 'waiting'
  return `<h2>${isWaiting ? words.leaveQuestion : words.cancelQuestion}</h2>
${renderDate(visiblePage, booking)}
<form method="post"><input type="hidden" name="action" value="cancel">
<button>${isWaiting ? words.yesLeave : words.yesCancel}</button></form>
<p class="links"><a href="?">${words.keep}</a></p>`
}

function renderNotice({ notice }: LinkPage, words: TrialWords): string {
  if (notice === null) return ''
  if (notice === 'moved') return `<p class="note good" role="status">${words.moved}</p>`
  const text = notice === 'taken' ? words.errors.taken : words.tooLate
  return `<p class="note" role="alert">${text}</p>`
}

function describeState({ state, visitor_name }: BookingRow, words: TrialWords): string {
  if (state === 'waiting') return words.isWaiting(visitor_name)
  if (state === 'held') return words.isHeld(visitor_name)
  if (state === 'booked') return words.isBooked(visitor_name)
  if (state === 'came') return words.hasCome(visitor_name)
  return state === 'cancelled' ? words.isCanceled : words.isOver
}

function renderBooking(
  visiblePage: VisiblePage,
  { booking, choices, signPath, missingPapers, codeImage, payment }: LinkPage,
  words: TrialWords,
): string {
  const { page, timeZone } = visiblePage
  const { language } = booking
  const hasPlace = booking.state === 'held' || booking.state === 'booked'
  const isTooLate = !choices.mayMove && (hasPlace || booking.state === 'waiting')
  const pageWords = PAGE_WORDS[language]
  return `<p>${escapeHtml(describeState(booking, words))}</p>
${renderDate(visiblePage, booking)}
${renderZone(timeZone, language)}
${renderPayment(payment, words)}
${hasPlace || booking.state === 'came' ? renderPapers({ names: missingPapers, href: signPath }, words) : ''}
${hasPlace ? renderCode(codeImage, words) : ''}
${page.address === null ? '' : `<p lang="${page.language}">${escapeHtml(page.address)}</p>`}
${page.bring === null ? '' : `<h2>${pageWords.bring}</h2><p class="pre" lang="${page.language}">${escapeHtml(page.bring)}</p>`}
${isTooLate ? `<p>${words.tooLate} ${words.pleaseCall}</p>` : ''}
${page.phone === null ? '' : `<p>${phoneLink(page.phone, pageWords.call(page.phone))}</p>`}
${renderActions(booking, choices, words)}`
}

function renderPayment(payment: TrialPaymentRow | null, words: TrialWords): string {
  if (!payment) return ''
  const amount = formatMoneyInText(payment.amount)
  return `<p>${payment.state === 'paid' ? words.paid(amount) : words.paidBack(amount)}</p>`
}

const renderCode = (image: string | null, words: TrialWords): string =>
  image === null
    ? ''
    : `<h2>${words.codeTitle}</h2><p>${words.codeNote}</p>
<p><img src="${image}" width="240" height="240" alt="${words.codeTitle}"></p>`

function renderActions(
  { state }: BookingRow,
  { mayMove, mayCancel }: VisitorChoices,
  words: TrialWords,
): string {
  const isOver = state === 'missed' || state === 'cancelled'
  const moveText = isOver ? words.newTrial : words.move
  const cancelText = state === 'waiting' ? words.leaveWaitlist : words.cancel
  const moveLink = mayMove ? `<p><a class="button" href="?move=1">${moveText}</a></p>` : ''
  const cancelLink = mayCancel ? `<p class="links"><a href="?cancel=1">${cancelText}</a></p>` : ''
  return moveLink + cancelLink
}

const MAX_NEW_DATES = 20

function renderNewDates(
  { page, timeZone }: VisiblePage,
  { language }: BookingRow,
  newDates: readonly TrialDate[],
): string {
  const words = TRIAL_WORDS[language]
  const freeDates = newDates.filter((trialDate) => !isFull(trialDate)).slice(0, MAX_NEW_DATES)
  if (freeDates.length === 0) return `<p>${words.noDays}</p>`
  const choices = freeDates.map(({ date }, index) => {
    const dateText = `${formatDayIn(language, date.day)}, ${date.time}`
    const checkedAttribute = index === 0 ? ' checked' : ''
    return `<label class="check"><input type="radio" name="date"
value="${date.class_id} ${date.day}"${checkedAttribute}><span><b lang="${page.language}">${escapeHtml(date.class_name)}</b>
${escapeHtml(dateText)}</span></label>`
  })
  return `<form method="post"><input type="hidden" name="action" value="move">
<fieldset><legend>${words.chooseDay}</legend>${choices.join('')}</fieldset>
<button>${words.move}</button></form>
${renderZone(timeZone, language)}`
}

export const renderInvalidLink = (): string =>
  renderDocument({
    language: 'en',
    title: TRIAL_WORDS.en.invalidLink,
    school: null,
    home: null,
    body: `<h1>${TRIAL_WORDS.en.invalidLink}</h1><p lang="es">${TRIAL_WORDS.es.invalidLink}</p>`,
  })
