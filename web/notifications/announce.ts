import {
  FRESH_MS,
  type Notification,
  type NotificationSettings,
  VIBRATION_MS,
} from '@tatami/contract/notifications/notifications'
import { serverTime } from '../lib/server-clock.ts'

/** Returns the newest notification, which comes first, if it is unread, not announced, and under 30
 *  seconds old by the server's clock (specification, section 4). */
export function findNotificationToAnnounce(
  notifications: readonly Notification[],
  nowMs: number,
  lastAnnounced: string | null,
): Notification | null {
  const [newest] = notifications
  if (!newest || newest.is_read || newest.id === lastAnnounced) return null
  return nowMs - Date.parse(newest.created_at) < FRESH_MS ? newest : null
}

/** The id is stored, so that a reload or a second tab does not announce the notification again. */
const LAST_ANNOUNCED_KEY = 'last-announced-notification'

export function announceNew(
  notifications: readonly Notification[],
  updatedAt: number,
  settings: NotificationSettings,
) {
  const notification = findNotificationToAnnounce(
    notifications,
    serverTime(updatedAt),
    localStorage.getItem(LAST_ANNOUNCED_KEY),
  )
  if (!notification) return
  localStorage.setItem(LAST_ANNOUNCED_KEY, notification.id)
  if (settings.sound_enabled) playTone()
  if (settings.vibration_enabled) navigator.vibrate?.(VIBRATION_MS)
}

const VOLUME = 0.12
const SILENCE = 0.0001
const NOTES = [
  { hertz: 659.25, startSeconds: 0 },
  { hertz: 987.77, startSeconds: 0.12 },
]
const NOTE_SECONDS = 0.35

function playTone() {
  const audio = new AudioContext()
  for (const { hertz, startSeconds } of NOTES) {
    const note = audio.createOscillator()
    const volume = audio.createGain()
    const start = audio.currentTime + startSeconds
    const end = start + NOTE_SECONDS
    note.frequency.value = hertz
    volume.gain.setValueAtTime(VOLUME, start)
    volume.gain.exponentialRampToValueAtTime(SILENCE, end)
    note.connect(volume).connect(audio.destination)
    note.start(start)
    note.stop(end)
    if (startSeconds === NOTES.at(-1)?.startSeconds)
      note.addEventListener('ended', () => void audio.close())
  }
}
