import { PUBLIC_PAGE_PATH, WIDGET_PATH } from '@tatami/contract/public-page/public-page'
import { eq } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../db/database.ts'
import type { App } from '../http/serve.ts'
import { ProviderFailure } from '../online-payment/online-payment.ts'
import {
  openVisit,
  sendErrorPage,
  VISITOR_RATE_LIMIT,
  type VisiblePage,
  type VisitorRequest,
} from '../public-page/public-page.ts'
import type { TrialView } from './booking-pages.ts'
import { type BookingOptions, sendAnswer, textOf } from './booking-routes.ts'
import type { BookingRow } from './bookings.ts'
import { renderPayPage } from './payment-pages.ts'
import { CHECKOUT_PATH, PAY_PATH } from './payment-paths.ts'
import { findPaymentOfForm, openTrialCheckout, type TrialPaymentRow } from './payments.ts'
import { settleTrialPayment } from './settle-payment.ts'
import { bookings } from './tables.ts'

type PaymentOfForm = { payment: TrialPaymentRow; booking: BookingRow | null }

async function readPayment(tx: Tx, formKey: string): Promise<PaymentOfForm | null> {
  const payment = await findPaymentOfForm(tx, formKey)
  if (!payment) return null
  const [booking] =
    payment.booking_id === null
      ? []
      : await tx.select().from(bookings).where(eq(bookings.id, payment.booking_id))
  return { payment, booking: booking ?? null }
}

/** How long the page may wait for Stripe. */
const MAX_LOOK_MS = 4_000

/** Records what the visitor has just done at Stripe. A server finds out later what this misses. */
async function lookAtStripe(
  { payments: context }: BookingOptions,
  dojoId: string,
  { id, state, checkout_id }: TrialPaymentRow,
): Promise<void> {
  if (state !== 'open' || checkout_id === null) return
  const settling = settleTrialPayment(context, dojoId, id).catch((failure: unknown) => {
    if (!(failure instanceof ProviderFailure)) throw failure
  })
  await Promise.race([settling, sleep(MAX_LOOK_MS, undefined, { ref: false })])
}

type PaymentVisit = PaymentOfForm & { visiblePage: VisiblePage; view: TrialView; formKey: string }

/** Answers itself if the form is unknown, like `openVisit`. */
async function openPayment(
  app: App,
  options: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
): Promise<PaymentVisit | null> {
  const formKey = textOf(request.query.pay)
  const read = (tx: Tx) => readPayment(tx, formKey)
  const visit = await openVisit(app, options.publicUrl, request, reply, read)
  if (!visit) return null
  const { visiblePage, data } = visit
  const view = { ...visit.view, source: 'page', paysOnline: true }
  if (!data) {
    void reply.redirect(`${view.base}/trial`, 303)
    return null
  }
  return { ...data, visiblePage, view, formKey }
}

async function showPayment(
  app: App,
  options: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
) {
  const visit = await openPayment(app, options, request, reply)
  if (!visit) return reply
  const { visiblePage, formKey } = visit
  await lookAtStripe(options, visiblePage.dojoId, visit.payment)
  const current = await app.db.inDojo(visiblePage.dojoId, (tx) => readPayment(tx, formKey))
  return sendPayment(reply, { ...visit, ...current }, false)
}

/** A paid trial is booked, so its page is that of every booking. */
function sendPayment(
  reply: FastifyReply,
  { payment, booking, visiblePage, view, formKey }: PaymentVisit,
  isStripeSilent: boolean,
): FastifyReply {
  if (payment.state === 'paid' && booking) {
    const query = new URLSearchParams({
      day: booking.told_date,
      time: booking.told_time,
      ...(payment.needs_approval && { state: 'held' }),
      paper: formKey,
      lang: view.language,
    })
    return reply.redirect(`${view.base}/trial/booked?${query}`, 303)
  }
  const checkoutQuery = new URLSearchParams({ pay: formKey, lang: view.language })
  const checkoutHref = `${view.base}/trial/${CHECKOUT_PATH}?${checkoutQuery}`
  const html = renderPayPage(visiblePage, view, { payment, checkoutHref, isStripeSilent })
  return sendAnswer(reply, visiblePage, view, { html, status: isStripeSilent ? 503 : 200 })
}

/** Leads to Stripe's page, or says that Stripe does not respond. */
async function openCheckout(
  app: App,
  options: BookingOptions,
  request: VisitorRequest,
  reply: FastifyReply,
) {
  const visit = await openPayment(app, options, request, reply)
  if (!visit) return reply
  const { visiblePage, formKey, view } = visit
  const { dojoId, page } = visiblePage
  try {
    const address = await openTrialCheckout(options.payments, dojoId, formKey, page.slug)
    const query = new URLSearchParams({ pay: formKey, lang: view.language })
    return await reply.redirect(address ?? `${view.base}/trial/${PAY_PATH}?${query}`, 303)
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
    return sendPayment(reply, visit, true)
  }
}

export function mountPaymentPages(app: App, options: BookingOptions): void {
  const pageOptions = {
    config: { rateLimit: VISITOR_RATE_LIMIT },
    errorHandler: sendErrorPage,
  }
  for (const path of [PUBLIC_PAGE_PATH, WIDGET_PATH]) {
    const trialPath = `${path}/:address/trial`
    app.http.get(`${trialPath}/${PAY_PATH}`, pageOptions, (request: VisitorRequest, reply) =>
      showPayment(app, options, request, reply),
    )
    app.http.get(`${trialPath}/${CHECKOUT_PATH}`, pageOptions, (request: VisitorRequest, reply) =>
      openCheckout(app, options, request, reply),
    )
  }
}
