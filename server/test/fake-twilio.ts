/** A local server that responds like Twilio and can fail in the same ways. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contractViolations } from './twilio-contract.ts'

export type FakeMessage = {
  sid: string
  account_sid: string
  from: string
  to: string
  body: string
  status: string
  error_code: number | null
  acceptedAt: number
}
/** How a call fails: with an error status (`broken-…`), with a broken connection (`cut-…`), or with
 *  a status and a Twilio error code. */
export type TwilioFault =
  | 'rate-limited'
  /** The message is not accepted. */
  | 'broken-before'
  | 'cut-before'
  /** The message is accepted despite the failure. */
  | 'broken-after'
  | 'cut-after'
  /** The message is accepted, but the response is an error, many seconds later. */
  | 'late'
  /** The connection breaks first, and the message is accepted some seconds later. */
  | 'late-cut'
  /** The message is accepted, but the response takes seconds. */
  | 'slow'
  | { status: number; code: number; retryAfter?: string }

/** After `late-cut`, the message is accepted between these times, in milliseconds. */
export const REAL_LATE_CUT: [number, number] = [12_000, 27_000]
const LATE_ERROR_MS = 12_000
const SLOW_RESPONSE_MS = 3_000
export const ACCOUNT = `AC${'a'.repeat(32)}`
export const TOKEN = 'auth-token-of-the-tests'
export const SENDER_NUMBER = '+15005550006'

export type FakeAccount = {
  sid: string
  token: string
  status?: 'active' | 'suspended'
  type?: 'Full' | 'Trial'
  number?: string
  sendsTexts?: boolean
  messagingService?: string
  /** Where Twilio posts replies. */
  replyUrl?: string
}

const SERVER_ACCOUNT: FakeAccount = { sid: ACCOUNT, token: TOKEN, number: SENDER_NUMBER }

/** The response to a call that checks an account, or null for a call about messages. */
function accountCheckReply(account: FakeAccount, pathname: string, query: URLSearchParams) {
  const {
    sid,
    number,
    status = 'active',
    type = 'Full',
    sendsTexts = true,
    replyUrl = '',
  } = account
  const accountPath = `/2010-04-01/Accounts/${sid}`
  if (pathname === `${accountPath}.json`) return { sid, status, type }
  if (pathname === `${accountPath}/IncomingPhoneNumbers.json`) {
    const capabilities = { sms: sendsTexts, mms: sendsTexts, voice: true }
    const numbers = [
      { sid: `PN${'a'.repeat(32)}`, phone_number: number, capabilities, sms_url: replyUrl },
    ]
    const requestedNumber = query.get('PhoneNumber')
    return {
      incoming_phone_numbers: numbers.filter(
        ({ phone_number }) => phone_number === requestedNumber,
      ),
    }
  }
  if (!pathname.startsWith('/v1/Services/')) return null
  return pathname.endsWith(`/${account.messagingService}`)
    ? { sid: account.messagingService, inbound_request_url: replyUrl || null }
    : 'missing'
}

/** `faultOf` decides which calls fail. In the result, `messages` has the accepted messages, tests
 *  may add to `accounts`, and `violations` lists the requests that broke Twilio's contract. */
export async function startFakeTwilio(
  faultOf: (call: 'send' | 'find' | 'fetch' | 'check', to: string) => TwilioFault | null = () =>
    null,
  { lateCutMs: [earliestMs, latestMs] = [1_500, 1_500] }: { lateCutMs?: [number, number] } = {},
) {
  const accounts = [SERVER_ACCOUNT]
  const messages: FakeMessage[] = []
  const violations: string[] = []
  const sendTimes: number[] = []

  const toJson = ({ acceptedAt, ...message }: FakeMessage) => ({
    ...message,
    date_created: new Date(acceptedAt).toUTCString(),
    date_sent: null,
    date_updated: new Date(acceptedAt).toUTCString(),
    direction: 'outbound-api',
  })
  function accept(account: FakeAccount, form: URLSearchParams) {
    const message: FakeMessage = {
      sid: `SM${randomBytes(16).toString('hex')}`,
      account_sid: account.sid,
      from: form.get('From') ?? account.number ?? '',
      to: form.get('To')!,
      body: form.get('Body')!,
      status: 'queued',
      error_code: null,
      acceptedAt: Date.now(),
    }
    messages.push(message)
    return message
  }
  const reply = (response: ServerResponse, status: number, body: object) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))
  const reject = (response: ServerResponse, status: number, code: number, retryAfter?: string) => {
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    reply(response, status, { status, code, message: `Error ${code}`, more_info: '' })
  }

  /** Only sending a message can be slow. */
  const faultOfRead = (call: 'find' | 'fetch' | 'check', recipient = '') => {
    const fault = faultOf(call, recipient)
    return fault === 'slow' ? null : fault
  }

  async function fail(
    fault: Exclude<TwilioFault, 'slow'>,
    response: ServerResponse,
    acceptMessage: () => void,
  ) {
    if (typeof fault === 'object')
      return reject(response, fault.status, fault.code, fault.retryAfter)
    if (fault === 'rate-limited') return reject(response, 429, 20429)
    if (fault === 'late-cut') {
      response.destroy()
      await sleep(earliestMs + Math.random() * (latestMs - earliestMs))
      return acceptMessage()
    }
    if (fault.endsWith('after') || fault === 'late') acceptMessage()
    if (fault === 'late') await sleep(LATE_ERROR_MS)
    if (fault.startsWith('cut')) response.destroy()
    else reject(response, 503, 20503)
  }

  async function respond(request: IncomingMessage, response: ServerResponse, form: string) {
    const { pathname, searchParams } = new URL(request.url!, 'http://twilio')
    const account = accounts.find(
      ({ sid, token }) =>
        request.headers.authorization ===
        `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
    )
    if (!account) return reject(response, 401, 20003)
    const checkFault = pathname.includes('/Messages') ? null : faultOfRead('check')
    if (checkFault) return fail(checkFault, response, () => {})
    const checkReply = accountCheckReply(account, pathname, searchParams)
    if (checkReply === 'missing') return reject(response, 404, 20404)
    if (checkReply) return reply(response, 200, checkReply)
    violations.push(...contractViolations(request.method!, request.url!, form, request.headers))
    if (request.method === 'POST') {
      sendTimes.push(Date.now())
      const fields = new URLSearchParams(form)
      const fault = faultOf('send', fields.get('To')!)
      if (fault && fault !== 'slow')
        return fail(fault, response, () => void accept(account, fields))
      const message = accept(account, fields)
      if (fault) await sleep(SLOW_RESPONSE_MS)
      return reply(response, 201, toJson(message))
    }
    const isOwn = ({ account_sid }: FakeMessage) => account_sid === account.sid
    const sid = /\/Messages\/(\w+)\.json$/.exec(pathname)?.[1]
    const fault = faultOfRead(sid ? 'fetch' : 'find', searchParams.get('To') ?? '')
    if (fault) return fail(fault, response, () => {})
    if (!sid)
      return reply(response, 200, {
        messages: messages
          .filter((message) => message.to === searchParams.get('To') && isOwn(message))
          .map(toJson)
          .toReversed(),
        page: 0,
        page_size: 100,
        next_page_uri: null,
      })
    const storedMessage = messages.find((message) => message.sid === sid && isOwn(message))
    return storedMessage
      ? reply(response, 200, toJson(storedMessage))
      : reject(response, 404, 20404)
  }

  const server = createServer((request, response) => {
    let form = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        form += chunk
      })
      .on('end', () => void respond(request, response, form))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts,
    messages,
    violations,
    sendTimes,
    settings: (url: string) => ({
      twilioAccountSid: ACCOUNT,
      twilioAuthToken: TOKEN,
      twilioFrom: SENDER_NUMBER,
      twilioApiUrl: url,
      smsProvider: 'twilio' as const,
    }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
