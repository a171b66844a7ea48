import Bowser from 'bowser'

const MAX_USER_AGENT = 500

/** "Chrome on Windows", from the user agent; null if unknown. Native apps are web views: Android's
 *  says so, iOS's looks like Safari without a name. */
export function describeDevice(userAgent: string): string | null {
  if (userAgent === '') return null
  const short = userAgent.slice(0, MAX_USER_AGENT)
  const { browser, os } = Bowser.parse(short)
  const isApp = /; wv\)/.test(short) || (os.name === 'iOS' && !short.includes('Safari/'))
  const name = isApp ? 'The app' : browser.name
  const place = os.name
  if (!name || !place) return name || place || null
  return `${name} on ${place}`
}
