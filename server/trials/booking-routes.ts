import { PUBLIC_PAGE_PATH, WIDGET_PATH } from '@tatami/contract/public-page/public-page'
import type { FastifyReply } from 'fastify'
import { readDojoTime } from '../calendar/timetable/timetable.ts'
import type { Tx } from '../db/database.ts'
import type { App } from '../http/serve.ts'
import { escapeHtml } from '../lib/html.ts'
import { limitPerKey } from '../lib/limit-per-key.ts'
import type { Mailer } from '../lib/mail.ts'
import { Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { findUsableAccount, type OnlinePaymentContext } from '../online-payment/online-payment.ts'
import { sha256 } from '../lib/secrets.ts'
import {
  openVisit,
  sendDocument,
  sendErrorPage,
  VISITOR_RATE_LIMIT,
  type VisiblePage,
  type VisitorRequest,
} from '../public-page/public-page.ts'
import { type BookedState, type BookingRequest, type BookingResult, bookTrial } from './book.ts'
import { SIGN_PATH } from './booking-links.ts'
import {
  type BookingForm,
  defaultKinds,
  hasWaitlist,
  renderBooked,
  renderClassChoice,
  renderDayChoice,
  renderForm,
  renderTooMany,
  trialHref,
  type TrialView,
} from './booking-pages.ts'
import { listOpenOffers } from './offers.ts'
import { createFormLink, listPapersOfForm } from './papers.ts'
import { PAY_PATH } from './payment-paths.ts'
import {
  checkForm,
  checkFormKey,
  EMPTY_FORM,
  type FormErrors,
  newFormKey,
  readDay,
  readValues,
  readVisitorKind,
} from './read-form.ts'
import { tellVisitor } from './tell-visitor.ts'
import { isFull, listTrialDates, type TrialDate } from './trial-dates.ts'

const FORM_LIMIT_BYTES = 8 * 1024

export type BookingOptions = {
  mail: Mailer
  publicUrl: string
  payments: OnlinePaymentContext
}

type TrialChoices = { trialDates: TrialDate[]; paysOnline: boolean }

const readChoices =
  (publicUrl: string) =>
  async (tx: Tx, { dojoId }: VisiblePage): Promise<TrialChoices> => {
    const offers = await listOpenOffers(tx)
    return {
      trialDates: await listTrialDates(tx, await readDojoTime(tx, dojoId), offers),
      paysOnline:
        offers.some(({ price }) => price !== null) &&
        (await findUsableAccount(tx, publicUrl)) !== null,
    }
  }

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Only letters and digits, because it comes from a link that anybody can write. */
const sourceOf = ({ query }: VisitorRequest, isWidget: boolean): string =>
  /^[\w-]{1,40}$/.exec(textOf(query.from))?.[0] ?? (isWidget ? 'widget' : 'page')

/** Only sites that the school has allowed may show the form in a frame. */
const frameAncestorsOf = ({ page }: VisiblePage, { isWidget }: TrialView): string =>
  isWidget && page.allowed_sites.length > 0 ? page.allowed_sites.join(' ') : "'none'"

type Answer = { html: string; status?: number }

export function sendAnswer(
  reply: FastifyReply,
  visiblePage: VisiblePage,
  view: TrialView,
  { html, status = 200 }: Answer,
): FastifyReply {
  void reply.header('x-robots-tag', 'noindex')
  return sendDocument(reply, html, { status, frameAncestors: frameAncestorsOf(visiblePage, view) })
}

/** Class, then day, then the form. Each step is a page of its own, so that Back works. */
function renderStep(
  visiblePage: VisiblePage,
  view: TrialView,
  trialDates: readonly TrialDate[],
  query: VisitorRequest['query'],
): string {
  const classDates = trialDates.filter(({ date }) => date.class_id === query.class)
  const [firstDate] = classDates
  if (!firstDate) return renderClassChoice(visiblePage, view, trialDates)
  const day = readDay(query.day)
  const trialDate = classDates.find(({ date }) => date.day === day)
  const mayWait = query.wait === '1' && hasWaitlist(firstDate.offer, view)
  if (!trialDate || (isFull(trialDate) && !mayWait))
    return renderDayChoice(visiblePage, view, firstDate.date.class_name, classDates)
  const form = newForm(trialDate, readVisitorKind(query.for))
  return renderForm(visiblePage, view, { ...form, waits: isFull(trialDate) })
}

const newForm = (trialDate: TrialDate, chosenKind: BookingForm['kind'] | null): BookingForm => {
  const kinds = defaultKinds(trialDate.offer)
  const kind = kinds.find((choice) => choice === chosenKind) ?? kinds[0] ?? 'child'
  const formKey = newFormKey()
  return { trialDate, kind, values: EMPTY_FORM, errors: {}, formKey, waits: false }
}

async function showStep(
  app: App,
  { publicUrl }: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
) {
  const visit = await openVisit(app, publicUrl, request, reply, readChoices(publicUrl))
  if (!visit) return reply
  const { visiblePage, data } = visit
  const { trialDates, paysOnline } = data
  const view = { ...visit.view, source: sourceOf(request, visit.view.isWidget), paysOnline }
  const html = renderStep(visiblePage, view, trialDates, request.query)
  return sendAnswer(reply, visiblePage, view, { html })
}

/** The page after the form. It says nothing that is not in the address already. */
async function showBooked(
  app: App,
  { publicUrl }: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
) {
  const { day, time, paper } = request.query
  const formKey = textOf(paper)
  const visit = await openVisit(app, publicUrl, request, reply, (tx, { dojoId }) =>
    listPapersOfForm(tx, dojoId, formKey),
  )
  if (!visit) return reply
  const { visiblePage, data: names } = visit
  const source = sourceOf(request, visit.view.isWidget)
  const view = { ...visit.view, source, paysOnline: false }
  const html = renderBooked(visiblePage, view, {
    state: readDay(day) === null ? 'held' : readState(request.query.state),
    day: readDay(day) ?? '2000-01-01',
    time: textOf(time).slice(0, 40),
    papers: {
      names,
      href: escapeHtml(
        `${view.base}/trial/${SIGN_PATH}?${new URLSearchParams({ paper: formKey })}`,
      ),
    },
  })
  return sendAnswer(reply, visiblePage, view, { html })
}

const readState = (text: unknown): Exclude<BookedState, 'paying'> =>
  (['held', 'waiting'] as const).find((state) => state === text) ?? 'booked'

/** Leads to the page for signing. Without anything to sign, back to the form. */
async function openSigning(
  app: App,
  { publicUrl }: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
) {
  const visit = await openVisit(app, publicUrl, request, reply, (tx, { dojoId }) =>
    createFormLink(tx, dojoId, textOf(request.query.paper)),
  )
  if (!visit) return reply
  return reply.redirect(visit.data ?? `${visit.view.base}/trial`, 303)
}

async function sendForm(
  app: App,
  options: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
) {
  const { publicUrl } = options
  const visit = await openVisit(app, publicUrl, request, reply, readChoices(publicUrl))
  if (!visit) return reply
  const { visiblePage, data } = visit
  const { trialDates, paysOnline } = data
  const view = { ...visit.view, source: sourceOf(request, visit.view.isWidget), paysOnline }
  const form = new URLSearchParams(textOf(request.body))
  const classDates = trialDates.filter(({ date }) => date.class_id === form.get('class'))
  const [chosenDay, waitMark] = textOf(form.get('day')).split(' ')
  const trialDate = classDates.find(({ date }) => date.day === chosenDay)
  // The class was canceled or moved since the form was opened.
  if (!trialDate) {
    const query = { class: form.get('class') ?? '' }
    const html = renderStep(visiblePage, view, trialDates, query)
    return sendAnswer(reply, visiblePage, view, { html, status: 409 })
  }
  const answer = checkRequest(trialDate, form)
  const waits = waitMark === 'wait' && hasWaitlist(trialDate.offer, view)
  if ('errors' in answer) {
    const html = renderForm(visiblePage, view, { ...answer, waits })
    return sendAnswer(reply, visiblePage, view, { html, status: 422 })
  }
  const result = await bookOrGiveUp(app, options, visiblePage, {
    ...answer.visitor,
    class_id: trialDate.date.class_id,
    day: trialDate.date.day,
    language: view.language,
    source: view.source,
    form_key: textOf(form.get('key')),
    address_hash: sha256(`${visiblePage.dojoId} ${request.ip}`),
    waits,
  })
  const emptyForm = newForm(trialDate, readVisitorKind(form.get('for')))
  if (!result) {
    const sentForm = { ...emptyForm, values: readValues(form), formKey: textOf(form.get('key')) }
    const busyForm = { ...sentForm, waits, errors: { form: 'busy' } } satisfies BookingForm
    void reply.header('retry-after', RETRY_AFTER_SECONDS)
    const html = renderForm(visiblePage, view, busyForm)
    return sendAnswer(reply, visiblePage, view, { html, status: 503 })
  }
  return sendResult(reply, visiblePage, view, result, {
    ...emptyForm,
    values: readValues(form),
    ...(result.kind === 'booked' && { formKey: textOf(form.get('key')) }),
  })
}

function checkRequest(trialDate: TrialDate, form: URLSearchParams) {
  const kind = readVisitorKind(form.get('for')) ?? 'child'
  const values = readValues(form)
  const keyState = checkFormKey(textOf(form.get('key')))
  const emptyForm = { ...newForm(trialDate, kind), kind }
  if (form.get('subject_line') !== '' || keyState === 'invalid')
    return { ...emptyForm, values, errors: { form: 'again' } } satisfies BookingForm
  if (keyState === 'too fast')
    // Keeps the key, so that sending once more works as soon as a person would be ready.
    return {
      ...emptyForm,
      values,
      errors: { form: 'again' },
      formKey: textOf(form.get('key')),
    } satisfies BookingForm
  const rules = { ...trialDate.offer, day: trialDate.date.day }
  const checkedForm = checkForm(values, kind, rules)
  return 'visitor' in checkedForm
    ? checkedForm
    : ({ ...emptyForm, ...checkedForm } satisfies BookingForm)
}

const BUSY_TIMEOUT_MS = 20_000
const RETRY_AFTER_SECONDS = 5
const createBusyRefusal = () =>
  new Refusal(503, 'The service is busy. Please try again in a moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
/** Bookings of one school wait here and not in the database, so that a flood of them does not take
 *  the connections of everybody else. */
const oneAtATime = limitPerKey(1, BUSY_TIMEOUT_MS, createBusyRefusal)

/** Null if too many others are booking. The visitor can send the same form again. */
const bookOrGiveUp = (...parameters: Parameters<typeof book>): Promise<BookingResult | null> =>
  book(...parameters).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 503) return null
    throw error
  })

/** Sends the email after the commit. */
async function book(
  { db }: App,
  { mail, publicUrl }: BookingOptions,
  { dojoId }: VisiblePage,
  request: BookingRequest,
): Promise<BookingResult> {
  const { result, email } = await oneAtATime(dojoId, () =>
    db.inDojo(dojoId, async (tx) => {
      const bookingResult = await bookTrial(tx, dojoId, request, publicUrl)
      const newBooking = bookingResult.kind === 'booked' ? bookingResult.created : null
      if (!newBooking) return { result: bookingResult, email: null }
      const { state } = newBooking.booking
      const kind = state === 'held' || state === 'waiting' ? state : 'booked'
      return {
        result: bookingResult,
        ...(await tellVisitor(tx, dojoId, kind, newBooking, publicUrl)),
      }
    }),
  )
  if (email) mail.send(email)
  return result
}

function sendResult(
  reply: FastifyReply,
  visiblePage: VisiblePage,
  view: TrialView,
  result: BookingResult,
  form: BookingForm,
): FastifyReply {
  const { date, offer } = form.trialDate
  if (result.kind === 'booked' && result.state === 'paying') {
    const query = new URLSearchParams({ pay: form.formKey, lang: view.language })
    return reply.redirect(`${view.base}/trial/${PAY_PATH}?${query}`, 303)
  }
  if (result.kind === 'booked') {
    const query = {
      ...pick(date, 'day', 'time'),
      ...(result.state !== 'booked' && pick(result, 'state')),
      ...(result.hasPapers && { paper: form.formKey }),
    }
    const address = trialHref(view, query).replaceAll('&amp;', '&')
    return reply.redirect(address.replace('/trial?', '/trial/booked?'), 303)
  }
  if (result.kind === 'too many')
    return sendAnswer(reply, visiblePage, view, {
      html: renderTooMany(visiblePage, view),
      status: 429,
    })
  const nextDates = result.kind === 'full' ? result.nextDates : []
  const html = renderForm(visiblePage, view, {
    ...form,
    errors: { form: takenError(nextDates, hasWaitlist(offer, view)) },
    ...(result.kind === 'full' && { nextDates }),
  })
  return sendAnswer(reply, visiblePage, view, { html, status: 409 })
}

function takenError(nextDates: readonly TrialDate[], mayWait: boolean): FormErrors['form'] {
  if (!mayWait) return nextDates.length > 0 ? 'takenPaid' : 'takenAllPaid'
  return nextDates.length > 0 ? 'taken' : 'takenAll'
}

/** Booking works without scripts and cookies, on the school's page and in frames on other sites. */
export function mountBookingPages(app: App, options: BookingOptions): void {
  void app.http.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_, body, callback) => callback(null, body),
    )
    const pageOptions = {
      config: { rateLimit: VISITOR_RATE_LIMIT },
      errorHandler: sendErrorPage,
    }
    for (const path of [PUBLIC_PAGE_PATH, WIDGET_PATH]) {
      const trialPath = `${path}/:address/trial`
      pages.get(trialPath, pageOptions, (request: VisitorRequest, reply) =>
        showStep(app, options, request, reply),
      )
      pages.post(trialPath, pageOptions, (request: VisitorRequest, reply) =>
        sendForm(app, options, request, reply),
      )
      pages.get(`${trialPath}/${SIGN_PATH}`, pageOptions, (request: VisitorRequest, reply) =>
        openSigning(app, options, request, reply),
      )
      pages.get(`${trialPath}/booked`, pageOptions, (request: VisitorRequest, reply) =>
        showBooked(app, options, request, reply),
      )
    }
  })
}
