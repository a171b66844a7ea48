/** Stands in this browser's storage once a passkey was made or used in it. */
const USED_KEY = 'passkey'

/** Browsers have passkeys on secure pages of a host with a name; a native app's web view has none. */
export const canUsePasskeys = (): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  !('Capacitor' in globalThis)

export const hasUsedPasskey = (): boolean => localStorage.getItem(USED_KEY) !== null
export const rememberPasskey = (): void => localStorage.setItem(USED_KEY, '')
