import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks that nobody on the internet can call, and that nobody's browser may send us into: this machine, the one around it, and ways to reach them under another name. */
const V4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`
  .trim()
  .split(/\s+/)
const V6 = `
  ::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/9 ff00::/8`
  .trim()
  .split(/\s+/)

function listOf(networks: string[], family: 'ipv4' | 'ipv6') {
  const list = new BlockList()
  for (const [network = '', bits] of networks.map((one) => one.split('/'))) list.addSubnet(network, Number(bits), family)
  return (address: string) => list.check(address, family)
}
// Two lists: in one, the IPv4 addresses written as IPv6 would close all of IPv4.
const isClosed4 = listOf(V4, 'ipv4'),
  isClosed6 = listOf(V6, 'ipv6')

export const isPublic = ({ address, family }: LookupAddress): boolean => !(family === 6 ? isClosed6 : isClosed4)(address)

export class PrivateAddressError extends Error {
  override name = 'NotPublic'
}

/** An address in place of a name is looked up nowhere; `host` is as a URL has it, IPv6 in brackets. */
export function refusePrivateAddress(host: string): void {
  const address = host.replace(/^\[(.*)\]$/, '$1'),
    family = isIP(address)
  if (family > 0 && !isPublic({ address, family })) throw new PrivateAddressError(`${host} is not a public address`)
}

type Resolve = (host: string, found: (error: Error | null, addresses: LookupAddress[]) => void) => void
const systems: Resolve = (host, found) => lookup(host, { all: true }, found)

/** Names are looked up where the connection is made, so that none can be public when it is checked and private when it is called. */
export const publicLookup =
  (resolve: Resolve = systems): LookupFunction =>
  (host, { all }, found) => {
    resolve(host, (error, addresses) => {
      if (error) return found(error, '', 0)
      const [first] = addresses
      if (!first || !addresses.every(isPublic)) return found(new PrivateAddressError(`${host} is not a public address`), '', 0)
      if (all) return found(null, addresses)
      return found(null, first.address, first.family)
    })
  }
