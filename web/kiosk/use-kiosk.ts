import { useQuery } from '@tanstack/react-query'
import {
  CHECK_IN_CODE,
  currentClass,
  type KioskClass,
  kioskApi,
  kioskMinute,
  type KioskState,
} from '@tatami/contract/kiosk/kiosk'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { dojoTimeZone, setTimeZone, today } from '../lib/dates.ts'
import { endpointQuery, isTransientError, useRetryingQuery } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { kioskStorage } from './kiosk-storage.ts'

/** Also notices when the network is back. */
const ASK_EVERY_MS = 60_000
const TICK_MS = 10_000
/** The longest pause between two keys of a scanner on a busy tablet */
const SLOWEST_SCANNER_MS = 1000
const CODE_LETTERS = 48

export const dojoToday = () => today(new Date(serverTime(Date.now())))

/** The minute of the day in the dojo's time zone, by the server's clock */
export function minuteNow(timeMs = Date.now()): number {
  const parts = new Intl.DateTimeFormat('en-US-u-nu-latn', {
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
    timeZone: dojoTimeZone(),
  }).formatToParts(new Date(serverTime(timeMs)))
  const [hour, minute] = (['hour', 'minute'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)!.value),
  )
  return hour! * 60 + minute!
}

/** Null if the state is from another day */
export const minuteOf = ({ today: day, classes }: Pick<KioskState, 'today' | 'classes'>) =>
  kioskMinute(day, classes, { day: dojoToday(), minute: minuteNow() })

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
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), TICK_MS)
    return () => clearInterval(timer)
  }, [])
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
      if (document.hidden) return
      void (navigator.wakeLock as WakeLock | undefined)?.request('screen').then(
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

export function useIdle(seconds: number, onIdle: () => void) {
  useEffect(() => {
    let timer = setTimeout(onIdle, seconds * 1000)
    const begin = () => {
      clearTimeout(timer)
      timer = setTimeout(onIdle, seconds * 1000)
    }
    const events = ['pointerdown', 'keydown'] as const
    for (const event of events) window.addEventListener(event, begin)
    return () => {
      clearTimeout(timer)
      for (const event of events) window.removeEventListener(event, begin)
    }
  }, [seconds, onIdle])
}

/** A barcode scanner acts as a keyboard: it types the code and Enter, whatever has the focus. */
export function useTypedCode(onCode: (code: string) => void) {
  const handleCode = useEffectEvent(onCode)
  useEffect(() => {
    let buffer = '',
      lastAt = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.timeStamp - lastAt > SLOWEST_SCANNER_MS) buffer = ''
      lastAt = event.timeStamp
      if (event.key.length === 1) buffer += event.key.toUpperCase()
      if (event.key !== 'Enter' || !CHECK_IN_CODE.test(buffer.slice(-CODE_LETTERS))) return
      event.preventDefault()
      event.stopImmediatePropagation()
      handleCode(buffer.slice(-CODE_LETTERS))
      buffer = ''
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
