import { parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import type { App } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { runForRequest } from '../lib/request-context.ts'
import { receiveText } from './incoming.ts'
import { INCOMING_PATH, STATUS_PATH, type TextingSettings } from '../texting/service.ts'
import { receiveStatus } from '../texting/delivery/outcomes.ts'
import { isSigned, parseOptOutType, parseStatus, twimlReply } from '../texting/providers/twilio.ts'

type Form = Record<string, string>
const FORM_TYPE = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 16 * 1024

const mapFields = <V>(form: Record<string, V>, change: (value: V) => string): Form =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, change(value)]))

const parseErrorCode = (text = '') => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : null)

/** Twilio's id of a text message or a multimedia message. */
const MESSAGE_SID = /^(SM|MM)[0-9a-f]{32}$/i

/** A request is trusted only if Twilio signed the public URL and the form. */
export function mountWebhooks({ http, db }: App, { publicUrl, twilioAuthToken }: TextingSettings) {
  const signatureRefusal = () => new Refusal(403, 'The signature is not valid')

  function readSignedForm({ url, headers, body }: FastifyRequest): Form {
    // `parse` returns an array for a field that is sent several times.
    const form = mapFields(typeof body === 'string' ? parse(body) : {}, String)
    const { pathname, search } = new URL(url, publicUrl)
    const signature = String(headers['x-twilio-signature'])
    const signedUrl = `${publicUrl}${pathname}${search}`
    if (!twilioAuthToken || !isSigned(twilioAuthToken, signature, signedUrl, form))
      throw signatureRefusal()
    // PostgreSQL text cannot hold null characters.
    return mapFields(form, (value) => value.replaceAll('\0', ''))
  }

  void http.register(async (webhook) => {
    // The signature covers the form as sent, so the server accepts no other type of body.
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_, body, callback) => callback(null, body),
    )
    webhook.addHook('onRequest', async ({ headers }) => {
      if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== FORM_TYPE)
        throw new Refusal(415, 'The request body must be a form')
      if (!twilioAuthToken || typeof headers['x-twilio-signature'] !== 'string')
        throw signatureRefusal()
    })

    webhook.post(STATUS_PATH, async (request, reply) => {
      const { MessageSid = '', MessageStatus = '', ErrorCode } = readSignedForm(request)
      const status = parseStatus(MessageStatus)
      const errorCode = parseErrorCode(ErrorCode)
      // The log records of a delivery carry the id of this request (docs/OPERATIONS.md).
      if (MESSAGE_SID.test(MessageSid) && status)
        await runForRequest(request.id, () =>
          db.withoutDojo((tx) => receiveStatus(tx, { id: MessageSid, status, errorCode })),
        )
      return reply.type('text/xml').send(twimlReply(null))
    })

    webhook.post(INCOMING_PATH, async (request, reply) => {
      const { MessageSid = '', From = '', Body = '', OptOutType } = readSignedForm(request)
      const keywordReply = MESSAGE_SID.test(MessageSid)
        ? await db.withoutDojo((tx) =>
            receiveText(tx, {
              id: MessageSid,
              from: From,
              text: Body,
              keyword: parseOptOutType(OptOutType),
            }),
          )
        : null
      // Twilio sets OptOutType if its Advanced Opt-Out feature has already replied.
      return reply.type('text/xml').send(twimlReply(OptOutType ? null : keywordReply))
    })
  })
}
