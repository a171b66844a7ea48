/** The app stored on an instructor's device (public/sw.js). It updates when the user agrees. */
import { hasNewVersion } from './offline.ts'
import { WORKER } from './push.ts'

const LOOK_MS = 60 * 60_000

const version = () => document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content
const compare = (worker: ServiceWorker | null) =>
  worker?.postMessage({ version: version() ?? 'development' }, {})

function followVersions(registration: ServiceWorkerRegistration) {
  const workers = navigator.serviceWorker
  workers.addEventListener('message', ({ data }) => {
    if (data === 'new-version') hasNewVersion.set(true)
  })
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

export async function loadNewVersion(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const reload = () => location.reload()
  if (!registration?.waiting) return reload()
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  registration.waiting.postMessage('take-over', {})
}
