import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { hasSecretsKey, unseal } from '../accounts/sealed-secrets.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { App } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import type { ProviderEvent } from './provider.ts'
import { recordEvent } from './record-event.ts'
import { readStripeAccount } from './stripe-account.ts'
import { readSignedEvent } from './stripe-events.ts'
import { WEBHOOK_PATH } from './webhook-url.ts'

type Webhook = { Params: { dojoId: string } }

const MAX_BYTES = 256 * 1024

const invalidSignature = () => new Refusal(400, 'The signature is not valid')

/** 404 for a dojo without online payment, 400 for an event that Stripe did not sign. */
async function readEvent(
  { db, anonymousQueue }: App,
  { params, ip, headers, body }: FastifyRequest<Webhook>,
): Promise<ProviderEvent> {
  const dojoId = params.dojoId.toLowerCase()
  if (!z.uuid().safeParse(dojoId).success) throw notFound('Webhook')
  const account = await anonymousQueue(requesterByAddress(ip), () =>
    db.inDojo(dojoId, readStripeAccount),
  )
  const sealedSecret = hasSecretsKey() ? account?.sealed_webhook_secret : null
  const secret = sealedSecret ? unseal(sealedSecret) : null
  if (!account || secret === null) throw notFound('Webhook')
  const event = readSignedEvent(String(body), String(headers['stripe-signature']), secret)
  if (!event || event.isLive !== account.is_live) throw invalidSignature()
  return event
}

export function mountStripeWebhooks(app: App): void {
  void app.http.register(async (webhook) => {
    // The signature covers the bytes as sent, so they are not parsed.
    webhook.removeAllContentTypeParsers()
    webhook.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BYTES },
      (_, body, callback) => callback(null, body),
    )
    webhook.post<Webhook>(`${WEBHOOK_PATH}/:dojoId`, async (request) => {
      const event = await readEvent(app, request)
      await app.db.inDojo(request.params.dojoId.toLowerCase(), (tx) => recordEvent(tx, event))
      return { received: true }
    })
  })
}
