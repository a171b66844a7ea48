import type { Keyword } from '@tatami/contract/texting/text-history'
import twilio from 'twilio'
import { now } from '../../lib/clock.ts'
import {
  ACCOUNT_SUSPENDED,
  type DeliveryStatus,
  describeErrorCode,
  type FailureKind,
  failureKindOf,
  NUMBER_NOT_YOURS,
  type Provider,
  type ProviderStatus,
  SendFailure,
  type ServiceDetails,
  WRONG_CREDENTIALS,
} from './provider.ts'

export type TwilioSettings = {
  accountSid: string
  /** True for an account of a dojo, false for the server's. */
  isOwn?: boolean
  authToken: string
  from?: string | undefined
  messagingServiceSid?: string | undefined
  apiUrl?: string | undefined
  statusCallback?: string | undefined
}

/** Includes the wait for a connection. A claim lasts longer (delivery/queue.ts). */
const CALL_TIMEOUT_MS = 10_000
const MAX_SOCKETS = 100
const PAGE_SIZE = 100

const STATUSES: Record<string, DeliveryStatus> = {
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

export const parseStatus = (status: string): DeliveryStatus | null => STATUSES[status] ?? null

const OPT_OUT_TYPES: Record<string, Keyword> = { STOP: 'stop', START: 'start', HELP: 'help' }

/** The keyword that Twilio's Advanced Opt-Out recognized. */
export const parseOptOutType = (type = ''): Keyword | null =>
  OPT_OUT_TYPES[type.toUpperCase()] ?? null

type TwilioMessage = { sid: string; status: string; errorCode: number | null }

const toProviderStatus = ({ sid, status, errorCode }: TwilioMessage): ProviderStatus => ({
  id: sid,
  status: parseStatus(status) ?? 'accepted',
  errorCode: errorCode ?? null,
})

function createClient({ accountSid, authToken, apiUrl }: TwilioSettings) {
  const http = new twilio.RequestClient({ timeout: CALL_TIMEOUT_MS, maxSockets: MAX_SOCKETS })
  // The library's timeout starts only once it is connected, so a late call could send a text twice.
  http.axios.interceptors.request.use((config) => ({
    ...config,
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  }))
  // The library's errors lack the Retry-After header.
  http.axios.interceptors.response.use((response) => {
    if (response.status === 429)
      throw toSendFailure({
        status: 429,
        code: response.data?.code,
        retryAfter: response.headers['retry-after'],
        message: 'Too many requests',
      })
    return response
  })
  const client = twilio(accountSid, authToken, { httpClient: http })
  if (apiUrl) {
    client.api.baseUrl = apiUrl
    client.messaging.baseUrl = apiUrl
  }
  return client
}

/** Without `statusCallback`, Twilio reports no delivery, and workers poll for the status. */
export function createTwilioProvider(settings: TwilioSettings): Provider {
  const { from, messagingServiceSid, statusCallback } = settings
  const client = createClient(settings)
  const callbacks = statusCallback ? { statusCallback } : {}
  const sender = messagingServiceSid ? { messagingServiceSid } : { from: from ?? '' }
  return {
    service: 'twilio_sms',
    accountSid: settings.isOwn ? settings.accountSid : null,
    from: from ?? null,
    hasCallbacks: statusCallback !== undefined,
    send: async ({ to, text }) =>
      toProviderStatus(
        await withSendFailure(client.messages.create({ to, body: text, ...sender, ...callbacks })),
      ),
    findSent: ({ to, text }, sentAfter) =>
      withSendFailure(findSentAfter(client, to, text, sentAfter)),
    fetchStatus: async (_, id) =>
      toProviderStatus(await withSendFailure(client.messages(id).fetch())),
    check: async () => {
      const isTrial = await checkAccount(client, settings.accountSid)
      const replyUrl = messagingServiceSid
        ? await checkMessagingService(client, messagingServiceSid)
        : await checkNumber(client, from ?? '')
      return { isTrial, replyUrl }
    },
  }
}

type Client = ReturnType<typeof createClient>

const withSendFailure = <Result>(call: Promise<Result>) =>
  call.catch((error: unknown) => {
    throw toSendFailure(error)
  })

async function findSentAfter(client: Client, phone: string, text: string, sentAfter: Date) {
  const statuses: ProviderStatus[] = []
  for await (const message of listNewestFirst(client, phone)) {
    if (message.dateCreated < sentAfter) break
    if (message.body === text) statuses.push(toProviderStatus(message))
  }
  return statuses
}

type MessagePage = Awaited<ReturnType<Client['messages']['page']>>

async function* listNewestFirst(client: Client, phone: string) {
  let page: MessagePage | undefined = await client.messages.page({ to: phone, pageSize: PAGE_SIZE })
  while (page) {
    yield* page.instances
    page = (await page.nextPage()) as MessagePage | undefined
  }
}

/** Throws `failure` instead of a 404. */
const replaceNotFound = (failure: SendFailure) => (error: unknown) => {
  throw error instanceof SendFailure && error.status === 404 ? failure : error
}

const createWrongCredentialsFailure = () =>
  new SendFailure('unavailable', describeErrorCode(WRONG_CREDENTIALS), {
    code: WRONG_CREDENTIALS,
    status: 401,
  })

const createWrongNumberFailure = (message: string) =>
  new SendFailure('rejected', message, { code: NUMBER_NOT_YOURS, status: 404 })

/** Returns whether it is a trial account. */
async function checkAccount(client: Client, accountSid: string): Promise<boolean> {
  const { status, type } = await withSendFailure(
    client.api.v2010.accounts(accountSid).fetch(),
  ).catch(replaceNotFound(createWrongCredentialsFailure()))
  if (status !== 'active')
    throw new SendFailure('unavailable', describeErrorCode(ACCOUNT_SUSPENDED), {
      code: ACCOUNT_SUSPENDED,
      status: 400,
    })
  return type === 'Trial'
}

async function checkNumber(
  client: Client,
  phoneNumber: string,
): Promise<ServiceDetails['replyUrl']> {
  const [number] = await withSendFailure(
    client.incomingPhoneNumbers.list({ phoneNumber, limit: 1 }),
  )
  if (!number)
    throw createWrongNumberFailure(`The number ${phoneNumber} does not belong to the account`)
  if (!number.capabilities.sms)
    throw createWrongNumberFailure(`The number ${phoneNumber} cannot send texts`)
  return number.smsUrl || null
}

async function checkMessagingService(
  client: Client,
  sid: string,
): Promise<ServiceDetails['replyUrl']> {
  const service = await withSendFailure(client.messaging.v1.services(sid).fetch()).catch(
    replaceNotFound(
      createWrongNumberFailure('The messaging service does not belong to the account'),
    ),
  )
  return service.inboundRequestUrl || null
}

export const isSigned = (
  authToken: string,
  signature: string,
  url: string,
  form: Record<string, string>,
): boolean => twilio.validateRequest(authToken, signature, url, form)

export function twimlReply(text: string | null): string {
  const reply = new twilio.twiml.MessagingResponse()
  if (text) reply.message(text)
  return reply.toString()
}

/** These errors mean that there was no connection, so the text was certainly not sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

function toSendFailure(error: unknown): SendFailure {
  if (error instanceof SendFailure) return error
  const { status, code, retryAfter } = error as {
    status?: unknown
    code?: unknown
    retryAfter?: unknown
  }
  if (typeof status !== 'number') {
    const kind = NOT_CONNECTED.has(String(code)) ? 'retry' : 'unknown'
    return new SendFailure(kind, 'The text service did not respond', { cause: error })
  }
  const errorCode = typeof code === 'number' ? code : null
  return new SendFailure(chooseFailureKind(status, errorCode), describeFailure(status, errorCode), {
    code: errorCode,
    status,
    retryAfterSeconds: status === 429 ? parseRetryAfter(retryAfter) : 0,
    cause: error,
  })
}

function describeFailure(status: number, code: number | null): string {
  if (status >= 500) return `The text service is not working right now (${status})`
  return code === null ? `The text service responded with ${status}` : describeErrorCode(code)
}

const MAX_RETRY_AFTER_SECONDS = 60

/** The header is a number of seconds or a date. */
function parseRetryAfter(retryAfter: unknown): number {
  if (typeof retryAfter !== 'string') return 0
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now().getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS)
}

function chooseFailureKind(status: number, code: number | null): FailureKind {
  if (status >= 500 || status < 400) return 'unknown'
  if (status === 429) return 'rate-limited'
  if (status === 401 || status === 403) return failureKindOf(code) ?? 'unavailable'
  return failureKindOf(code) ?? 'rejected'
}
