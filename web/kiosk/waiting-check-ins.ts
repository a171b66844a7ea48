import { kioskApi } from '@tatami/contract/kiosk'
import { useEffect, useSyncExternalStore } from 'react'
import { ApiError, call } from '../lib/api.ts'
import { isTransientError } from '../lib/query.ts'
import { startRetrying } from '../lib/retry.ts'
import { kioskCredential } from './kiosk-credential.ts'
import { kioskStorage } from './kiosk-storage.ts'

/** A check-in that the server has not answered yet. It names nobody: a pass says nothing without the server. */
type WaitingCheckIn = { id: string; class_id: string; passes: string[]; came_at: string }

const STORE = 'check-ins'
const openDatabase = async () =>
  (await import('../lib/device-database.ts')).databaseOf('tatami-kiosk', [STORE])
let opened: ReturnType<typeof openDatabase> | undefined
/** On the disk before anybody is greeted, so that a tablet whose battery dies forgets nobody. */
const database = () => (opened ??= openDatabase())
let waiting: readonly WaitingCheckIn[] = []
const listeners = new Set<() => void>()

function show(now: readonly WaitingCheckIn[]) {
  waiting = now
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const loaded = (async () => {
  if (!kioskCredential.token()) return
  const stored = await database()
    .then((its) => its.all<WaitingCheckIn>(STORE, ''))
    .catch(() => [])
  const added = waiting.filter(({ id }) => stored.every((one) => one.id !== id))
  show([...stored.toSorted((one, other) => (one.came_at < other.came_at ? -1 : 1)), ...added])
})()

/** Another kiosk has its own. Of one that was ended no check-in may be sent any more; how many there were is said. */
async function drop() {
  await loaded
  if (kioskCredential.hasEnded() && waiting.length > 0) kioskStorage.store('unsent', waiting.length)
  show([])
  await database()
    .then((its) => its.clear(STORE))
    .catch(() => {})
}
kioskCredential.subscribe(() => void drop())

export async function addWaiting(checkIn: WaitingCheckIn): Promise<void> {
  await (await database()).change<WaitingCheckIn>(STORE, [checkIn.id], () => checkIn)
  show([...waiting, checkIn])
}
export async function removeWaiting(id: string): Promise<void> {
  await (await database()).change<WaitingCheckIn>(STORE, [id], () => undefined)
  show(waiting.filter((one) => one.id !== id))
}

/** What is no answer yet: it may be another one later. */
const TRY_AGAIN = [408, 409, 429]
const isRefusal = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !TRY_AGAIN.includes(error.status)

/** Sends all, the oldest first. What the server refuses is not sent again; rejects where some have to be. */
async function sendWaiting() {
  let failure: Error | undefined
  for (const { id, ...body } of waiting) {
    try {
      await call(kioskApi.checkIn, { body: { id, ...body } })
      await removeWaiting(id)
    } catch (error) {
      if (isTransientError(error as Error)) throw error
      // The kiosk was ended.
      if (!kioskCredential.token()) return
      if (isRefusal(error)) await removeWaiting(id)
      else failure = error as Error
    }
  }
  if (failure) throw failure
}

/** How many wait for a network; they are sent once it is back. */
export function useWaiting(): number {
  const count = useSyncExternalStore(subscribe, () => waiting.length)
  const hasSome = count > 0
  useEffect(() => (hasSome ? startRetrying(sendWaiting) : undefined), [hasSome])
  return count
}

/** How many check-ins an ended kiosk could not send. */
export const useUnsent = (): number =>
  useSyncExternalStore(subscribe, () => kioskStorage.load('unsent') ?? 0)
