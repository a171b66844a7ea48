import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only IPv6 addresses that the internet routes (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** IETF protocol assignments, of which ipaddr.js names only some. */
const IETF_IPV6 = ipaddr.IPv6.parseCIDR('2001::/23')

/** Whether an address is one that anybody on the internet can reach: not this machine, not its network, no other spelling of either. */
export function isPublic({ address }: { address: string; family?: number }): boolean {
  const ip = ipaddr.parse(address)
  if (ip.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv4 || (ip.match(GLOBAL_IPV6) && !ip.match(IETF_IPV6))
}

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
}

/** Throws for a private address in place of a host name, which no lookup would check; IPv6 stands in brackets, as in a URL. */
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

/** Looks a name up where the connection is made, so that none can be public when it is checked and private when it is called. */
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
