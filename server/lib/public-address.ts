import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Refuses addresses in our own network. Browsers send us the URLs of push services, which could
 *  point to one. */

/** All public IPv6 addresses are in this range (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Reserved for protocols (RFC 2928). ipaddr.js knows only part of this range. */
const IETF_IPV6 = ipaddr.IPv6.parseCIDR('2001::/23')

export function isPublic({ address }: { address: string; family?: number }): boolean {
  const ip = ipaddr.parse(address)
  if (ip.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv4 || (ip.match(GLOBAL_IPV6) && !ip.match(IETF_IPV6))
}

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** Checks a host that is an IP address, which needs no lookup. IPv6 may be in brackets. */
export function refusePrivateAddress(host: string): void {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) > 0 && !isPublic({ address }))
    throw new PrivateAddressError(`${host} is not a public address`)
}

type ResolveHost = (
  host: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void
const systemLookup: ResolveHost = (host, callback) => lookup(host, { all: true }, callback)

/** Checks the address that the connection uses. If only the name were checked earlier, it could
 *  point to another address by the time of the connection. */
export const publicLookup =
  (resolve: ResolveHost = systemLookup): LookupFunction =>
  (host, { all }, callback) => {
    resolve(host, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const [firstAddress] = addresses
      if (!firstAddress || !addresses.every(isPublic))
        return callback(new PrivateAddressError(`${host} is not a public address`), '', 0)
      if (all) return callback(null, addresses)
      return callback(null, firstAddress.address, firstAddress.family)
    })
  }
