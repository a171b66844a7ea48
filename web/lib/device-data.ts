import { FAIR_LEADS_PREFIX, tapStore } from './device-database.ts'
import { deviceStorage } from './device-storage.ts'
import { joinNonEmpty, pluralize } from './text.ts'

/** Returns the question to ask before a logout. Empty if everything has been sent. */
export async function unsentMarksQuestion(): Promise<string> {
  const owner = deviceStorage.owner()
  const marks = await tapStore.getAll(`${owner} `)
  const leads = await tapStore.getAll(`${FAIR_LEADS_PREFIX} ${owner} `)
  const count = marks.length + leads.length
  if (count === 0) return ''
  const items = [
    marks.length > 0 && pluralize(marks.length, 'mark'),
    leads.length > 0 && pluralize(leads.length, 'lead'),
  ]
  const pronoun = count === 1 ? 'it' : 'them'
  return `${joinNonEmpty(items, ' and ')} not sent yet. Log out and lose ${pronoun}?`
}

export async function removeStoredApp(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
  await (await navigator.serviceWorker.getRegistration())?.unregister()
}
