import { isIP } from 'node:net'
import { isPrivateHostname } from '@tatami/contract/lib/private-hostname'
import { isPublic } from './public-address.ts'

/** True if services on the internet, such as Twilio and Stripe, can reach this https address. */
export function isReachable(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'https:' || hostname.startsWith('[')) return false
  return isIP(hostname) === 4
    ? isPublic({ address: hostname, family: 4 })
    : !isPrivateHostname(hostname)
}
