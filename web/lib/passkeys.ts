const USED_KEY = 'passkey'

/** Passkeys need https and a host name, not an IP address. The native apps do not support them. */
export const canUsePasskeys = (): boolean =>
  isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  !('Capacitor' in globalThis)

export const hasUsedPasskey = (): boolean => localStorage.getItem(USED_KEY) !== null
export const rememberPasskey = (): void => localStorage.setItem(USED_KEY, '')
