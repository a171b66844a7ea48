/* Shows notices while Tatami is closed. It keeps nothing, and stands between the app and its server in nothing: no fetch is heard here. */

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  event.waitUntil(showNotice(event.data))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotices(event.notification.data?.path))
})

function showNotice(data) {
  const { title, body, tag, path } = readable(data)
  const look = { body: body ?? '', icon: '/icon-192.png', data: { path }, ...(tag && { tag }) }
  return self.registration.showNotification(title ?? 'Tatami', look)
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
