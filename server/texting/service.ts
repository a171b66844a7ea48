import { SERVICE_ERROR_MESSAGES, TEST_MODE } from '@tatami/contract/texting/message-types'
import type { SMS_ERRORS, SMS_STATES } from '@tatami/contract/texting/texting'
import { toDataURL } from 'qrcode'
import { findInstructorName } from '../accounts/instructors.ts'
import type { Database, Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { now } from '../lib/clock.ts'
import { buildStatusUrl } from './callback-urls.ts'
import { accountStateAfterFailure, recordAccountCheck, setAccountState } from './own-account.ts'
import {
  createOwnAccounts,
  findOwnService,
  type OwnAccounts,
  type OwnService,
} from './providers/own-accounts.ts'
import { NO_DETAILS, NO_PROVIDER, type Provider, SendFailure } from './providers/provider.ts'
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

/** Without `smsProvider`, this is Twilio if it is set up, or else the simulator. */
export function chooseProvider(settings: TextingSettings, db: Database): Provider {
  return createConfiguredProvider(settings) ?? createSimulator(db)
}

/** Returns Twilio or no provider. Null stands for the simulator, which needs a database. */
export function createConfiguredProvider(settings: TextingSettings): Provider | null {
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
    statusCallback: buildStatusUrl(publicUrl),
  })
}

type State = (typeof SMS_STATES)[number]
type Health = { state: State; error: string | null; errorType: (typeof SMS_ERRORS)[number] | null }
export type MonitoredProvider = { provider: Provider; readHealth: () => Health }

const READY: Health = { state: 'ready', error: null, errorType: null }
const CHECKING: Health = { state: 'checking', error: null, errorType: null }
const createFailedHealth = (
  state: State,
  errorType: keyof typeof SERVICE_ERROR_MESSAGES,
): Health => ({
  state,
  error: SERVICE_ERROR_MESSAGES[errorType],
  errorType,
})

/** Each check calls the provider, so its result is reused for a while. */
const CHECK_VALID_MS = 3000

const AUTHENTICATION_ERROR = 20003

/** Null if the failure concerns only one text and says nothing about the service. */
function healthAfterFailure({ kind, code, status }: SendFailure): Health | null {
  if (status === null) return createFailedHealth('service_unreachable', 'network')
  if (status === 401 || status === 403 || code === AUTHENTICATION_ERROR)
    return createFailedHealth('service_unavailable', 'authentication')
  if (status >= 500) return createFailedHealth('service_unavailable', 'connectivity')
  return kind === 'unavailable' || status === 404
    ? createFailedHealth('service_unavailable', 'initialization')
    : null
}

function chooseInitialHealth({ service }: Provider): Health {
  if (service === 'none') return createFailedHealth('disconnected', 'connectivity')
  return service === 'simulator' ? READY : CHECKING
}

export function monitorProvider(provider: Provider): MonitoredProvider {
  let health = chooseInitialHealth(provider)
  const observe = async <Result>(call: Promise<Result>): Promise<Result> => {
    try {
      const result = await call
      health = READY
      return result
    } catch (error) {
      if (provider.service !== 'none' && error instanceof SendFailure)
        health = healthAfterFailure(error) ?? health
      throw error
    }
  }
  let lastCheck = { result: Promise.resolve(NO_DETAILS), validUntil: -Infinity }
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
    readHealth: () => health,
  }
}

/** How texts reach phones: through the server's service, or the own accounts of dojos. */
export type Texting = { server: MonitoredProvider; ownAccounts: OwnAccounts }

export const createTexting = (settings: TextingSettings, db: Database): Texting => ({
  server: monitorProvider(chooseProvider(settings, db)),
  ownAccounts: createOwnAccounts(settings),
})

/** The provider that sends a dojo's next text. */
export async function providerOfDojo(
  tx: Tx,
  { server, ownAccounts }: Texting,
  dojoId: string,
): Promise<Provider> {
  return (await findOwnService(tx, ownAccounts, dojoId))?.provider ?? server.provider
}

/** False for the simulator and for an account that fails. An account that Twilio once confirmed
 *  still counts while Twilio does not respond. */
export async function sendsRealTexts(
  tx: Tx,
  { server, ownAccounts }: Texting,
  dojoId: string,
): Promise<boolean> {
  const ownService = await findOwnService(tx, ownAccounts, dojoId)
  if (ownService) {
    const { state, checked_at } = ownService.account
    return state === 'ready' || (state === 'unchecked' && checked_at !== null)
  }
  return server.provider.service === 'twilio_sms'
}

/** An account that Twilio has not confirmed yet counts as `checking`: the setup page checks it. */
function healthOfAccount({ state, error }: OwnService['account']): Pick<Health, 'state' | 'error'> {
  if (state === 'ready') return READY
  if (state === 'unchecked')
    return error === null ? CHECKING : { state: 'service_unreachable', error }
  return { state: 'service_unavailable', error }
}

export async function readServiceStatus(tx: Tx, caller: DojoCaller, texting: Texting) {
  const ownService = await findOwnService(tx, texting.ownAccounts, caller.dojoId)
  const { state, error } = ownService
    ? healthOfAccount(ownService.account)
    : texting.server.readHealth()
  const { from, service } = ownService?.provider ?? texting.server.provider
  return {
    status: state,
    connected: state === 'ready',
    user: { name: await findInstructorName(tx, caller.id) },
    instructorId: caller.id,
    phone_number: from,
    service,
    error,
  }
}

export async function checkService(db: Database, { dojoId }: DojoCaller, texting: Texting) {
  const ownService = await db.inDojo(dojoId, (tx) =>
    findOwnService(tx, texting.ownAccounts, dojoId),
  )
  return ownService ? checkOwnService(db, dojoId, ownService) : checkServerService(texting.server)
}

const SERVICE_READY = 'The text service is ready.'

async function checkServerService({ provider, readHealth }: MonitoredProvider) {
  try {
    await provider.check()
    return {
      success: true,
      message: provider.service === 'simulator' ? `${TEST_MODE}.` : SERVICE_READY,
    }
  } catch (failure) {
    if (!(failure instanceof SendFailure)) throw failure
    const { error, errorType } = readHealth()
    return {
      success: false,
      error: error ?? SERVICE_ERROR_MESSAGES.initialization,
      error_type: errorType ?? ('initialization' as const),
    }
  }
}

async function checkOwnService(db: Database, dojoId: string, { account, provider }: OwnService) {
  const { account_sid } = account
  try {
    const { isTrial, replyUrl } = await provider.check()
    const { state, error } = await db.inDojo(dojoId, (tx) =>
      recordAccountCheck(tx, account_sid, { is_trial: isTrial, reply_url: replyUrl }),
    )
    return state === 'ready'
      ? { success: true, message: SERVICE_READY }
      : {
          success: false,
          error: error ?? SERVICE_ERROR_MESSAGES.initialization,
          error_type: 'initialization' as const,
        }
  } catch (failure) {
    if (!(failure instanceof SendFailure)) throw failure
    const state = accountStateAfterFailure(failure) ?? 'unchecked'
    await db.inDojo(dojoId, (tx) => setAccountState(tx, account_sid, state, failure.message))
    const { errorType } = healthAfterFailure(failure) ?? { errorType: null }
    return {
      success: false,
      error: failure.message,
      error_type: errorType ?? ('initialization' as const),
    }
  }
}

const SETUP_PATH = '/sms-setup'

/** Creates a QR code that opens the setup page on a phone, if the service is not connected. */
export async function createSetupQr(
  tx: Tx,
  caller: DojoCaller,
  texting: Texting,
  publicUrl: string,
) {
  const { status, connected, user } = await readServiceStatus(tx, caller, texting)
  return {
    qr: connected ? null : await toDataURL(`${publicUrl}${SETUP_PATH}`, { margin: 1, width: 320 }),
    status,
    connected,
    user,
  }
}
