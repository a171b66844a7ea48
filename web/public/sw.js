/*
 * Opens the app offline, and shows notices while Tatami is closed. It stores only the app's own
 * files, never an answer of the server (web/lib/copies.ts does). Nothing is stored until an
 * instructor's page asks for it ('store-app', web/lib/shell.ts).
 */

// Filled in by scripts/build.ts.
const VERSION = 'development'
const FILES = []

/** The app's document, and the path under which it is stored. */
const DOCUMENT = '/dashboard'
const PREFIX = 'app-'
const SHELL = PREFIX + VERSION
/** A page of the previous version may still be open and load its parts. */
const MOST_SHELLS = 2
/** After this time the stored document, which is of this version or the previous one, is used. */
const DOCUMENT_TIMEOUT_MS = 800
/** Visitor pages need the server anyway. */
const VISITORS =
  /^\/(api|join|consent-form|privacy|accept-invitation|reset-password|recover-account|certificate|pay|sign|t|d|b|w)(\/|$)/
/** Other documents; the app replaces them only if the server does not answer. */
const OTHER_DOCUMENTS = ['/', '/login']

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), dropOldShells()])),
)
self.addEventListener('message', (event) => {
  const { data, source } = event
  if (data === 'store-app') event.waitUntil(storeShell())
  if (data === 'take-over') event.waitUntil(self.skipWaiting())
  // A page of this version lets its worker take over; another one is told about the new version.
  if (data?.version === VERSION) event.waitUntil(self.skipWaiting())
  else if (data?.version) source.postMessage('new-version', {})
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || VISITORS.test(pathname)) return
  if (request.mode === 'navigate') {
    if (!/\.[^/]*$/.test(pathname)) event.respondWith(openDocument(request, pathname))
  } else if (pathname.startsWith('/assets/') || FILES.includes(pathname))
    event.respondWith(openFile(request, pathname))
})

const shells = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX))

/** If a previous version stored the app, store the new one before taking over. */
async function install() {
  if ((await shells()).length > 0) await storeShell()
  else await self.skipWaiting()
}

async function fetchWhole(path, options) {
  const response = await fetch(path, options)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response
}

/** The document comes last: if it is there, everything it needs is there. */
async function storeShell() {
  if (await caches.match(DOCUMENT, { cacheName: SHELL, ignoreVary: true })) return
  const response = await fetchWhole(DOCUMENT, { cache: 'no-cache' })
  const html = await response.text()
  // During a rolling update the document may come from a server of another version.
  if (!html.includes(`content="${VERSION}"`)) throw new Error('The document is of another version')
  const shell = await caches.open(SHELL)
  const store = async (path) => {
    if (await shell.match(path, { ignoreVary: true })) return
    await shell.put(
      path,
      (await caches.match(path, { ignoreVary: true })) ??
        (await fetchWhole(path, { priority: 'low' })),
    )
  }
  await Promise.all(FILES.map(store))
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length', 'etag', 'last-modified'])
    headers.delete(name)
  await shell.put(
    DOCUMENT,
    new Response(html.replace(' data-app>', ' data-app="stored">'), { headers }),
  )
}

async function dropOldShells() {
  const others = (await shells()).filter((name) => name !== SHELL)
  await Promise.all(
    others
      .slice(0, Math.max(0, others.length - MOST_SHELLS + 1))
      .map((name) => caches.delete(name)),
  )
}

/** Only the kiosk may use the camera (server/http/static-files.ts). */
function forPath(stored, pathname) {
  if (!stored || pathname !== '/kiosk') return stored
  const headers = new Headers(stored.headers)
  headers.set('permissions-policy', 'camera=(self), geolocation=(), microphone=()')
  return new Response(stored.body, { headers })
}

async function openDocument(request, pathname) {
  const fresh = fetch(request)
  const stored = forPath(
    await caches.match(DOCUMENT, { cacheName: SHELL, ignoreVary: true }),
    pathname,
  )
  if (!stored) return fresh
  const late = new Promise((resolve) => {
    if (!OTHER_DOCUMENTS.includes(pathname))
      setTimeout(() => resolve(stored.clone()), DOCUMENT_TIMEOUT_MS)
  })
  const answered = fresh.then(
    (response) => (response.status >= 500 ? stored : response),
    () => stored,
  )
  return Promise.race([answered, late])
}

const openFile = async (request, pathname) =>
  (await caches.match(pathname, { ignoreVary: true })) ?? fetch(request)

self.addEventListener('push', (event) => {
  event.waitUntil(showNotice(event.data))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotices(event.notification.data?.path))
})

function showNotice(data) {
  const { title, body, tag, path, unread } = readable(data)
  const look = { body: body ?? '', icon: '/icon-192.png', data: { path }, ...(tag && { tag }) }
  const counted =
    unread === undefined ? undefined : self.navigator.setAppBadge?.(unread).catch(() => {})
  return Promise.all([counted, self.registration.showNotification(title ?? 'Tatami', look)])
}

/** Browsers require a visible notice for every push, even for an empty one. */
function readable(data) {
  try {
    return Object(data?.json())
  } catch {
    return {}
  }
}

/** Pages without a bell. */
const BELL_LESS = /^\/((login|join|consent-form|reset-password)(\/|$)|$)/

async function openNotices(path) {
  const url = new URL(path ?? '/', self.location.origin)
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = open.find((client) => !BELL_LESS.test(new URL(client.url).pathname))
  if (!page) return self.clients.openWindow(url.origin === self.location.origin ? url.href : '/')
  // The page opens its notices by itself, and keeps what is being typed.
  page.postMessage('open-notifications', {})
  return page.focus()
}
