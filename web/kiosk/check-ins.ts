import { kioskApi } from '@tatami/contract/kiosk/kiosk'
import { useSyncExternalStore } from 'react'
import { call } from '../lib/api.ts'
import { checkInStore } from '../lib/device-database.ts'
import { deviceOutbox, isRefusal, type OutboxItem } from '../lib/outbox.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { kioskStorage } from './kiosk-storage.ts'

/** A check-in that the server has not answered yet. It names nobody: a pass says nothing without the server. */
type CheckIn = OutboxItem & { id: string; class_id: string; passes: string[]; came_at: string }

/** On the disk before anybody is greeted, so that a tablet whose battery dies forgets nobody. */
const checkIns = deviceOutbox<Pick<CheckIn, 'id'>, CheckIn, unknown>({
  name: 'check-ins',
  disk: checkInStore,
  keyOf: ({ id }) => id,
  groupOf: ({ id }) => id,
  order: (a, b) => (a.came_at < b.came_at ? -1 : 1),
  endpointOf: () => kioskApi.checkIn,
  send: async (waiting) => {
    for (const { id, class_id, passes, came_at } of waiting)
      await call(kioskApi.checkIn, { body: { id, class_id, passes, came_at } })
  },
  // A conflict with another change is none the next time.
  isRefused: (error) => isRefusal(error) && error.status !== 409,
  forgetsRefused: true,
})

/** Another kiosk has its own. Of one that was ended no check-in may be sent any more; how many there were is said. */
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

/** How many wait for a network; they are sent once it is back. */
export const useWaiting = () => checkIns.usePending().length

/** How many check-ins an ended kiosk could not send. */
export const useUnsent = (): number =>
  useSyncExternalStore(checkIns.subscribe, () => kioskStorage.load('unsent') ?? 0)
