import { parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/serve.ts'
import { Refusal } from '../../lib/refusal.ts'
import { INCOMING_PATH, STATUS_PATH, type TextingSettings } from './choose-provider.ts'
import { takeIncoming } from '../incoming.ts'
import { hearStatus } from '../delivery/statuses.ts'
import { answerXml, fateOf, isSigned } from './twilio.ts'

type Posted = Record<string, string>
const FORM = 'application/x-www-form-urlencoded'
const FORM_LIMIT_BYTES = 16 * 1024
const eachOf = <V>(form: Record<string, V>, change: (value: V) => string): Posted =>
  Object.fromEntries(Object.entries(form).map(([name, value]) => [name, change(value)]))
const codeOf = (said = '') => (/^[1-9]\d{0,5}$/.test(said) ? Number(said) : null)
const SID = /^(SM|MM)[0-9a-f]{32}$/i

/** What Twilio calls. Who calls is told by the signature alone, over the address that we published: no header is believed. */
export function webhooks({ http, db }: App, { publicUrl, twilioAuthToken }: TextingSettings): void {
  const notSigned = () => new Refusal(403, 'The signature is not valid')

  function posted({ url, headers, body }: FastifyRequest): Posted {
    const form = eachOf(typeof body === 'string' ? parse(body) : {}, String)
    const address = new URL(url, publicUrl)
    const signature = String(headers['x-twilio-signature'])
    if (!isSigned(twilioAuthToken!, signature, `${publicUrl}${address.pathname}${address.search}`, form)) throw notSigned()
    // PostgreSQL keeps none.
    return eachOf(form, (value) => value.replaceAll('\0', ''))
  }

  void http.register(async (webhook) => {
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES }, (_, body, done) => done(null, body))
    // What no signature can make good is refused before the body is read.
    webhook.addHook('onRequest', async ({ headers }) => {
      if (headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== FORM)
        throw new Refusal(415, 'The request body must be a form')
      if (!twilioAuthToken || typeof headers['x-twilio-signature'] !== 'string') throw notSigned()
    })

    webhook.post(STATUS_PATH, async (request, reply) => {
      const { MessageSid = '', MessageStatus = '', ErrorCode } = posted(request)
      const fate = fateOf(MessageStatus)
      if (SID.test(MessageSid) && fate) await db.withoutDojo((tx) => hearStatus(tx, MessageSid, fate, codeOf(ErrorCode)))
      return reply.type('text/xml').send(answerXml(null))
    })

    webhook.post(INCOMING_PATH, async (request, reply) => {
      const { MessageSid = '', From = '', Body = '', OptOutType } = posted(request)
      const answer = SID.test(MessageSid)
        ? await db.withoutDojo((tx) => takeIncoming(tx, { id: MessageSid, from: From, text: Body }))
        : null
      // With Advanced Opt-Out, Twilio has answered already.
      return reply.type('text/xml').send(answerXml(OptOutType ? null : answer))
    })
  })
}
