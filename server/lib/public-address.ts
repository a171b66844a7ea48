import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only routed IPv6 addresses (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** IETF protocol assignments, which ipaddr.js knows only partly. */
const IETF_IPV6 = ipaddr.IPv6.parseCIDR('2001::/23')

/** True for addresses that anybody on the internet can reach. */
export function isPublic({ address }: { address: string; family?: number }): boolean {
  const ip = ipaddr.parse(address)
  if (ip.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv4 || (ip.match(GLOBAL_IPV6) && !ip.match(IETF_IPV6))
}

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** Throws for a private IP address, which is not looked up; IPv6 in brackets, as in a URL. */
export function refusePrivateAddress(host: string): void {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) > 0 && !isPublic({ address }))
    throw new PrivateAddressError(`${host} is not a public address`)
}

type Resolve = (
  host: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void
const systemLookup: Resolve = (host, callback) => lookup(host, { all: true }, callback)

/** Checks the address at connection time, so that a name cannot change between check and call. */
export const publicLookup =
  (resolve: Resolve = systemLookup): LookupFunction =>
  (host, { all }, callback) => {
    resolve(host, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const [first] = addresses
      if (!first || !addresses.every(isPublic))
        return callback(new PrivateAddressError(`${host} is not a public address`), '', 0)
      if (all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
  }
