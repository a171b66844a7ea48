import { BlockList, isIP } from 'node:net'
import type { Database } from '../kernel/database.ts'
import { NO_PROVIDER, type Provider } from './provider.ts'
import { simulator } from './simulator.ts'
import { twilioProvider } from './twilio.ts'

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

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['0.0.0.0', 8],
] as const)
  PRIVATE.addSubnet(net, bits)

/** Whether a provider on the internet can call this address. */
function isPublicHttps(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' || hostname.startsWith('[')) return false
  if (isIP(hostname) === 4) return !PRIVATE.check(hostname)
  return hostname.includes('.') && !/\.(local|internal|localhost|lan)$/.test(hostname)
}

/** Twilio where it is set up, else the simulator, unless the settings name one (product.md, section 6). */
export function providerFrom(settings: TextingSettings, db: Database): Provider {
  const {
    twilioAccountSid: accountSid,
    twilioAuthToken: authToken,
    twilioFrom: from,
    twilioMessagingServiceSid: messagingServiceSid,
    twilioApiUrl: apiUrl,
    publicUrl,
  } = settings
  const canText = accountSid && authToken && (from ?? messagingServiceSid)
  const chosen = settings.smsProvider ?? (canText ? 'twilio' : 'simulator')
  if (chosen === 'none') return NO_PROVIDER
  if (chosen === 'simulator' || !canText) return simulator(db)
  return twilioProvider({
    accountSid,
    authToken,
    from,
    messagingServiceSid,
    apiUrl,
    ...(isPublicHttps(publicUrl) && { statusCallback: `${publicUrl}${STATUS_PATH}` }),
  })
}
