import { kioskApi } from '@tatami/contract/kiosk'
import { useEffect, useSyncExternalStore } from 'react'
import { call } from '../lib/api.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { isTransientError } from '../lib/query.ts'
import { startRetrying } from '../lib/retry.ts'
import { kioskStorage, type WaitingCheckIn } from './kiosk-storage.ts'

let waiting: readonly WaitingCheckIn[] = kioskStorage.load('waiting') ?? []
const listeners = new Set<() => void>()

function change(now: readonly WaitingCheckIn[]) {
  waiting = now
  kioskStorage.store('waiting', now)
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const current = () => waiting
// Another kiosk has its own.
kioskCredential.subscribe(() => change([]))

/** Stored before anybody is greeted, so that a tablet that is switched off forgets nobody. */
export const addWaiting = (checkIn: WaitingCheckIn) => change([...waiting, checkIn])
export const removeWaiting = (id: string) => change(waiting.filter((one) => one.id !== id))

/** Sends all, the oldest first. What the server refuses is not sent again; rejects while there is no network. */
async function sendWaiting() {
  for (const { id, ...body } of waiting) {
    try {
      await call(kioskApi.checkIn, { body: { id, ...body } })
    } catch (error) {
      if (isTransientError(error as Error)) throw error
    }
    removeWaiting(id)
  }
}

/** How many wait for a network; they are sent once it is back. */
export function useWaiting(): number {
  const count = useSyncExternalStore(subscribe, current).length
  const hasSome = count > 0
  useEffect(() => (hasSome ? startRetrying(sendWaiting) : undefined), [hasSome])
  return count
}
