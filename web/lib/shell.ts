/** The app in this device's store (public/sw.js): stored for instructors, opened without a network, and replaced when the reader says so. */
import { hasNewVersion } from './offline.ts'
import { WORKER } from './push.ts'

/** How often a page that stays open looks for a new version. */
const LOOK_MS = 60 * 60_000

/** What the build wrote into the document; a development server writes nothing. */
const version = () => document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content
const compare = (worker: ServiceWorker | null) =>
  worker?.postMessage({ version: version() ?? 'development' }, {})

function followVersions(registration: ServiceWorkerRegistration) {
  const workers = navigator.serviceWorker
  workers.addEventListener('message', ({ data }) => {
    if (data === 'new-version') hasNewVersion.set(true)
  })
  // Another page has let a new version take over.
  workers.addEventListener('controllerchange', () => compare(workers.controller))
  compare(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.waiting === installing)
        compare(installing)
    })
  })
  let lookedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lookedAt < LOOK_MS) return
    lookedAt = Date.now()
    registration.update().catch(() => {})
  })
}

/** Has the app stored on this device. Resolves to false where the browser stores nothing: it is old, or the page came without https. */
export async function storeApp(): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false
  const registration = (await navigator.serviceWorker.register(WORKER)) as
    | ServiceWorkerRegistration
    | undefined
  if (!registration) return false
  followVersions(registration)
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage('store-app', {})
  return true
}

/** Loads the page in the new version. */
export async function loadNewVersion(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const reload = () => location.reload()
  if (!registration?.waiting) return reload()
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  registration.waiting.postMessage('take-over', {})
}
