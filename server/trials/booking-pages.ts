import type { Language } from '@tatami/contract/public-page/public-page'
import { formatMoneyInText } from '@tatami/contract/lib/money'
import { escapeHtml } from '../lib/html.ts'
import {
  formatDayIn,
  PAGE_WORDS,
  type PageView,
  phoneLink,
  renderDocument,
  renderZone,
  type VisiblePage,
} from '../public-page/public-page.ts'
import type { BookedState } from './book.ts'
import type { OfferRow } from './offers.ts'
import type { FormErrors, FormValues, VisitorKind } from './read-form.ts'
import { isFull, type TrialDate } from './trial-dates.ts'
import { TRIAL_WORDS, type TrialWords } from './words.ts'

/** From this number on, free places are only said to be there. */
const MANY_PLACES = 3

/** `source` says how the visitor came to the page, such as from a flyer. `paysOnline` is true if
 *  trials that have a price are paid before the visitor comes. */
export type TrialView = PageView & { source: string; paysOnline: boolean }

/** Somebody who has to pay cannot get a place without doing anything. */
export const hasWaitlist = ({ price }: OfferRow, { paysOnline }: TrialView): boolean =>
  price === null || !paysOnline

/** An address within the booking pages. */
export function trialHref(
  { base, language, source }: TrialView,
  query: Record<string, string> = {},
): string {
  const parameters = new URLSearchParams({ ...query, lang: language, from: source })
  return escapeHtml(`${base}/trial?${parameters}`)
}

export function renderPage(
  visiblePage: VisiblePage,
  view: TrialView,
  title: string,
  body: string,
): string {
  const { school } = visiblePage
  return renderDocument({
    language: view.language,
    title: `${title} · ${school.name}`,
    school,
    home: view.isWidget ? null : `${view.base}?lang=${view.language}`,
    body: `<h1>${escapeHtml(title)}</h1>\n${body}`,
  })
}

export const callLink = ({ page }: VisiblePage, view: TrialView): string =>
  page.phone === null
    ? ''
    : `<p>${phoneLink(page.phone, PAGE_WORDS[view.language].call(page.phone))}</p>`

export function renderClassChoice(
  visiblePage: VisiblePage,
  view: TrialView,
  trialDates: readonly TrialDate[],
): string {
  const words = TRIAL_WORDS[view.language]
  const title = words.title(visiblePage.school.name)
  const datesByClass = Map.groupBy(trialDates, ({ date }) => date.class_id)
  const rows = [...datesByClass].map(([classId, dates]) => {
    const [first] = dates
    if (!first) return ''
    const nextDate = dates.find((trialDate) => !isFull(trialDate)) ?? first
    return `<li><a href="${trialHref(view, { class: classId })}">
<b lang="${visiblePage.page.language}">${escapeHtml(first.date.class_name)}</b>
<span>${escapeHtml(words.ages(first.offer.min_age, first.offer.max_age))}${
      first.offer.price === null ? '' : ` · ${formatMoneyInText(first.offer.price)}`
    }</span>
<span class="dim next">${words.next(formatDayIn(view.language, nextDate.date.day))}</span></a></li>`
  })
  const list =
    rows.length === 0
      ? `<p>${words.noOffers}</p>${callLink(visiblePage, view)}`
      : `<h2>${words.chooseClass}</h2><ul class="rows">${rows.join('')}</ul>`
  return renderPage(visiblePage, view, title, list)
}

const describePlaces = ({ freePlaces }: TrialDate, view: TrialView): string => {
  const words = PAGE_WORDS[view.language]
  if (freePlaces === 0) return `${words.full} · ${TRIAL_WORDS[view.language].waitlist}`
  return freePlaces === null || freePlaces >= MANY_PLACES ? words.placesFree : words.fewPlaces
}

/** `hrefOf` says where a day leads. A full day leads to the waitlist. */
function renderDays(
  view: TrialView,
  trialDates: readonly TrialDate[],
  hrefOf: (trialDate: TrialDate) => string,
): string {
  const openDates = trialDates.filter(
    (trialDate) => !isFull(trialDate) || hasWaitlist(trialDate.offer, view),
  )
  const rows = openDates.map((trialDate) => {
    const { day, time } = trialDate.date
    const text = `<b>${formatDayIn(view.language, day)}</b><span>${escapeHtml(time)}</span>
<span class="dim">${describePlaces(trialDate, view)}</span>`
    return `<li><a href="${hrefOf(trialDate)}">${text}</a></li>`
  })
  return `<ul class="rows">${rows.join('')}</ul>`
}

export function renderDayChoice(
  visiblePage: VisiblePage,
  view: TrialView,
  className: string,
  trialDates: readonly TrialDate[],
): string {
  const words = TRIAL_WORDS[view.language]
  const days =
    trialDates.length === 0
      ? `<p>${words.noDays}</p>${callLink(visiblePage, view)}`
      : `<h2>${words.chooseDay}</h2>${renderDays(view, trialDates, (trialDate) =>
          trialHref(view, {
            class: trialDate.date.class_id,
            day: trialDate.date.day,
            ...(isFull(trialDate) && { wait: '1' }),
          }),
        )}${renderZone(visiblePage.timeZone, view.language)}`
  const back = `<p class="links"><a href="${trialHref(view)}">${words.otherClass}</a></p>`
  return renderPage(visiblePage, view, className, days + back)
}

export type BookingForm = {
  trialDate: TrialDate
  kind: VisitorKind
  values: FormValues
  errors: FormErrors
  formKey: string
  /** True if the date is full and the visitor waits for a place. */
  waits: boolean
  /** Other days, if this one has just been taken. */
  nextDates?: readonly TrialDate[]
}

export function renderForm(visiblePage: VisiblePage, view: TrialView, form: BookingForm): string {
  const words = TRIAL_WORDS[view.language]
  const { date } = form.trialDate
  const query = { class: date.class_id, day: date.day }
  const dateText = `${formatDayIn(view.language, date.day)}, ${date.time}`
  const body = `<p><b>${escapeHtml(dateText)}</b></p>
${renderZone(visiblePage.timeZone, view.language)}
${renderSummary(form, words)}
${renderPrice(form.trialDate, view)}
${form.waits ? `<p class="note">${words.fullNote}</p>` : ''}
${renderKinds(view, form, words)}
<form method="post" action="${trialHref(view)}">
${hiddenField('class', date.class_id)}
${form.nextDates ? renderOtherDays(view, form, form.nextDates) : hiddenField('day', form.waits ? waitingChoice(date.day) : date.day)}
${hiddenField('for', form.kind)}${hiddenField('key', form.formKey)}
${renderFields(form, words)}
<button>${form.waits ? words.sendToWaitlist : words.send}</button>
</form>
<p class="links"><a href="${trialHref(view, { class: query.class })}">${words.otherDay}</a></p>`
  return renderPage(visiblePage, view, date.class_name, body)
}

function renderPrice({ offer: { price } }: TrialDate, view: TrialView): string {
  if (price === null) return ''
  const words = TRIAL_WORDS[view.language]
  const amount = formatMoneyInText(price)
  return `<p>${view.paysOnline ? words.payOnline(amount) : words.payThere(amount)}</p>`
}

const hiddenField = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`

function renderSummary({ errors, trialDate }: BookingForm, words: TrialWords): string {
  if (Object.keys(errors).length === 0) return ''
  const text =
    errors.form === undefined
      ? words.errors.summary
      : errorText(errors.form, words, trialDate.offer)
  return `<p class="note" role="alert">${escapeHtml(text)}</p>`
}

const errorText = (
  error: NonNullable<FormErrors['form']>,
  words: TrialWords,
  { min_age, max_age }: OfferRow,
): string =>
  error === 'range' ? words.errors.range(words.ages(min_age, max_age)) : words.errors[error]

/** A class for children only, or for adults only, offers no choice. */
function renderKinds(
  view: TrialView,
  { trialDate, kind, waits }: BookingForm,
  words: TrialWords,
): string {
  const { offer, date } = trialDate
  if (defaultKinds(offer).length < 2) return ''
  const links = (['child', 'self'] as const).map((choice) => {
    const query = { class: date.class_id, day: date.day, for: choice }
    const href = trialHref(view, { ...query, ...(waits && { wait: '1' }) })
    const current = choice === kind ? ' aria-current="true"' : ''
    return `<a href="${href}"${current}>${choice === 'child' ? words.forChild : words.forMe}</a>`
  })
  return `<p class="links">${links.join('')}</p>`
}

const ADULT_AGE = 18

/** Who may come to a class, by its ages. The first is what the form begins with. */
export function defaultKinds({ min_age, max_age }: OfferRow): VisitorKind[] {
  if (min_age !== null && min_age >= ADULT_AGE) return ['self']
  return max_age !== null && max_age < ADULT_AGE ? ['child'] : ['child', 'self']
}

/** What the form sends as its day if the visitor waits for a place. */
const waitingChoice = (day: string): string => `${day} wait`

/** The next free days, and at last the waitlist of the day that is full. */
function renderOtherDays(
  view: TrialView,
  { trialDate }: BookingForm,
  nextDates: readonly TrialDate[],
): string {
  const words = TRIAL_WORDS[view.language]
  const describe = ({ date }: TrialDate) => `${formatDayIn(view.language, date.day)}, ${date.time}`
  const choices = [
    ...nextDates
      .slice(0, 3)
      .map((nextDate) => ({ value: nextDate.date.day, text: describe(nextDate) })),
    ...(hasWaitlist(trialDate.offer, view)
      ? [{ value: waitingChoice(trialDate.date.day), text: words.waitFor(describe(trialDate)) }]
      : []),
  ]
  const labels = choices.map(
    ({ value, text }, index) =>
      `<label class="check"><input type="radio" name="day" value="${value}"${
        index === 0 ? ' checked' : ''
      }><span>${escapeHtml(text)}</span></label>`,
  )
  return `<fieldset><legend>${words.chooseDay}</legend>${labels.join('')}</fieldset>`
}

type Field = {
  name: 'visitor' | 'age' | 'birthday' | 'name' | 'email' | 'phone'
  label: string
  attributes: string
}

const birthdayField = (kind: VisitorKind, words: TrialWords): Field => ({
  name: 'birthday',
  label: kind === 'child' ? words.birthdayChild : words.birthday,
  attributes: `type="date" autocomplete="${kind === 'child' ? 'off' : 'bday'}" required`,
})

function renderFields(form: BookingForm, words: TrialWords): string {
  const { kind, values, errors } = form
  const isChild = kind === 'child'
  const visitorField: Field = {
    name: 'visitor',
    label: words.visitorChild,
    attributes: 'autocomplete="off" required',
  }
  const ageField: Field = {
    name: 'age',
    label: isChild ? words.ageChild : words.age,
    attributes: 'inputmode="numeric" pattern="[0-9]{1,3}" autocomplete="off" required',
  }
  const nameField: Field = {
    name: 'name',
    label: words.name,
    attributes: 'autocomplete="name" required',
  }
  const ageOrBirthday = form.trialDate.offer.asks_birthday ? birthdayField(kind, words) : ageField
  const fields = isChild ? [visitorField, ageOrBirthday, nameField] : [nameField, ageOrBirthday]
  const contactError = errors.contact === undefined ? '' : ' aria-describedby="contact-error"'
  return `${fields.map((field) => renderField(field, form, words)).join('')}
<fieldset${contactError}><legend>${words.contact}</legend>
${errors.contact === undefined ? '' : `<p class="error" id="contact-error">${words.errors.contact}</p>`}
${renderField({ name: 'email', label: words.email, attributes: 'type="email" autocomplete="email"' }, form, words)}
${renderField({ name: 'phone', label: words.phone, attributes: 'type="tel" autocomplete="tel"' }, form, words)}
<p class="dim">${words.emailNote}</p></fieldset>
<div class="trap" aria-hidden="true"><label>${words.trap}
<input name="subject_line" tabindex="-1" autocomplete="off"></label></div>
${renderCheck('accepts_texts', words.serviceText, values.acceptsTexts)}
${renderCheck('wants_news', words.marketing, values.wantsNews)}`
}

function renderField(
  { name, label, attributes }: Field,
  { values, errors, trialDate }: BookingForm,
  words: TrialWords,
): string {
  const error = errors[name === 'birthday' ? 'age' : name]
  const errorAttributes = error ? ` aria-invalid="true" aria-describedby="${name}-error"` : ''
  const message = error
    ? `<p class="error" id="${name}-error">${escapeHtml(errorText(error, words, trialDate.offer))}</p>`
    : ''
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${escapeHtml(values[name])}" ${attributes}${errorAttributes}>${message}`
}

const renderCheck = (name: string, label: string, isChecked: boolean): string =>
  `<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked ? ' checked' : ''}>
<span>${label}</span></label>`

type BookedPage = {
  /** A trial that is not paid yet has another page. */
  state: Exclude<BookedState, 'paying'>
  day: string
  time: string
  /** What the visitor can sign, and where. */
  papers: { names: string[]; href: string }
}

const TITLES = { booked: 'bookedTitle', held: 'heldTitle', waiting: 'waitingTitle' } as const

function describeBooked(
  { state, day, time }: Pick<BookedPage, 'state' | 'day' | 'time'>,
  language: Language,
): string {
  const words = TRIAL_WORDS[language]
  return state === 'held' ? words.held : words[state](formatDayIn(language, day), time)
}

/** What follows a booking. It is the same for everybody, known to the school or not. */
export function renderBooked(
  visiblePage: VisiblePage,
  view: TrialView,
  booking: BookedPage,
): string {
  const words = TRIAL_WORDS[view.language]
  const { page } = visiblePage
  const parts = [
    `<p class="note good" role="status">${escapeHtml(describeBooked(booking, view.language))}</p>`,
    `<p>${words.mailSent}</p>`,
    booking.state === 'waiting' ? '' : renderPapers(booking.papers, words),
    page.bring === null
      ? ''
      : `<h2>${PAGE_WORDS[view.language].bring}</h2>
<p class="pre" lang="${page.language}">${escapeHtml(page.bring)}</p>`,
    page.address === null ? '' : `<p lang="${page.language}">${escapeHtml(page.address)}</p>`,
    callLink(visiblePage, view),
  ]
  return renderPage(visiblePage, view, words[TITLES[booking.state]], parts.join('\n'))
}

/** Signing opens in a tab of its own, because it does not work in frames on other sites. */
export const renderPapers = (
  { names, href }: { names: readonly string[]; href: string },
  words: TrialWords,
): string =>
  names.length === 0
    ? ''
    : `<h2>${words.signTitle}</h2><p>${escapeHtml(words.signNote(names.join(', ')))}</p>
<p><a class="button" href="${href}" target="_blank" rel="noopener">${words.sign}</a></p>`

export const renderTooMany = (visiblePage: VisiblePage, view: TrialView): string => {
  const words = PAGE_WORDS[view.language]
  return renderPage(
    visiblePage,
    view,
    words.bookTrial,
    `<p class="note" role="alert">${words.tooMany}</p>${callLink(visiblePage, view)}`,
  )
}
