/** Writes the host of TATAMI_URL into Info.plist. iOS allows service workers, and so offline use,
 *  only on the domains listed there (WKAppBoundDomains). `capacitor:` is the app's own error page.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const PLIST = new URL('ios/App/App/Info.plist', import.meta.url)
const DOMAIN = /(<key>WKAppBoundDomains<\/key>\s*<array>\s*<string>)[^<]*/

/** @param {string} plist @param {string} address */
export const withDomain = (plist, address) =>
  plist.replace(DOMAIN, (_, before) => `${before}${new URL(address).hostname}`)

if (import.meta.main) {
  if (!URL.canParse(process.env.TATAMI_URL ?? ''))
    throw new Error('Set TATAMI_URL to the address of your Tatami')
  writeFileSync(PLIST, withDomain(readFileSync(PLIST, 'utf8'), process.env.TATAMI_URL))
}
