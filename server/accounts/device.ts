import Bowser from 'bowser'

const MAX_USER_AGENT = 500

/** A device in words, "Chrome on Windows", from what it says of itself; null for what says nothing known. A native app is a web view:
 *  Android's says so, iOS's is a Safari that does not name itself. */
export function deviceOf(userAgent: string): string | null {
  if (userAgent === '') return null
  const short = userAgent.slice(0, MAX_USER_AGENT)
  const { browser, os } = Bowser.parse(short)
  const isApp = /; wv\)/.test(short) || (os.name === 'iOS' && !short.includes('Safari/'))
  const name = isApp ? 'The app' : browser.name
  const place = os.name
  if (!name || !place) return name || place || null
  return `${name} on ${place}`
}
