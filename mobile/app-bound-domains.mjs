/** Writes the host name of TATAMI_URL into Info.plist. iOS allows service workers only on the
 *  domains in that list, and the app needs one without a network. The list also has `capacitor:`,
 *  for the error page. */
import { readFileSync, writeFileSync } from 'node:fs'

const PLIST = new URL('ios/App/App/Info.plist', import.meta.url)
/** Matches the start of the list, up to its first domain. */
const DOMAIN = /(<key>WKAppBoundDomains<\/key>\s*<array>\s*<string>)[^<]*/

/** @param {string} plist @param {string} address */
export const withDomain = (plist, address) =>
  plist.replace(DOMAIN, (_, before) => `${before}${new URL(address).hostname}`)

if (import.meta.main) {
  if (!URL.canParse(process.env.TATAMI_URL ?? ''))
    throw new Error('Set TATAMI_URL to the address of your Tatami')
  writeFileSync(PLIST, withDomain(readFileSync(PLIST, 'utf8'), process.env.TATAMI_URL))
}
