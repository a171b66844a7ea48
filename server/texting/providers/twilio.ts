import twilio from 'twilio'
import { failureOf } from './error-codes.ts'
import { type Fate, type Provider, SendFailure, type Standing } from './provider.ts'

type TwilioSettings = {
  accountSid: string
  authToken: string
  from?: string | undefined
  messagingServiceSid?: string | undefined
  apiUrl?: string | undefined
  statusCallback?: string | undefined
}

/** How long one call may take in all, waiting for a connection included: a claim lasts longer (claim.ts). */
const CALL_MS = 10_000
const AT_ONCE = 100,
  PAGE = 100

const FATES: Record<string, Fate> = {
  accepted: 'accepted',
  scheduled: 'accepted',
  queued: 'accepted',
  sending: 'accepted',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
}
/** Null for a status that says nothing about a message of ours. */
export const fateOf = (status: string): Fate | null => FATES[status] ?? null

type Theirs = { sid: string; status: string; errorCode: number | null }
const standing = ({ sid, status, errorCode }: Theirs): Standing => ({
  id: sid,
  fate: fateOf(status) ?? 'accepted',
  errorCode: errorCode ?? null,
})

function clientOf({ accountSid, authToken, apiUrl }: TwilioSettings) {
  const http = new twilio.RequestClient({ timeout: CALL_MS, maxSockets: AT_ONCE })
  // The library's own time-out begins with the connection; a call that may still leave after its claim has run out would double a text.
  http.axios.interceptors.request.use((config) => ({ ...config, signal: AbortSignal.timeout(CALL_MS) }))
  // The library's own errors do not carry the header.
  http.axios.interceptors.response.use((response) => {
    if (response.status === 429)
      throw failureOf({ status: 429, code: response.data?.code, retryAfter: response.headers['retry-after'], message: 'Too many requests' })
    return response
  })
  const client = twilio(accountSid, authToken, { httpClient: http })
  if (apiUrl) {
    client.api.baseUrl = apiUrl
    client.messaging.baseUrl = apiUrl
  }
  return client
}

/** The one file that knows Twilio's library. `statusCallback` is where statuses are sent; without it they are asked for. */
export function twilioProvider(settings: TwilioSettings): Provider {
  const { from, messagingServiceSid, statusCallback } = settings
  const client = clientOf(settings)
  const sender = messagingServiceSid ? { messagingServiceSid } : { from: from! }
  const asked = <T>(call: Promise<T>) =>
    call.catch((error: unknown) => {
      throw failureOf(error)
    })
  return {
    service: 'twilio_sms',
    from: from ?? null,
    calls: statusCallback !== undefined,
    send: async ({ to, text }) =>
      standing(await asked(client.messages.create({ to, body: text, ...sender, ...(statusCallback && { statusCallback }) }))),
    find: ({ to, text }, since) => asked(findSince(to, text, since)),
    standingOf: async (_, id) => standing(await asked(client.messages(id).fetch())),
    check: async () => {
      await asked(client.api.v2010.accounts(settings.accountSid).fetch())
      if (messagingServiceSid) await asked(client.messaging.v1.services(messagingServiceSid).fetch())
      else await checkNumber(from!)
    },
  }

  /** The newest come first, so that the search ends with the first that is too old. */
  async function findSince(to: string, text: string, since: Date): Promise<Standing[]> {
    const found: Standing[] = []
    for await (const message of newestFirst(to)) {
      if (message.dateCreated < since) break
      if (message.body === text) found.push(standing(message))
    }
    return found
  }

  async function* newestFirst(to: string) {
    for (
      let page: Awaited<ReturnType<typeof client.messages.page>> | undefined = await client.messages.page({ to, pageSize: PAGE });
      page;
      page = (await page.nextPage()) as typeof page
    )
      yield* page.instances
  }

  async function checkNumber(phoneNumber: string) {
    const [number] = await asked(client.incomingPhoneNumbers.list({ phoneNumber, limit: 1 }))
    if (!number) throw new SendFailure('refused', `The number ${phoneNumber} does not belong to the account`, { status: 404 })
  }
}

/** Whether a webhook was signed with our token, over the address that we published and what was posted. */
export const isSigned = (authToken: string, signature: string, url: string, posted: Record<string, string>): boolean =>
  twilio.validateRequest(authToken, signature, url, posted)

/** The answer to an incoming text, as Twilio takes it. */
export function answerXml(words: string | null): string {
  const answer = new twilio.twiml.MessagingResponse()
  if (words) answer.message(words)
  return answer.toString()
}
