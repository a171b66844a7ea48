import Bowser from 'bowser'

const MAX_USER_AGENT_LENGTH = 500

/** Our mobile apps are web views. Their user agent has `wv` on Android, and no `Safari` on iOS. */
export function describeDevice(userAgent: string): string | null {
  if (userAgent === '') return null
  const shortAgent = userAgent.slice(0, MAX_USER_AGENT_LENGTH)
  const { browser, os } = Bowser.parse(shortAgent)
  const isApp = /; wv\)/.test(shortAgent) || (os.name === 'iOS' && !shortAgent.includes('Safari/'))
  const program = isApp ? 'The app' : browser.name
  const system = os.name
  if (!program || !system) return program || system || null
  return `${program} on ${system}`
}
