import { PAY_PATH } from '@tatami/contract/online-payment/online-payment'
import { toCents } from '@tatami/contract/lib/money'
import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../db/database.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { App } from '../http/serve.ts'
import { readDojoCard } from '../pictures/pictures.ts'
import { startCheckout } from './checkout.ts'
import { lineKey, readPendingMoney } from './live-lines.ts'
import { readOwedLines } from './owed-lines.ts'
import { dojoOfPayToken, findPayPageSubject, type PayPageSubject } from './pay-links.ts'
import { type PayPage, renderMessagePage, renderPayPage } from './pay-page.ts'
import { ProviderFailure } from './provider.ts'
import { settlePayment } from './settle.ts'
import { type OnlinePaymentContext, readStripeAccount } from './stripe-account.ts'
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
  dojoId: string,
  { payer, paymentId }: PayPageSubject,
): Promise<PayPage> {
  const { dojo_name, dojo_color, dojo_logo } = await readDojoCard(tx)
  const account = await readStripeAccount(tx)
  const pendingMoney = await readPendingMoney(tx, payer.id)
  const owedLines = await readOwedLines(tx, dojoId, payer)
  return {
    schoolName: dojo_name,
    color: dojo_color,
    logo: dojo_logo,
    isTest: account?.is_live === false,
    lines: owedLines.filter((line) => !pendingMoney.keys.has(lineKey(line))),
    pendingCents: pendingMoney.cents,
    payment: paymentId === null ? null : await readPayment(tx, paymentId),
    formerCents: null,
    error: account ? null : TURNED_OFF,
  }
}

async function readPayment(tx: Tx, paymentId: string): Promise<PayPage['payment']> {
  const [payment] = await tx.select().from(onlinePayments).where(eq(onlinePayments.id, paymentId))
  return payment
    ? {
        state: payment.state,
        cents: toCents(payment.amount),
        isDeclined: payment.decline_code !== null,
      }
    : null
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
  const shownCents = Number(new URLSearchParams(String(request.body)).get('shown'))
  try {
    const result = await startCheckout(context, dojoId, payer.id, { shownCents })
    if (result.kind === 'redirect') return await reply.redirect(result.url, 303)
    const overrides = {
      ...(result.kind === 'changed' && { formerCents: shownCents }),
      ...(result.kind === 'off' && { error: TURNED_OFF }),
    }
    return await sendPage(app, subject, reply, overrides)
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
    return sendPage(app, subject, reply, { error: TRY_AGAIN })
  }
}

async function sendPage(
  { db }: App,
  subject: Subject,
  reply: FastifyReply,
  overrides: Partial<PayPage> = {},
): Promise<FastifyReply> {
  const page = await db.inDojo(subject.dojoId, (tx) => readPage(tx, subject.dojoId, subject))
  allowCheckout(reply)
  return reply
    .header('cache-control', 'no-store')
    .type(HTML)
    .send(renderPayPage({ ...page, ...overrides }))
}

/** Browsers also apply `form-action` to the redirect that follows the form. */
function allowCheckout(reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy')
  if (typeof policy !== 'string') return
  const widerPolicy = policy.replace("form-action 'self'", "form-action 'self' https:")
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
        if (subject.paymentId !== null)
          await settlePayment(context, subject.dojoId, subject.paymentId).catch(
            ignoreProviderFailure,
          )
        return sendPage(app, subject, reply)
      },
    )
    scope.post<{ Params: { token: string } }>(`${PAY_PATH}/:token`, { config }, (request, reply) =>
      sendToCheckout(app, context, request, reply),
    )
  })
}

/** If Stripe does not answer, the page says what we know, and the worker asks again. */
function ignoreProviderFailure(failure: unknown): void {
  if (!(failure instanceof ProviderFailure)) throw failure
}
