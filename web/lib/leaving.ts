/** What a log-out has to do with what this device stores for a time without a network. */
import { tapStore } from './device-database.ts'
import { deviceStorage } from './device-storage.ts'
import { pluralize } from './text.ts'

/** The question to whoever would lose marks; empty where none wait. */
export async function unsentMarks(): Promise<string> {
  const { length: count } = await tapStore.all(`${deviceStorage.owner()} `)
  const [are, pronoun] = count === 1 ? ['is', 'it'] : ['are', 'them']
  return count === 0
    ? ''
    : `${pluralize(count, 'mark')} ${are} not sent yet. Log out and lose ${pronoun}?`
}

/** Removes the app and its worker from this device. */
export async function removeApp(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
  await (await navigator.serviceWorker.getRegistration())?.unregister()
}
