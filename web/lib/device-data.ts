import { tapStore } from './device-database.ts'
import { deviceStorage } from './device-storage.ts'
import { pluralize } from './text.ts'

/** The question to ask before logout. Empty if all marks have been sent. */
export async function unsentMarksQuestion(): Promise<string> {
  const unsentMarks = await tapStore.getAll(`${deviceStorage.owner()} `)
  const count = unsentMarks.length
  if (count === 0) return ''
  const pronoun = count === 1 ? 'it' : 'them'
  return `${pluralize(count, 'mark')} not sent yet. Log out and lose ${pronoun}?`
}

export async function removeStoredApp(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
  await (await navigator.serviceWorker.getRegistration())?.unregister()
}
