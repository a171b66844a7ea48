import { isIP } from 'node:net'
import { SERVICE_ERROR_MESSAGES, TEST_MODE } from '@tatami/contract/texting/message-types'
import { isPrivateHostname } from '@tatami/contract/lib/private-hostname'
import type { SMS_ERRORS, SMS_STATES } from '@tatami/contract/texting/texting'
import { toDataURL } from 'qrcode'
import { instructorName } from '../accounts/instructors.ts'
import type { Database, Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
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

export const STATUS_PATH = '/api/sms/webhooks/status'
export const INCOMING_PATH = '/api/sms/webhooks/incoming'

/** Whether Twilio can reach this URL to report a delivery. */
function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' || hostname.startsWith('[')) return false
  return isIP(hostname) === 4
    ? isPublic({ address: hostname, family: 4 })
    : !isPrivateHostname(hostname)
}

/** Unless `smsProvider` is set, this is Twilio if it is set up, or else the simulator. */
export function chooseProvider(settings: TextingSettings, db: Database): Provider {
  return configuredProvider(settings) ?? createSimulator(db)
}

/** Twilio or no provider at all. Null stands for the simulator, which needs a database. */
export function configuredProvider(settings: TextingSettings): Provider | null {
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

/** A check calls the provider, so its result is reused for this time. */
const CHECK_VALID_MS = 3000

const AUTHENTICATION_ERROR = 20003

/** What a failure says about the service. Null if it concerns only one text. */
function healthAfter({ kind, code, status }: SendFailure): Health | null {
  if (status === null) return unhealthy('service_unreachable', 'network')
  if (status === 401 || status === 403 || code === AUTHENTICATION_ERROR)
    return unhealthy('service_unavailable', 'authentication')
  if (status >= 500) return unhealthy('service_unavailable', 'connectivity')
  return kind === 'unavailable' || status === 404
    ? unhealthy('service_unavailable', 'initialization')
    : null
}

function initialHealth({ service }: Provider): Health {
  if (service === 'none') return unhealthy('disconnected', 'connectivity')
  return service === 'simulator' ? READY : CHECKING
}

export function monitorProvider(provider: Provider): MonitoredProvider {
  let health = initialHealth(provider)
  const observe = async <T>(call: Promise<T>): Promise<T> => {
    try {
      const result = await call
      health = READY
      return result
    } catch (error) {
      if (provider.service !== 'none' && error instanceof SendFailure)
        health = healthAfter(error) ?? health
      throw error
    }
  }
  let lastCheck = { result: Promise.resolve(), validUntil: -Infinity }
  const checkUnlessRecent = () => {
    if (now().getTime() < lastCheck.validUntil) return lastCheck.result
    const result = observe(provider.check()).finally(() => {
      lastCheck.validUntil = now().getTime() + CHECK_VALID_MS
    })
    lastCheck = { result, validUntil: Infinity }
    return result
  }
  return {
    provider: {
      ...provider,
      send: (text) => observe(provider.send(text)),
      check: checkUnlessRecent,
    },
    health: () => health,
  }
}

export async function readServiceStatus(
  tx: Tx,
  caller: DojoCaller,
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

const SETUP_PATH = '/sms-setup'

/** While the service is not connected, a QR code that opens the setup page on a phone. */
export async function createSetupQr(
  tx: Tx,
  caller: DojoCaller,
  monitoredProvider: MonitoredProvider,
  publicUrl: string,
) {
  const { status, connected, user } = await readServiceStatus(tx, caller, monitoredProvider)
  return {
    qr: connected ? null : await toDataURL(`${publicUrl}${SETUP_PATH}`, { margin: 1, width: 320 }),
    status,
    connected,
    user,
  }
}
