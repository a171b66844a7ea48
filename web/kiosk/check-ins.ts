import { kioskApi } from '@tatami/contract/kiosk/kiosk'
import { useSyncExternalStore } from 'react'
import { call } from '../lib/api.ts'
import { checkInStore } from '../lib/device-database.ts'
import { createDeviceOutbox } from '../lib/device-outbox.ts'
import { isRefusal, type OutboxItem } from '../lib/outbox.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { kioskStorage } from './kiosk-storage.ts'

/** A check-in the server has not confirmed. A pass identifies nobody without the server. */
type CheckIn = OutboxItem & { id: string; class_id: string; passes: string[]; came_at: string }

/** Stored on disk before the greeting, so that a tablet that loses power forgets nobody. */
const checkIns = createDeviceOutbox<Pick<CheckIn, 'id'>, CheckIn, unknown>({
  name: 'check-ins',
  deviceStore: checkInStore,
  keyOf: ({ id }) => id,
  groupOf: ({ id }) => id,
  compare: (a, b) => (a.came_at < b.came_at ? -1 : 1),
  endpointOf: () => kioskApi.checkIn,
  send: async (waiting) => {
    for (const { id, class_id, passes, came_at } of waiting)
      await call(kioskApi.checkIn, { body: { id, class_id, passes, came_at } })
  },
  // A write conflict (409) can succeed on the next try.
  isRefused: (error) => isRefusal(error) && error.status !== 409,
  dropsRefused: true,
})

/**
 * A new kiosk must not send an ended kiosk's check-ins; an ended kiosk shows how many were lost.
 */
async function drop() {
  await checkIns.reload()
  const waiting = checkIns.pending()
  if (kioskCredential.hasEnded() && waiting.length > 0) kioskStorage.store('unsent', waiting.length)
  await checkIns.remove(waiting)
}
kioskCredential.subscribe(() => void drop().catch(() => {}))

export const addCheckIn = (checkIn: CheckIn) => checkIns.put([checkIn], () => checkIn)
export const removeCheckIn = (id: string) =>
  checkIns.remove(checkIns.pending().filter((checkIn) => checkIn.id === id))

export const useWaiting = () => checkIns.usePending().length

export const useUnsent = (): number =>
  useSyncExternalStore(checkIns.subscribe, () => kioskStorage.load('unsent') ?? 0)
