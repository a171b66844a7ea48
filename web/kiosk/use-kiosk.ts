import { useIdle as useMantineIdle, useInterval, useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import {
  CHECK_IN_CODE,
  currentClass,
  hasEnded,
  type KioskClass,
  kioskApi,
  findKioskMinute,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { useEffect, useRef, useState } from 'react'
import { currentMinuteOfDay, setTimeZone, today } from '../lib/dates.ts'
import { endpointQuery, isTransientError, useRetryingQuery } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { kioskStorage } from './kiosk-storage.ts'

const STATE_POLL_MS = 60_000
const RERENDER_INTERVAL_MS = 10_000
const MS_PER_SECOND = 1000
/** On a busy tablet, a scanner may pause this long between two keys. */
const MAX_KEY_PAUSE_MS = 1000
/** The length of a check-in code. Keys that were typed before it are ignored. */
const CODE_LENGTH = 48

const serverNow = () => new Date(serverTime(Date.now()))
export const dojoToday = () => today(serverNow())

/** Finds the current minute of the kiosk's day, or null if the stored day is over. */
export const findKioskMinuteNow = ({
  today: day,
  classes,
}: Pick<KioskState, 'today' | 'classes'>) =>
  findKioskMinute(day, classes, { day: dojoToday(), minute: currentMinuteOfDay(serverNow()) })

/** A state that an older version stored has no `cancelled`. */
type StoredState = Omit<KioskState, 'cancelled'> & Partial<Pick<KioskState, 'cancelled'>>

export function listUpcomingCancellations(state: StoredState): readonly KioskClass[] {
  const minute = findKioskMinuteNow(state) ?? 0
  return (state.cancelled ?? []).filter(({ ends }) => ends === null || minute < ends)
}

export function listRemainingClasses(state: StoredState): readonly KioskClass[] {
  const minute = findKioskMinuteNow(state) ?? 0
  return state.classes.filter((dayClass) => !hasEnded(dayClass, minute))
}

/** The people for offline use are loaded again, because there may be new PINs. */
const PEOPLE_POLL_MS = 10 * 60_000

/** Loads today's classes. Without a network, returns the ones that were stored today. */
export function useKiosk() {
  const query = useRetryingQuery(endpointQuery(kioskApi.show), { pollMs: () => STATE_POLL_MS })
  const [storedState] = useState(() => kioskStorage.load('state'))
  const latestState: KioskState | undefined =
    query.data ?? (query.isUnavailable ? storedState : undefined)
  if (latestState) setTimeZone(latestState.time_zone)
  const minute = latestState ? findKioskMinuteNow(latestState) : null
  const state = minute === null ? undefined : latestState
  const startDay = useRef<string>(undefined)
  useEffect(() => {
    if (!query.data) return
    kioskStorage.store('state', query.data)
    startDay.current ??= query.data.today
    // Reloading once a day starts a new version of the app.
    if (startDay.current !== query.data.today) location.reload()
  }, [query.data])
  const { data: people } = useQuery({
    ...endpointQuery(kioskApi.offline),
    refetchInterval: PEOPLE_POLL_MS,
    retry: false,
  })
  useEffect(() => {
    if (people) kioskStorage.store('people', people)
  }, [people])
  // Renders regularly, because a class may begin or end.
  const [, setRenderCount] = useState(0)
  useInterval(() => setRenderCount((count) => count + 1), RERENDER_INTERVAL_MS, {
    autoInvoke: true,
  })
  const classNow: KioskClass | undefined =
    state && minute !== null ? currentClass(state.classes, minute) : undefined
  const isOffline = query.error !== null && isTransientError(query.error)
  return {
    state,
    currentClass: classNow,
    isOffline,
    // Only used without a `state`. If there is a `latestState`, its day is over.
    isUnavailable: query.isUnavailable || latestState !== undefined,
    retry: query.retry,
  }
}

/** Browsers release the lock when the page is hidden, so it is requested again afterwards. */
export function useKeepScreenOn() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    const requestLock = () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      void navigator.wakeLock.request('screen').then(
        (wakeLock) => (lock = wakeLock),
        () => {},
      )
    }
    requestLock()
    document.addEventListener('visibilitychange', requestLock)
    return () => {
      document.removeEventListener('visibilitychange', requestLock)
      void lock?.release().catch(() => {})
    }
  }, [])
}

/** Calls `onIdle` when nobody has touched the screen for some time. */
export function useIdle(seconds: number, onIdle: () => void) {
  const isIdle = useMantineIdle(seconds * MS_PER_SECOND, {
    events: ['pointerdown', 'keydown'],
    initialState: false,
  })
  useEffect(() => {
    if (isIdle) onIdle()
  }, [isIdle, onIdle])
}

/** Listens to a barcode scanner. It acts as a keyboard, which types the code and Enter. */
export function useTypedCode(onCode: (code: string) => void) {
  const buffer = useRef('')
  const lastKeyAt = useRef(0)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.timeStamp - lastKeyAt.current > MAX_KEY_PAUSE_MS) buffer.current = ''
    lastKeyAt.current = event.timeStamp
    if (event.key.length === 1) buffer.current += event.key.toUpperCase()
    const code = buffer.current.slice(-CODE_LENGTH)
    if (event.key !== 'Enter' || !CHECK_IN_CODE.test(code)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    buffer.current = ''
    onCode(code)
  }
  useWindowEvent('keydown', onKeyDown, { capture: true })
}
