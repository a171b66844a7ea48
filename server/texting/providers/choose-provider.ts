import { isIP } from 'node:net'
import { isPrivateHostname } from '@tatami/contract/private-hostname'
import type { Database } from '../../db/database.ts'
import { isPublic } from '../../lib/public-address.ts'
import { NO_PROVIDER, type Provider } from './provider.ts'
import { createSimulator } from './simulator.ts'
import { createTwilioProvider } from './twilio.ts'

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

/** Whether a provider on the internet can call this address. */
function isReachable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' || hostname.startsWith('[')) return false
  return isIP(hostname) === 4 ? isPublic({ address: hostname, family: 4 }) : !isPrivateHostname(hostname)
}

/** Twilio where it is set up, else the simulator, unless the settings name one (product.md, section 6). */
export function chooseProvider(settings: TextingSettings, db: Database): Provider {
  const {
    twilioAccountSid: accountSid,
    twilioAuthToken: authToken,
    twilioFrom: from,
    twilioMessagingServiceSid: messagingServiceSid,
    twilioApiUrl: apiUrl,
    publicUrl,
  } = settings
  const hasTwilio = accountSid && authToken && (from ?? messagingServiceSid)
  const chosen = settings.smsProvider ?? (hasTwilio ? 'twilio' : 'simulator')
  if (chosen === 'none') return NO_PROVIDER
  if (chosen === 'simulator' || !hasTwilio) return createSimulator(db)
  return createTwilioProvider({
    accountSid,
    authToken,
    from,
    messagingServiceSid,
    apiUrl,
    ...(isReachable(publicUrl) && { statusCallback: `${publicUrl}${STATUS_PATH}` }),
  })
}
