/*
 * Opens the app without a network, and shows notices while Tatami is closed. It stores the app's own files, which are the same for everyone,
 * and never an answer of the server: what people see without a network their page has stored (web/lib/copies.ts). Until the page of an
 * instructor asks for it ('store-app', web/lib/shell.ts), nothing is stored, and everything comes from the server.
 */

// Filled in by scripts/build.ts.
const VERSION = 'development'
const FILES = []

/** The document of every page of the app, and the path that it is stored under. */
const DOCUMENT = '/dashboard'
const PREFIX = 'app-'
const SHELL = PREFIX + VERSION
/** A page of the version before may still be open, and load its parts. */
const MOST_SHELLS = 2
/** A document is waited for no longer: what is stored is of this version, or of the one before. */
const DOCUMENT_TIMEOUT_MS = 800
/** Pages for visitors, which need the server anyway. */
const VISITORS =
  /^\/(api|join|consent-form|privacy|accept-invitation|reset-password|recover-account|certificate)(\/|$)/
/** Documents of their own, which the app stands in for only where the server does not answer. */
const OTHER_DOCUMENTS = ['/', '/login']

self.addEventListener('install', (event) => event.waitUntil(install()))
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), dropOldShells()])),
)
self.addEventListener('message', (event) => {
  const { data, source } = event
  if (data === 'store-app') event.waitUntil(storeShell())
  if (data === 'take-over') event.waitUntil(self.skipWaiting())
  // A page of this version needs no reload to be served by its worker; another says that there is a new one.
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

/** Where a version before has stored the app, this one does before it waits for its turn. */
async function install() {
  if ((await shells()).length > 0) await storeShell()
  else await self.skipWaiting()
}

async function fetchWhole(path, options) {
  const response = await fetch(path, options)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response
}

/** Stores the files, and at last the document: where it is, all that it needs is. */
async function storeShell() {
  if (await caches.match(DOCUMENT, { cacheName: SHELL, ignoreVary: true })) return
  const response = await fetchWhole(DOCUMENT, { cache: 'no-cache' })
  const html = await response.text()
  // While servers are replaced one by one, the document may come from another.
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

/** The kiosk may use a camera, as the server says of its page alone (server/http/static-files.ts). */
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
  // A browser without a number on the app's icon shows the notice all the same.
  const counted =
    unread === undefined ? undefined : self.navigator.setAppBadge?.(unread).catch(() => {})
  return Promise.all([counted, self.registration.showNotification(title ?? 'Tatami', look)])
}

/** A browser insists that something is shown for every push, even one that says nothing. */
function readable(data) {
  try {
    return Object(data?.json())
  } catch {
    return {}
  }
}

/** The pages without a bell. */
const BELL_LESS = /^\/((login|join|consent-form|reset-password)(\/|$)|$)/

async function openNotices(path) {
  const url = new URL(path ?? '/', self.location.origin)
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = open.find((client) => !BELL_LESS.test(new URL(client.url).pathname))
  if (!page) return self.clients.openWindow(url.origin === self.location.origin ? url.href : '/')
  // What is being written there stays as it is: the page opens its notices by itself.
  page.postMessage('open-notifications', {})
  return page.focus()
}
