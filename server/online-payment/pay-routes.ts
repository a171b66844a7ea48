import { positiveDollars } from '@tatami/contract/ledger/ledger'
import { PAY_PATH } from '@tatami/contract/online-payment/online-payment'
import {
  cleanMoneyInput,
  formatMoneyInText,
  parseMoney,
  toCents,
  toDollars,
} from '@tatami/contract/lib/money'
import { eq, getTableColumns } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { App } from '../http/serve.ts'
import { readDojoCard } from '../pictures/pictures.ts'
import { MIN_CENTS } from './amounts.ts'
import { readComingDebit } from './autopay/coming-debit.ts'
import { totalCents } from './autopay/covered-lines.ts'
import { startCheckout } from './checkout.ts'
import { lineKey, readPendingMoney, sumWaitingCents } from './live-lines.ts'
import { findJustPaid, lookAtPayment } from './look-at-stripe.ts'
import { readNextMonth } from './next-month.ts'
import { readLines } from './open-checkout.ts'
import { readOwedLines } from './owed-lines.ts'
import { dojoOfPayToken, findPayPageSubject, type PayPageSubject } from './pay-links.ts'
import { type PayPage, renderMessagePage, renderPayPage } from './pay-page.ts'
import { readPriceNotes, readUsedCreditCents } from './price-notes.ts'
import { type Provider, ProviderFailure } from './provider.ts'
import { refundedAmount } from './refunded-amount.ts'
import { findProvider, type OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayments } from './tables.ts'

type PayRequest = FastifyRequest<{ Params: { token: string } }>

/** A whole school may be behind one IP address. */
const RATE_LIMIT = { max: 300, timeWindow: 60_000 }
const FORM_LIMIT_BYTES = 1024
const HTML = 'text/html; charset=utf-8'
const INVALID_LINK = 'This link is not valid. Please ask your school for a new one.'
const TRY_AGAIN =
  'The payment service is not responding right now. Please try again in a few minutes.'
const TURNED_OFF = 'Online payment is turned off right now. Please pay at the school.'

const TOO_LITTLE =
  'This is less than the $0.50 that can be paid online. It waits for the next payment.'

type Subject = PayPageSubject & { dojoId: string }

/** Finds the payer whose page this is. Returns null if the token is invalid for any reason. */
async function findSubject(
  { db, anonymousQueue }: App,
  { params: { token }, ip }: PayRequest,
): Promise<Subject | null> {
  const dojoId = dojoOfPayToken(token)
  if (dojoId === null) return null
  const subject = await anonymousQueue(requesterByAddress(ip), () =>
    db.inDojo(dojoId, (tx) => findPayPageSubject(tx, token)),
  )
  return subject && { ...subject, dojoId }
}

const sendInvalidLink = (reply: FastifyReply): FastifyReply =>
  reply.status(404).type(HTML).send(renderMessagePage(INVALID_LINK))

async function readPage(
  tx: Tx,
  context: OnlinePaymentContext,
  { dojoId, payer, paymentId, sentCents }: Subject,
): Promise<PayPage> {
  const { dojo_name, dojo_color, dojo_logo } = await readDojoCard(tx)
  const provider = await findProvider(tx, context)
  const pendingMoney = await readPendingMoney(tx, payer)
  const owedLines = await readOwedLines(tx, dojoId, payer)
  const lines = owedLines.filter((line) => !pendingMoney.keys.has(lineKey(line)))
  const priceNotes = await readPriceNotes(tx, dojoId, lines)
  return {
    schoolName: dojo_name,
    color: dojo_color,
    logo: dojo_logo,
    mode: provider ? modeOf(provider) : 'live',
    lines: lines.map((line) => ({ ...line, note: priceNotes.get(lineKey(line)) ?? null })),
    usedCreditCents: await readUsedCreditCents(tx, dojoId, lines),
    pendingCents: pendingMoney.cents,
    waitingCents: sumWaitingCents(owedLines, pendingMoney),
    comingDebit: provider ? await readComingDebit(tx, dojoId, payer, lines) : null,
    nextDue: provider && owedLines.length === 0 ? await readNextMonth(tx, dojoId, payer) : null,
    payment: paymentId === null ? null : await readPayment(tx, dojoId, paymentId),
    formerCents: null,
    sentCents: sentCents === totalCents(owedLines) ? null : sentCents,
    wrongPart: null,
    isReplaced: false,
    error: provider ? errorOfAmount(totalCents(lines)) : TURNED_OFF,
  }
}

const errorOfAmount = (cents: number): string | null =>
  cents > 0 && cents < MIN_CENTS ? TOO_LITTLE : null

function modeOf({ isLive, isSimulated, countsAsMoney }: Provider): PayPage['mode'] {
  if (isLive) return 'live'
  if (isSimulated) return 'simulation'
  return countsAsMoney ? 'stand_in' : 'test'
}

async function readPayment(tx: Tx, dojoId: string, paymentId: string): Promise<PayPage['payment']> {
  const [payment] = await tx
    .select({ ...getTableColumns(onlinePayments), refunded: refundedAmount })
    .from(onlinePayments)
    .where(eq(onlinePayments.id, paymentId))
  if (!payment) return null
  const { time_zone } = await dojoById(tx, dojoId)
  const paidLines = await readLines(tx, paymentId)
  return {
    state: payment.state,
    cents: toCents(payment.amount),
    isDeclined: payment.decline_code !== null,
    paidOn: payment.paid_at === null ? null : todayIn(time_zone, new Date(payment.paid_at)),
    refundedCents: toCents(payment.refunded),
    lines: paidLines.map(({ name, amount }) => ({ name, cents: toCents(amount) })),
  }
}

/** Sends the payer to Stripe, or shows the page again with the new amount or an error. */
async function sendToCheckout(
  app: App,
  context: OnlinePaymentContext,
  request: PayRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const subject = await findSubject(app, request)
  if (!subject) return sendInvalidLink(reply)
  const { dojoId, payer } = subject
  const shownCents = readShownCents(request.body)
  const part = readPart(request.body, shownCents ?? 0)
  if ('wrongPart' in part) return sendPage(app, context, subject, reply, part)
  const order = { shownCents: shownCents ?? 0, partCents: part.cents }
  try {
    const result = await startCheckout(context, dojoId, payer.id, order)
    if (result.kind === 'redirect') return await reply.redirect(result.url, 303)
    if (result.kind === 'just_paid')
      return await sendPage(app, context, { ...subject, paymentId: result.paymentId }, reply)
    const overrides = {
      ...(result.kind === 'changed' && { formerCents: shownCents }),
      ...(result.kind === 'replaced' && { isReplaced: true }),
      ...(result.kind === 'off' && { error: TURNED_OFF }),
    }
    return await sendPage(app, context, subject, reply, overrides)
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
    return sendPage(app, context, subject, reply, { error: TRY_AGAIN })
  }
}

/** What the page showed as owed. Null if the form did not come from the page. */
function readShownCents(body: unknown): number | null {
  const shownText = new URLSearchParams(String(body)).get('shown') ?? ''
  return /^\d{1,9}$/.test(shownText) ? Number(shownText) : null
}

const partAmount = positiveDollars('Amount')

type Part = { cents: number | null } | Pick<PayPage, 'wrongPart'>
const MAX_PART_TEXT = 20

/** What the payer wants to pay of what is owed. No cents to pay everything. */
function readPart(body: unknown, shownCents: number): Part {
  const text = new URLSearchParams(String(body)).get('part')
  if (text === null) return { cents: null }
  const { data: amount } = partAmount.safeParse(parseMoney(cleanMoneyInput(text)))
  const cents = amount === undefined ? 0 : toCents(amount)
  if (cents >= MIN_CENTS && cents <= shownCents) return { cents }
  const limits = [MIN_CENTS, shownCents].map((limit) => formatMoneyInText(toDollars(limit)))
  const error = `Please enter an amount from ${limits.join(' to ')}.`
  return { wrongPart: { text: text.slice(0, MAX_PART_TEXT), error } }
}

async function sendPage(
  { db }: App,
  context: OnlinePaymentContext,
  subject: Subject,
  reply: FastifyReply,
  overrides: Partial<PayPage> = {},
): Promise<FastifyReply> {
  const { page, checkoutOrigin } = await db.inDojo(subject.dojoId, async (tx) => ({
    page: await readPage(tx, context, subject),
    checkoutOrigin: (await findProvider(tx, context))?.checkoutOrigin ?? '',
  }))
  allowCheckout(reply, checkoutOrigin)
  return reply
    .header('cache-control', 'no-store')
    .type(HTML)
    .send(renderPayPage({ ...page, ...overrides }))
}

/** Browsers also apply `form-action` to the redirect that follows the form. A school may have an
 *  address of its own for its pages at Stripe, and a server that stands in for Stripe may have no
 *  https. */
function allowCheckout(reply: FastifyReply, checkoutOrigin: string): void {
  const policy = reply.getHeader('content-security-policy')
  if (typeof policy !== 'string') return
  const widerPolicy = policy.replace(
    "form-action 'self'",
    `form-action 'self' https: ${checkoutOrigin}`.trim(),
  )
  void reply.header('content-security-policy', widerPolicy)
}

/** `/pay/:token` is plain HTML, so that it works on any phone. */
export function mountPayPage(app: App, context: OnlinePaymentContext): void {
  void app.http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_, body, callback) => callback(null, body),
    )
    const config = { rateLimit: RATE_LIMIT }
    scope.get<{ Params: { token: string } }>(
      `${PAY_PATH}/:token`,
      { config },
      async (request, reply) => {
        const subject = await findSubject(app, request)
        if (!subject) return sendInvalidLink(reply)
        return sendPage(app, context, await lookFirst(context, subject), reply)
      },
    )
    scope.post<{ Params: { token: string } }>(`${PAY_PATH}/:token`, { config }, (request, reply) =>
      sendToCheckout(app, context, request, reply),
    )
  })
}

/** Whoever comes back from Stripe, or opens the link again after paying there, sees the payment. */
async function lookFirst(context: OnlinePaymentContext, subject: Subject): Promise<Subject> {
  const { dojoId, payer, paymentId } = subject
  if (paymentId === null)
    return { ...subject, paymentId: await findJustPaid(context, dojoId, payer.id) }
  await lookAtPayment(context, dojoId, paymentId)
  return subject
}
