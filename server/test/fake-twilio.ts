/** A local server that responds like Twilio, and can fail in the ways that Twilio fails. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contractViolations } from './twilio-contract.ts'

export type FakeMessage = {
  sid: string
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
  /** The message is accepted, and the error comes many seconds later. */
  | 'late'
  /** The connection breaks first, and the message is accepted some seconds later. */
  | 'late-cut'
  /** Nothing fails, but the response takes seconds. */
  | 'slow'
  | { status: number; code: number; retryAfter?: string }

/** After `late-cut`, the message is accepted between these times, in milliseconds. */
export const REAL_LATE_CUT: [number, number] = [12_000, 27_000]
const LATE_ERROR_MS = 12_000
const SLOW_RESPONSE_MS = 3_000
export const ACCOUNT = `AC${'a'.repeat(32)}`
export const TOKEN = 'auth-token-of-the-tests'
export const SENDER_NUMBER = '+15005550006'

/** `messages` are the accepted ones. `violations` lists requests that broke Twilio's contract. */
export async function startFakeTwilio(
  faultOf: (call: 'send' | 'find' | 'fetch' | 'check', to: string) => TwilioFault | null = () =>
    null,
  { lateCutMs: [earliestMs, latestMs] = [1_500, 1_500] }: { lateCutMs?: [number, number] } = {},
) {
  const messages: FakeMessage[] = []
  const violations: string[] = []
  const sendTimes: number[] = []

  const toJson = ({ sid, to, body, status, error_code, acceptedAt }: FakeMessage) => ({
    sid,
    to,
    body,
    status,
    error_code,
    account_sid: ACCOUNT,
    from: SENDER_NUMBER,
    date_created: new Date(acceptedAt).toUTCString(),
    date_sent: null,
    date_updated: new Date(acceptedAt).toUTCString(),
    direction: 'outbound-api',
  })
  function accept(form: URLSearchParams) {
    const message: FakeMessage = {
      sid: `SM${randomBytes(16).toString('hex')}`,
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

  /** Only sending a message is ever slow. */
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
    const isAuthorized =
      request.headers.authorization ===
      `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
    if (!isAuthorized) return reject(response, 401, 20003)
    const checkFault = pathname.includes('/Messages') ? null : faultOfRead('check')
    if (checkFault) return fail(checkFault, response, () => {})
    if (pathname === `/2010-04-01/Accounts/${ACCOUNT}.json`)
      return reply(response, 200, { sid: ACCOUNT, status: 'active' })
    if (pathname === `/2010-04-01/Accounts/${ACCOUNT}/IncomingPhoneNumbers.json`)
      return reply(response, 200, {
        incoming_phone_numbers: [
          { sid: `PN${'a'.repeat(32)}`, phone_number: SENDER_NUMBER },
        ].filter(({ phone_number }) => phone_number === searchParams.get('PhoneNumber')),
      })
    violations.push(...contractViolations(request.method!, request.url!, form, request.headers))
    if (request.method === 'POST') {
      sendTimes.push(Date.now())
      const fields = new URLSearchParams(form)
      const fault = faultOf('send', fields.get('To')!)
      if (fault && fault !== 'slow') return fail(fault, response, () => void accept(fields))
      const message = accept(fields)
      if (fault) await sleep(SLOW_RESPONSE_MS)
      return reply(response, 201, toJson(message))
    }
    const sid = /\/Messages\/(\w+)\.json$/.exec(pathname)?.[1]
    const fault = faultOfRead(sid ? 'fetch' : 'find', searchParams.get('To') ?? '')
    if (fault) return fail(fault, response, () => {})
    if (!sid)
      return reply(response, 200, {
        messages: messages
          .filter(({ to }) => to === searchParams.get('To'))
          .map(toJson)
          .toReversed(),
        page: 0,
        page_size: 100,
        next_page_uri: null,
      })
    const storedMessage = messages.find((message) => message.sid === sid)
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
    messages,
    violations,
    sends: sendTimes,
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
