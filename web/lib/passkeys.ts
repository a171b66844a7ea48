const USED_KEY = 'passkey'

/** Passkeys need a secure page and a host name. They do not work in the native app's web view. */
export const canUsePasskeys = (): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  !('Capacitor' in globalThis)

export const hasUsedPasskey = (): boolean => localStorage.getItem(USED_KEY) !== null
export const rememberPasskey = (): void => localStorage.setItem(USED_KEY, '')
