/** Stores the app on an instructor's device, so that it opens offline (public/sw.js). The user
 *  decides when to update it. */
import { hasNewVersion } from './offline.ts'
import { WORKER_URL } from './push.ts'

const CHECK_INTERVAL_MS = 60 * 60_000

const pageVersion = () => document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content
const sendVersion = (worker: ServiceWorker | null) =>
  worker?.postMessage({ version: pageVersion() ?? 'development' }, {})

/** Sends this page's version to new workers. A worker of another version replies 'new-version'. */
function followVersions(registration: ServiceWorkerRegistration) {
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', ({ data }) => {
    if (data === 'new-version') hasNewVersion.set(true)
  })
  serviceWorker.addEventListener('controllerchange', () => sendVersion(serviceWorker.controller))
  sendVersion(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && registration.waiting === installing)
        sendVersion(installing)
    })
  })
  let lastCheckMs = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - lastCheckMs < CHECK_INTERVAL_MS) return
    lastCheckMs = Date.now()
    registration.update().catch(() => {})
  })
}

export async function storeApp(): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false
  const registration = (await navigator.serviceWorker.register(WORKER_URL)) as
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
