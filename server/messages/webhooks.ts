import { parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { unseal } from '../accounts/sealed-secrets.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { App } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { runForRequest } from '../lib/request-context.ts'
import { INCOMING_PATH, STATUS_PATH } from '../texting/callback-urls.ts'
import { readOwnAccount } from '../texting/own-account.ts'
import type { TextingSettings } from '../texting/service.ts'
import { receiveText, receiveTextToOwnNumber } from './incoming.ts'
import { receiveStatus } from '../texting/delivery/outcomes.ts'
import { isSigned, parseOptOutType, parseStatus, twimlReply } from '../texting/providers/twilio.ts'

type Form = Record<string, string>
const FORM_TYPE = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 16 * 1024

const mapFields = <Value>(form: Record<string, Value>, convert: (value: Value) => string): Form =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, convert(value)]))

const parseErrorCode = (text = '') => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : null)

/** Twilio's id of a text message or a multimedia message. */
const MESSAGE_SID = /^(SM|MM)[0-9a-f]{32}$/i

type Webhook = { Params: { dojoId?: string } }
type WebhookRequest = FastifyRequest<Webhook>
type Settings = Pick<TextingSettings, 'publicUrl' | 'twilioAuthToken'>

const createSignatureRefusal = () => new Refusal(403, 'The signature is not valid')

const dojoIdOf = ({ params }: WebhookRequest) => params.dojoId?.toLowerCase()

/** Requests from a dojo's own account have the dojo's id in their path, and are signed with the
 *  token of that account. */
async function findToken(
  { db, anonymousQueue }: App,
  settings: Settings,
  request: WebhookRequest,
): Promise<string | null> {
  const dojoId = dojoIdOf(request)
  if (dojoId === undefined) return settings.twilioAuthToken ?? null
  const account = await anonymousQueue(requesterByAddress(request.ip), () =>
    db.inDojo(dojoId, readOwnAccount),
  )
  return account && unseal(account.sealed_token)
}

/** A request is trusted only if Twilio signed the public URL and the form. */
async function readSignedForm(app: App, settings: Settings, request: WebhookRequest) {
  const { url, headers, body } = request
  // `parse` returns an array for a field that is sent several times.
  const form = mapFields(typeof body === 'string' ? parse(body) : {}, String)
  const { pathname, search } = new URL(url, settings.publicUrl)
  const signature = String(headers['x-twilio-signature'])
  const authToken = await findToken(app, settings, request)
  if (
    !authToken ||
    !isSigned(authToken, signature, `${settings.publicUrl}${pathname}${search}`, form)
  )
    throw createSignatureRefusal()
  // PostgreSQL text cannot hold null characters.
  return mapFields(form, (value) => value.replaceAll('\0', ''))
}

function refuseUnsigned({ headers, params }: WebhookRequest, { twilioAuthToken }: Settings) {
  if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== FORM_TYPE)
    throw new Refusal(415, 'The request body must be a form')
  const canHaveToken =
    params.dojoId === undefined ? twilioAuthToken : z.uuid().safeParse(params.dojoId).success
  if (!canHaveToken || typeof headers['x-twilio-signature'] !== 'string')
    throw createSignatureRefusal()
}

async function receiveReport({ db }: App, form: Form, request: WebhookRequest): Promise<void> {
  const { MessageSid = '', MessageStatus = '', ErrorCode } = form
  const status = parseStatus(MessageStatus)
  if (!MESSAGE_SID.test(MessageSid) || !status) return
  const report = { id: MessageSid, status, errorCode: parseErrorCode(ErrorCode) }
  // The log records of a delivery carry the id of this request (docs/OPERATIONS.md).
  await runForRequest({ requestId: request.id }, () =>
    db.withoutDojo((tx) => receiveStatus(tx, report, dojoIdOf(request))),
  )
}

async function receiveMessage({ db }: App, form: Form, request: WebhookRequest) {
  const { MessageSid = '', From = '', Body = '', OptOutType } = form
  if (!MESSAGE_SID.test(MessageSid)) return null
  const keyword = parseOptOutType(OptOutType)
  const message = { id: MessageSid, from: From, text: Body, keyword }
  const dojoId = dojoIdOf(request)
  const reply =
    dojoId === undefined
      ? await db.withoutDojo((tx) => receiveText(tx, message))
      : await db.inDojo(dojoId, (tx) => receiveTextToOwnNumber(tx, dojoId, message))
  // Twilio sets OptOutType if its Advanced Opt-Out feature has already replied.
  return OptOutType ? null : reply
}

export function mountWebhooks(app: App, settings: Settings) {
  void app.http.register(async (webhook) => {
    // The signature covers the form exactly as sent, so the server accepts no other type of body.
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_, body, callback) => callback(null, body),
    )
    webhook.addHook<Webhook>('onRequest', async (request) => refuseUnsigned(request, settings))
    for (const path of [STATUS_PATH, `${STATUS_PATH}/:dojoId`])
      webhook.post<Webhook>(path, async (request, reply) => {
        await receiveReport(app, await readSignedForm(app, settings, request), request)
        return reply.type('text/xml').send(twimlReply(null))
      })
    for (const path of [INCOMING_PATH, `${INCOMING_PATH}/:dojoId`])
      webhook.post<Webhook>(path, async (request, reply) => {
        const form = await readSignedForm(app, settings, request)
        return reply.type('text/xml').send(twimlReply(await receiveMessage(app, form, request)))
      })
  })
}
