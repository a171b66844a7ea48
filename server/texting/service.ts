import { isIP } from 'node:net'
import { SERVICE_ERROR_MESSAGES, TEST_MODE } from '@tatami/contract/texting/message-types'
import { isPrivateHostname } from '@tatami/contract/lib/private-hostname'
import type { SMS_ERRORS, SMS_STATES } from '@tatami/contract/texting/texting'
import { toDataURL } from 'qrcode'
import { instructorName } from '../accounts/instructors.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { now } from '../lib/clock.ts'
import { isPublic } from '../lib/public-address.ts'
import { NO_PROVIDER, type Provider, SendFailure } from './providers/provider.ts'
import { createSimulator } from './providers/simulator.ts'
import { createTwilioProvider } from './providers/twilio.ts'

export type TextingSettings = {
  publicUrl: string
  smsProvider?: 'twilio' | 'simulator' | 'none' | undefined
  smsPerSecond: number
  twilioAccountSid?: string | undefined
  twilioAuthToken?: string | undefined
  twilioFrom?: string | undefined
  twilioMessagingServiceSid?: string | undefined
  twilioApiUrl?: string | undefined
}

export const STATUS_PATH = '/api/sms/webhooks/status',
  INCOMING_PATH = '/api/sms/webhooks/incoming'

/** Whether Twilio can call this address. */
function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' || hostname.startsWith('[')) return false
  return isIP(hostname) === 4
    ? isPublic({ address: hostname, family: 4 })
    : !isPrivateHostname(hostname)
}

/** The provider of the settings, or Twilio if it is configured, or the simulator. */
export function chooseProvider(settings: TextingSettings, db: Database): Provider {
  return twilioOrNone(settings) ?? createSimulator(db)
}

export function twilioOrNone(settings: TextingSettings): Provider | null {
  const {
    twilioAccountSid: accountSid,
    twilioAuthToken: authToken,
    twilioFrom: fromNumber,
    twilioMessagingServiceSid: messagingServiceSid,
    twilioApiUrl: apiUrl,
    publicUrl,
  } = settings
  const hasTwilio = accountSid && authToken && (fromNumber ?? messagingServiceSid)
  const providerName = settings.smsProvider ?? (hasTwilio ? 'twilio' : 'simulator')
  if (providerName === 'none') return NO_PROVIDER
  if (providerName === 'simulator' || !hasTwilio) return null
  return createTwilioProvider({
    accountSid,
    authToken,
    from: fromNumber,
    messagingServiceSid,
    apiUrl,
    ...(isReachable(publicUrl) && { statusCallback: `${publicUrl}${STATUS_PATH}` }),
  })
}

const SETUP_PATH = '/sms-setup'

type State = (typeof SMS_STATES)[number]
type Health = { state: State; error: string | null; errorType: (typeof SMS_ERRORS)[number] | null }
export type MonitoredProvider = { provider: Provider; health: () => Health }

const READY: Health = { state: 'ready', error: null, errorType: null }
const CHECKING: Health = { state: 'checking', error: null, errorType: null }
const unhealthy = (state: State, errorType: keyof typeof SERVICE_ERROR_MESSAGES): Health => ({
  state,
  error: SERVICE_ERROR_MESSAGES[errorType],
  errorType,
})

/** A check calls the provider, so its result is reused this long. */
const CHECK_VALID_MS = 3000

/** Null if the failure is about one text only. */
function healthAfter({ kind, code, status }: SendFailure): Health | null {
  if (status === null) return unhealthy('service_unreachable', 'network')
  if (status === 401 || status === 403 || code === 20003)
    return unhealthy('service_unavailable', 'authentication')
  if (status >= 500) return unhealthy('service_unavailable', 'connectivity')
  return kind === 'unavailable' || status === 404
    ? unhealthy('service_unavailable', 'initialization')
    : null
}

export function monitorProvider(provider: Provider): MonitoredProvider {
  let health =
    provider.service === 'none'
      ? unhealthy('disconnected', 'connectivity')
      : provider.service === 'simulator'
        ? READY
        : CHECKING
  const observe = async <T>(call: Promise<T>): Promise<T> => {
    try {
      const answer = await call
      health = READY
      return answer
    } catch (error) {
      if (provider.service !== 'none' && error instanceof SendFailure)
        health = healthAfter(error) ?? health
      throw error
    }
  }
  let check = { answer: Promise.resolve(), goodUntil: -Infinity }
  const checkOnce = () => {
    if (now().getTime() < check.goodUntil) return check.answer
    const answer = observe(provider.check()).finally(
      () => (check.goodUntil = now().getTime() + CHECK_VALID_MS),
    )
    check = { answer, goodUntil: Infinity }
    return answer
  }
  return {
    provider: { ...provider, send: (text) => observe(provider.send(text)), check: checkOnce },
    health: () => health,
  }
}

export async function serviceStatus(
  tx: Tx,
  caller: Member,
  { provider, health }: MonitoredProvider,
) {
  const { state, error } = health()
  return {
    status: state,
    connected: state === 'ready',
    user: { name: await instructorName(tx, caller.id) },
    instructorId: caller.id,
    phone_number: provider.from,
    service: provider.service,
    error,
  }
}

export async function checkService({ provider, health }: MonitoredProvider) {
  try {
    await provider.check()
    return {
      success: true,
      message: provider.service === 'simulator' ? `${TEST_MODE}.` : 'The text service is ready.',
    }
  } catch (failure) {
    if (!(failure instanceof SendFailure)) throw failure
    const { error, errorType } = health()
    return {
      success: false,
      error: error ?? SERVICE_ERROR_MESSAGES.initialization,
      error_type: errorType ?? ('initialization' as const),
    }
  }
}

export async function setupQr(
  tx: Tx,
  caller: Member,
  monitoredProvider: MonitoredProvider,
  publicUrl: string,
) {
  const { status, connected, user } = await serviceStatus(tx, caller, monitoredProvider)
  return {
    qr: connected ? null : await toDataURL(`${publicUrl}${SETUP_PATH}`, { margin: 1, width: 320 }),
    status,
    connected,
    user,
  }
}
