import { ActionIcon } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { badge, VIBRATION_MS, type Notification, type NotificationSettings } from '@tatami/contract/notifications'
import { useState, useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pushOwner } from '../lib/push.ts'
import { serverTime } from '../lib/server-clock.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import styles from './bell.module.css'
import { notificationToAnnounce } from './notification-to-announce.ts'
import { useNotifications, useSettings } from './use-notifications.ts'

const NotificationPanel = lazyComponent(() => import('./notification-panel.tsx').then((part) => part.NotificationPanel))

/** The bell with the number of unread notifications; plays a sound and vibrates for new ones. */
export function Bell({ accountId, isInstructor }: { accountId: string; isInstructor: boolean }) {
  const { notifications, updatedAt, unread } = useNotifications()
  const settings = useSettings(isInstructor)
  useAlert(notifications, updatedAt, settings)
  usePushRenewal(accountId)
  const [opened, setOpened] = useState(false)
  useOpenedFromOutside(() => setOpened(true))
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className={styles.bell}
        aria-haspopup="dialog"
        aria-label={unread > 0 ? `Notifications, ${badge(unread)} unread` : 'Notifications'}
        onPointerEnter={NotificationPanel.preload}
        onFocus={NotificationPanel.preload}
        onClick={() => setOpened(true)}
      >
        <IconBell size={26} stroke={1.5} aria-hidden />
        {unread > 0 && (
          <span className={styles.badge} aria-hidden>
            {badge(unread)}
          </span>
        )}
      </ActionIcon>
      {opened && (
        <NotificationPanel
          notifications={notifications}
          accountId={accountId}
          isInstructor={isInstructor}
          isPushed={settings?.push_enabled === true}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}

/** What the service worker says to an open page (public/sw.js), and the end of the address it opens otherwise (send-push.ts). */
const MESSAGE = 'open-notifications',
  HASH = '#notifications'

/** Opens the panel when a tap on a push notification led to this page. */
function useOpenedFromOutside(open: () => void) {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const openByAddress = useEffectEvent(() => {
    // The hash is removed, so that neither a reload nor the back button opens the panel again.
    void navigate({ pathname, search }, { replace: true, state })
    open()
  })
  const onMessage = useEffectEvent(({ data }: MessageEvent) => {
    if (data === MESSAGE) open()
  })
  useEffect(() => {
    if (hash === HASH) openByAddress()
  }, [hash])
  useEffect(() => {
    const worker = navigator.serviceWorker
    const listen = (message: MessageEvent) => onMessage(message)
    worker?.addEventListener('message', listen)
    return () => worker?.removeEventListener('message', listen)
  }, [])
}

/** Renews the push subscription once per page load, in browsers where somebody turned push on. */
function usePushRenewal(accountId: string) {
  useEffect(() => {
    if (pushOwner() === null) return
    import('./renew-push.ts')
      .then(({ renewPush }) => renewPush(accountId))
      .catch((error: unknown) => console.warn('Push notifications could not be renewed', error))
  }, [accountId])
}

/** Stored, so that neither a reload nor a second tab announces a notification again. */
const LAST_ANNOUNCED_KEY = 'last-announced-notification'

let hasInteracted = false
for (const touch of ['pointerdown', 'keydown'])
  window.addEventListener(
    touch,
    () => {
      hasInteracted = true
    },
    { once: true, capture: true },
  )

function announce({ sound_enabled, vibration_enabled }: NotificationSettings) {
  if (sound_enabled) playTone()
  if (vibration_enabled) navigator.vibrate?.(VIBRATION_MS)
}

/** Plays a sound and vibrates for a new notification. `updatedAt` is when the server last answered. */
function useAlert(notifications: readonly Notification[] | undefined, updatedAt: number, settings: NotificationSettings | undefined) {
  useEffect(() => {
    // Browsers play no sound before the first interaction, so the next poll tries again.
    if (!notifications || !settings || !hasInteracted) return
    const announced = notificationToAnnounce(notifications, serverTime(updatedAt), localStorage.getItem(LAST_ANNOUNCED_KEY))
    if (!announced) return
    localStorage.setItem(LAST_ANNOUNCED_KEY, announced.id)
    announce(settings)
  }, [notifications, updatedAt, settings])
}

const LOUDNESS = 0.12,
  SILENCE = 0.0001
/** A fifth, one note after the other. */
const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 987.77, at: 0.12 },
]
const NOTE_SECONDS = 0.35

/** Plays two short synthesised notes. Browsers allow it only after the user has interacted with the page. */
function playTone() {
  const audio = new AudioContext()
  const sounding = NOTES.map(({ hertz, at }) => {
    const note = audio.createOscillator(),
      volume = audio.createGain()
    const start = audio.currentTime + at,
      end = start + NOTE_SECONDS
    note.frequency.value = hertz
    volume.gain.setValueAtTime(LOUDNESS, start)
    volume.gain.exponentialRampToValueAtTime(SILENCE, end)
    note.connect(volume).connect(audio.destination)
    note.start(start)
    note.stop(end)
    return note
  })
  sounding.at(-1)!.addEventListener('ended', () => void audio.close())
}
