import { formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requesterByAddress } from '../../http/fair-queue.ts'
import type { App } from '../../http/serve.ts'
import { escapeHtml } from '../../lib/html.ts'
import { readDojoCard } from '../../pictures/pictures.ts'
import { renderMessagePage, renderPage } from '../pay-page.ts'
import { ProviderFailure } from '../provider.ts'
import {
  answerCheckout,
  readSimulatedCheckout,
  SIMULATED_ANSWERS,
  type SimulatedAnswer,
  type SimulatedCheckout,
  SIMULATOR_PATH,
} from './simulator.ts'
import type { Tx } from '../../db/database.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

const PER_MINUTE = { max: 300, timeWindow: 60_000 }
const FORM_LIMIT_BYTES = 1024
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const TOKEN = new RegExp(`^(${UUID})\\.(${UUID})$`)
const INVALID_LINK = 'This link is not valid.'

const BUTTONS: Record<SimulatedAnswer, string> = {
  card: 'Pay by card',
  bank: 'Pay from a bank account',
  decline: 'Let the card be declined',
}

const isAnswer = (text: string | null): text is SimulatedAnswer =>
  text !== null && text in SIMULATED_ANSWERS

function renderForm({ cents, return_url, state }: SimulatedCheckout): string {
  const back = `<p><a href="${escapeHtml(return_url)}">Go back</a></p>`
  if (state !== 'open' && state !== 'declined') return `<p>This page is no longer open.</p>${back}`
  const declineNote = state === 'declined' ? '<p role="status">The card was declined.</p>' : ''
  const buttons = Object.entries(BUTTONS)
    .map(([answer, label]) => `<button name="answer" value="${answer}">${label}</button>`)
    .join('\n')
  return `<p>This page stands in for Stripe’s. Choose what should happen.</p>${declineNote}
<h2>${formatMoneyInText(toDollars(cents))}</h2>
<form method="post">${buttons}</form>${back}`
}

/** Null for a token that leads nowhere. */
async function withCheckout<T>(
  { db, anonymousQueue }: App,
  { params: { token }, ip }: TokenRequest,
  use: (tx: Tx, checkout: SimulatedCheckout) => Promise<T>,
): Promise<T | null> {
  const [, dojoId, id] = TOKEN.exec(token) ?? []
  if (dojoId === undefined || id === undefined) return null
  const result = anonymousQueue(requesterByAddress(ip), () =>
    db.inDojo(dojoId, async (tx) => use(tx, await readSimulatedCheckout(tx, id))),
  )
  return result.catch((failure: unknown) => {
    if (failure instanceof ProviderFailure) return null
    throw failure
  })
}

const sendHtml = (reply: FastifyReply, html: string | null): FastifyReply =>
  reply
    .status(html === null ? 404 : 200)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html ?? renderMessagePage(INVALID_LINK))

const readPage = async (tx: Tx, checkout: SimulatedCheckout): Promise<string> => {
  const { dojo_name, dojo_color, dojo_logo } = await readDojoCard(tx)
  const school = { schoolName: dojo_name, color: dojo_color, logo: dojo_logo }
  return renderPage({ ...school, mode: 'simulation' }, renderForm(checkout))
}

async function acceptAnswer(app: App, request: TokenRequest, reply: FastifyReply) {
  const choice = new URLSearchParams(String(request.body)).get('answer')
  const returnUrl = await withCheckout(app, request, async (tx, { id, return_url }) => {
    if (isAnswer(choice)) await answerCheckout(tx, id, choice)
    return return_url
  })
  if (returnUrl === null) return sendHtml(reply, null)
  return reply.redirect(choice === 'decline' ? request.url : returnUrl, 303)
}

/** The page on which an owner who tries out online payment pretends to pay. */
export function mountSimulator(app: App): void {
  void app.http.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_, body, callback) => callback(null, body),
    )
    const path = `${SIMULATOR_PATH}/:token`
    const config = { rateLimit: PER_MINUTE }
    pages.get<{ Params: { token: string } }>(path, { config }, async (request, reply) =>
      sendHtml(reply, await withCheckout(app, request, readPage)),
    )
    pages.post<{ Params: { token: string } }>(path, { config }, (request, reply) =>
      acceptAnswer(app, request, reply),
    )
  })
}
