import { useIdle as useMantineIdle, useInterval, useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import {
  CHECK_IN_CODE,
  currentClass,
  type KioskClass,
  kioskApi,
  kioskMinute,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { useEffect, useRef, useState } from 'react'
import { minuteNow, setTimeZone, today } from '../lib/dates.ts'
import { endpointQuery, isTransientError, useRetryingQuery } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { kioskStorage } from './kiosk-storage.ts'

const ASK_EVERY_MS = 60_000
const TICK_MS = 10_000
/** The longest pause between two keys of a scanner on a busy tablet */
const SLOWEST_SCANNER_MS = 1000
const CODE_LETTERS = 48

const serverNow = () => new Date(serverTime(Date.now()))
export const dojoToday = () => today(serverNow())

export const minuteOf = ({ today: day, classes }: Pick<KioskState, 'today' | 'classes'>) =>
  kioskMinute(day, classes, { day: dojoToday(), minute: minuteNow(serverNow()) })

/** `cancelled` is missing in a state that an older version stored. */
export const cancelledAhead = (
  state: Omit<KioskState, 'cancelled'> & Partial<Pick<KioskState, 'cancelled'>>,
): readonly KioskClass[] => {
  const minute = minuteOf(state) ?? 0
  return (state.cancelled ?? []).filter(({ ends }) => ends === null || minute < ends)
}

/** Refreshes the people known without a network, including new PINs. */
const ASK_PEOPLE_EVERY_MS = 10 * 60_000

/** Shows the classes of today; without a network, what was stored today. */
export function useKiosk() {
  const query = useRetryingQuery(endpointQuery(kioskApi.show), { pollMs: () => ASK_EVERY_MS })
  const [storedState] = useState(() => kioskStorage.load('state'))
  const latestState: KioskState | undefined =
    query.data ?? (query.isUnavailable ? storedState : undefined)
  // Must come before rendering, because all dates use it.
  if (latestState) setTimeZone(latestState.time_zone)
  const minute = latestState ? minuteOf(latestState) : null
  const state = minute === null ? undefined : latestState
  const openedOn = useRef<string>(undefined)
  useEffect(() => {
    if (!query.data) return
    kioskStorage.store('state', query.data)
    openedOn.current ??= query.data.today
    // Reloads once a night to pick up a new version.
    if (openedOn.current !== query.data.today) location.reload()
  }, [query.data])
  const { data: people } = useQuery({
    ...endpointQuery(kioskApi.offline),
    refetchInterval: ASK_PEOPLE_EVERY_MS,
    retry: false,
  })
  useEffect(() => {
    if (people) kioskStorage.store('people', people)
  }, [people])
  const [, setTicks] = useState(0)
  useInterval(() => setTicks((ticks) => ticks + 1), TICK_MS, { autoInvoke: true })
  const current: KioskClass | undefined =
    state && minute !== null ? currentClass(state.classes, minute) : undefined
  const isOffline = query.error !== null && isTransientError(query.error)
  return {
    state,
    current,
    isOffline,
    isUnavailable: query.isUnavailable || latestState !== undefined,
    retry: query.retry,
  }
}

/** Browsers drop the lock when the page is hidden, so it is requested again. */
export function useScreenOn() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    const ask = () => {
      if (document.hidden || !('wakeLock' in navigator)) return
      void navigator.wakeLock.request('screen').then(
        (wakeLock) => (lock = wakeLock),
        () => {},
      )
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock?.release().catch(() => {})
    }
  }, [])
}

/** Calls `onIdle` once nobody has touched the screen for so many seconds. */
export function useIdle(seconds: number, onIdle: () => void) {
  const isIdle = useMantineIdle(seconds * 1000, {
    events: ['pointerdown', 'keydown'],
    initialState: false,
  })
  useEffect(() => {
    if (isIdle) onIdle()
  }, [isIdle, onIdle])
}

/** A barcode scanner acts as a keyboard: it types the code and Enter, whatever has the focus. */
export function useTypedCode(onCode: (code: string) => void) {
  const buffer = useRef('')
  const lastKeyAt = useRef(0)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.timeStamp - lastKeyAt.current > SLOWEST_SCANNER_MS) buffer.current = ''
    lastKeyAt.current = event.timeStamp
    if (event.key.length === 1) buffer.current += event.key.toUpperCase()
    const code = buffer.current.slice(-CODE_LETTERS)
    if (event.key !== 'Enter' || !CHECK_IN_CODE.test(code)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    buffer.current = ''
    onCode(code)
  }
  useWindowEvent('keydown', onKeyDown, { capture: true })
}
