import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../db/database.ts'
import { requesterByAddress } from '../../http/fair-queue.ts'
import type { App } from '../../http/serve.ts'
import { escapeHtml } from '../../lib/html.ts'
import { readDojoCard } from '../../pictures/pictures.ts'
import { renderPage, renderMessagePage } from '../pay-page.ts'
import { lockPayer } from '../payers.ts'
import { ProviderFailure } from '../provider.ts'
import { settlePayment } from '../settle.ts'
import type { OnlinePaymentContext } from '../stripe-account.ts'
import type { Agreement } from './agreements.ts'
import { stopAutopay } from './payer-acts.ts'
import { findSetup, settleSetup } from './settle-setup.ts'
import { SETUP_PATH } from './setups.ts'
import { readStopToken, STOP_PATH } from './stop-links.ts'
import { autopayAgreements } from './tables.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

const PER_MINUTE = { max: 300, timeWindow: 60_000 }
const HTML = 'text/html; charset=utf-8'
const INVALID_LINK = 'This link is not valid.'
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const SETUP_TOKEN = new RegExp(`^(${UUID})\\.(${UUID})$`)

const sendHtml = (reply: FastifyReply, html: string, status = 200): FastifyReply =>
  reply.status(status).header('cache-control', 'no-store').type(HTML).send(html)

const sendInvalidLink = (reply: FastifyReply): FastifyReply =>
  sendHtml(reply, renderMessagePage(INVALID_LINK), 404)

/** Visitors without a login take turns. */
const readAs = <T>(
  { db, anonymousQueue }: App,
  { ip }: Pick<FastifyRequest, 'ip'>,
  dojoId: string,
  read: (tx: Tx) => Promise<T>,
): Promise<T> => anonymousQueue(requesterByAddress(ip), () => db.inDojo(dojoId, read))

const signedPage = async (tx: Tx, body: string): Promise<string> => {
  const { dojo_name, dojo_color, dojo_logo } = await readDojoCard(tx)
  return renderPage({ schoolName: dojo_name, color: dojo_color, logo: dojo_logo }, body)
}

async function findAgreement(tx: Tx, id: string): Promise<Agreement | null> {
  const [agreement] = await tx.select().from(autopayAgreements).where(eq(autopayAgreements.id, id))
  return agreement ?? null
}

const STOP_FORM = `<h2>Stop autopay?</h2>
<p>Nothing more will be charged automatically, and your card or bank account is no longer saved.</p>
<form method="post"><button>Stop autopay</button></form>`
const STOPPED_HTML = '<h2>Autopay is off.</h2><p>Nothing more will be charged automatically.</p>'

async function showStopPage(app: App, request: TokenRequest, reply: FastifyReply) {
  const token = readStopToken(request.params.token)
  if (!token) return sendInvalidLink(reply)
  const html = await readAs(app, request, token.dojoId, async (tx) => {
    const agreement = await findAgreement(tx, token.agreementId)
    return agreement && signedPage(tx, agreement.ended_at === null ? STOP_FORM : STOPPED_HTML)
  })
  return html === null ? sendInvalidLink(reply) : sendHtml(reply, html)
}

/** A link to an agreement that has ended stops no later one. */
async function stopByLink(
  app: App,
  context: OnlinePaymentContext,
  request: TokenRequest,
  reply: FastifyReply,
) {
  const token = readStopToken(request.params.token)
  if (!token) return sendInvalidLink(reply)
  await stopAutopay(
    context,
    token.dojoId,
    async (tx) => {
      const agreement = await findAgreement(tx, token.agreementId)
      return agreement?.ended_at === null ? lockPayer(tx, agreement.payer_id) : null
    },
    { reason: 'payer', way: 'link' },
  )
  return showStopPage(app, request, reply)
}

const SETUP_MESSAGES = {
  saved: 'Your card or bank account is saved.',
  open: 'We are waiting for Stripe. You can close this page.',
  expired: 'Nothing was saved. You can try again on your home page.',
}
const NOTHING_CHANGED = 'Nothing has changed. You can try again on your home page.'

type SetupRequest = FastifyRequest<{ Params: { token: string }; Querystring: { back?: string } }>

/** Where Stripe sends the payer after saving a card, or after going back without saving one. */
async function showSetupPage(
  app: App,
  context: OnlinePaymentContext,
  request: SetupRequest,
  reply: FastifyReply,
) {
  const hasGoneBack = request.query.back !== undefined
  const [, dojoId, setupId] = SETUP_TOKEN.exec(request.params.token) ?? []
  if (dojoId === undefined || setupId === undefined) return sendInvalidLink(reply)
  const setup = await readAs(app, request, dojoId, (tx) => findSetup(tx, setupId))
  if (!setup) return sendInvalidLink(reply)
  if (setup.state === 'open') await settleAll(context, dojoId, setup)
  const html = await readAs(app, request, dojoId, async (tx) => {
    const { state } = (await findSetup(tx, setupId)) ?? setup
    const message = hasGoneBack && state === 'open' ? NOTHING_CHANGED : SETUP_MESSAGES[state]
    return signedPage(
      tx,
      `<h2>${escapeHtml(message)}</h2><p><a href="/">Go to your home page</a></p>`,
    )
  })
  return sendHtml(reply, html)
}

async function settleAll(
  context: OnlinePaymentContext,
  dojoId: string,
  { id, payment_id }: { id: string; payment_id: string | null },
): Promise<void> {
  try {
    if (payment_id !== null) await settlePayment(context, dojoId, payment_id)
    await settleSetup(context, dojoId, id)
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
  }
}

/** Pages without JavaScript for people without a login. */
export function mountAutopayPages(app: App, context: OnlinePaymentContext): void {
  void app.http.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_, body, callback) => callback(null, body),
    )
    const config = { rateLimit: PER_MINUTE }
    pages.get<{ Params: { token: string } }>(`${STOP_PATH}/:token`, { config }, (request, reply) =>
      showStopPage(app, request, reply),
    )
    pages.post<{ Params: { token: string } }>(`${STOP_PATH}/:token`, { config }, (request, reply) =>
      stopByLink(app, context, request, reply),
    )
    pages.get<{ Params: { token: string }; Querystring: { back?: string } }>(
      `${SETUP_PATH}/:token`,
      { config },
      (request, reply) => showSetupPage(app, context, request, reply),
    )
  })
}
