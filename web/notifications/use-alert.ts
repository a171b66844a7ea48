import { VIBRATION_MS, type Notification, type NotificationSettings } from '@tatami/contract/notifications'
import { useEffect } from 'react'
import { serverTime } from '../lib/server-clock.ts'
import { newsIn } from './news.ts'
import { playTone } from './tone.ts'

/** Kept, so that neither a reload nor a second tab announces it again. */
const LAST = 'last-announced-notification'

let wasTouched = false
for (const touch of ['pointerdown', 'keydown'])
  window.addEventListener(
    touch,
    () => {
      wasTouched = true
    },
    { once: true, capture: true },
  )

function announce({ sound_enabled, vibration_enabled }: NotificationSettings) {
  if (sound_enabled) playTone()
  if (vibration_enabled) navigator.vibrate?.(VIBRATION_MS)
}

/** Sounds and vibrates for what is new in the list. `askedAt` is when the server last answered. */
export function useAlert(notifications: readonly Notification[] | undefined, askedAt: number, settings: NotificationSettings | undefined) {
  useEffect(() => {
    // Until it can be heard it is not announced: the next poll looks again.
    if (!notifications || !settings || !wasTouched) return
    const news = newsIn(notifications, serverTime(askedAt), localStorage.getItem(LAST))
    if (!news) return
    localStorage.setItem(LAST, news.id)
    announce(settings)
  }, [notifications, askedAt, settings])
}
