import { kioskApi } from '@tatami/contract/kiosk/kiosk'
import { useSyncExternalStore } from 'react'
import { call } from '../lib/api.ts'
import { checkInStore } from '../lib/device-database.ts'
import { createDeviceOutbox } from '../lib/device-outbox.ts'
import { isFinalRefusal, type OutboxItem } from '../lib/outbox.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { kioskStorage } from './kiosk-storage.ts'

/** A check-in that the server has not confirmed. Only the server knows which student has a pass. */
type CheckIn = OutboxItem & {
  id: string
  class_id: string
  /** Missing in check-ins that an older version stored. */
  asks_first?: boolean
  passes: string[]
  came_at: string
}

/** A check-in is stored before the greeting appears, so a power failure cannot lose it. */
const checkIns = createDeviceOutbox<Pick<CheckIn, 'id'>, CheckIn, unknown>({
  name: 'check-ins',
  deviceStore: checkInStore,
  keyOf: ({ id }) => id,
  groupOf: ({ id }) => id,
  compare: (a, b) => (a.came_at < b.came_at ? -1 : 1),
  endpointOf: () => kioskApi.checkIn,
  send: async (unsentCheckIns) => {
    for (const { id, class_id, asks_first, passes, came_at } of unsentCheckIns)
      await call(kioskApi.checkIn, { body: { id, class_id, asks_first, passes, came_at } })
  },
  // A write conflict (409) may succeed on the next attempt.
  isRefused: (error) => isFinalRefusal(error) && error.status !== 409,
  dropsRefused: true,
})

/** A new kiosk must not send the check-ins of the previous one. */
async function removeCheckIns() {
  await checkIns.reload()
  const unsentCheckIns = checkIns.pending()
  if (kioskCredential.hasEnded() && unsentCheckIns.length > 0)
    kioskStorage.store('unsent', unsentCheckIns.length)
  await checkIns.remove(unsentCheckIns)
}
kioskCredential.subscribe(() => void removeCheckIns().catch(() => {}))

export const addCheckIn = (checkIn: CheckIn) => checkIns.put([checkIn], () => checkIn)
export const removeCheckIn = (id: string) =>
  checkIns.remove(checkIns.pending().filter((checkIn) => checkIn.id === id))

export const useWaitingCount = () => checkIns.usePending().length

export const useLostCheckInCount = (): number =>
  useSyncExternalStore(checkIns.subscribe, () => kioskStorage.load('unsent') ?? 0)
