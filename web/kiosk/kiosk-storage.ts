import type { KioskState, OfflinePeople } from '@tatami/contract/kiosk/kiosk'
import { KIOSK_PREFIX } from './kiosk-credential.ts'

/** `unsent`: how many check-ins were dropped when the kiosk was ended. */
type KioskValues = { state: KioskState; people: OfflinePeople; unsent: number }

/** What a kiosk stores on its tablet for a time without a network: gone when the kiosk ends, or becomes another one. What was tapped is elsewhere
 *  (check-ins.ts). */
export const kioskStorage = {
  load: <N extends keyof KioskValues>(name: N): KioskValues[N] | undefined => {
    const json = localStorage.getItem(KIOSK_PREFIX + name)
    return json === null ? undefined : (JSON.parse(json) as KioskValues[N])
  },
  /** Returns false where the browser has no room for it. */
  store: <N extends keyof KioskValues>(name: N, value: KioskValues[N]): boolean => {
    try {
      localStorage.setItem(KIOSK_PREFIX + name, JSON.stringify(value))
      return true
    } catch {
      return false
    }
  },
}
