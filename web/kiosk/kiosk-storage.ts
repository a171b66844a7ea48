import type { KioskState, OfflinePeople } from '@tatami/contract/kiosk/kiosk'
import { KIOSK_PREFIX } from './kiosk-credential.ts'

/** `unsent` is the number of check-ins that were lost when the kiosk ended. */
type KioskValues = { state: KioskState; people: OfflinePeople; unsent: number }

export const kioskStorage = {
  load: <Name extends keyof KioskValues>(name: Name): KioskValues[Name] | undefined => {
    const json = localStorage.getItem(KIOSK_PREFIX + name)
    return json === null ? undefined : JSON.parse(json)
  },
  /** Returns false if the storage is full or blocked. */
  store: <Name extends keyof KioskValues>(name: Name, value: KioskValues[Name]): boolean => {
    try {
      localStorage.setItem(KIOSK_PREFIX + name, JSON.stringify(value))
      return true
    } catch {
      return false
    }
  },
}
