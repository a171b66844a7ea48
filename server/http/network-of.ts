import { isIPv6 } from 'node:net'

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Whom an address stands for: itself, or the 64 bits of IPv6 that one subscriber gets. */
export function subscriberNetworkOf(address: string): string {
  const v4 = MAPPED_V4.exec(address)?.[1]
  if (v4 || !isIPv6(address)) return v4 ?? address
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]!.split('::')
  const groups = (part = '') => part.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  return [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
