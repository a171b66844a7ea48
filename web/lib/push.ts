import { isNative } from './native.ts'

export const WORKER_URL = '/sw.js'
/** The account whose notifications this browser shows. Another account must not get them. */
const OWNER_KEY = 'push-owner'

export type PushSupport = 'ready' | 'denied' | 'insecure' | 'home-screen' | 'unsupported' | 'native'

export function pushSupport(): PushSupport {
  if (isNative()) return 'native'
  if (!window.isSecureContext) return 'insecure'
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (isSupported) return Notification.permission === 'denied' ? 'denied' : 'ready'
  // iOS supports push only for apps on the Home Screen.
  return 'standalone' in navigator && !navigator.standalone ? 'home-screen' : 'unsupported'
}

export const hasPushPermission = () =>
  'Notification' in window && Notification.permission === 'granted'
export const pushOwner = () => localStorage.getItem(OWNER_KEY)

const decodeBase64Url = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
const usesKey = ({ options }: PushSubscription, key: Uint8Array) =>
  String(new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())) === String(key)

type BrowserSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Subscribes this browser if necessary. Rejects if its push service is unreachable. */
export async function subscribeBrowser(
  publicKey: string,
  owner: string,
): Promise<BrowserSubscription> {
  if (pushOwner() !== owner) await unsubscribeBrowser()
  await navigator.serviceWorker.register(WORKER_URL)
  const { pushManager } = await navigator.serviceWorker.ready
  const key = decodeBase64Url(publicKey)
  const subscription = await pushManager.getSubscription()
  if (subscription && !usesKey(subscription, key)) await subscription.unsubscribe()
  const { endpoint = '', keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  ).toJSON()
  localStorage.setItem(OWNER_KEY, owner)
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
}

export async function unsubscribeBrowser(): Promise<void> {
  localStorage.removeItem(OWNER_KEY)
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

/** Sets the number on the installed app's icon. While Tatami is closed, sw.js sets it. */
export const setAppBadge = (unreadCount: number) =>
  void navigator.setAppBadge?.(unreadCount).catch(() => {})
