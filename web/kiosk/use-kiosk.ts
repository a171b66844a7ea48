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

/** The classes and settings of the dojo are asked for so often; a network that is back is noticed by it as well. */
const ASK_EVERY_MS = 60_000
const TICK_MS = 10_000
/** Between two of its keys, on a tablet that is busy as well. */
const SLOWEST_SCANNER_MS = 1000
const CODE_LETTERS = 48

/** The dojo's calendar date, by the server's clock. */
export const dojoToday = () => today(new Date(serverTime(Date.now())))

/** The minute of the dojo's day, by the server's clock. */
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

/** The minute of the day of this state; null where it is of another day. */
export const minuteOf = ({ today: day, classes }: Pick<KioskState, 'today' | 'classes'>) =>
  kioskMinute(day, classes, { day: dojoToday(), minute: minuteNow() })

/** The classes of today that were cancelled and would not be over. A state that an older version has stored says nothing of them. */
export const cancelledAhead = (
  state: Omit<KioskState, 'cancelled'> & Partial<Pick<KioskState, 'cancelled'>>,
): readonly KioskClass[] => {
  const minute = minuteOf(state) ?? 0
  return (state.cancelled ?? []).filter(({ ends }) => ends === null || minute < ends)
}

/** Whom it knows without a network is asked for so often: who has set a PIN since is among them. */
const ASK_PEOPLE_EVERY_MS = 10 * 60_000

/** What the kiosk shows: the dojo, its classes of today, and the one that most come for at this minute. Without a network it is what was stored last,
 *  on its own day. */
export function useKiosk() {
  const query = useRetryingQuery(endpointQuery(kioskApi.show), { pollMs: () => ASK_EVERY_MS })
  const [storedState] = useState(() => kioskStorage.load('state'))
  const latestState: KioskState | undefined =
    query.data ?? (query.isUnavailable ? storedState : undefined)
  // Before anything is drawn: all of it shows the dojo's days.
  if (latestState) setTimeZone(latestState.time_zone)
  const minute = latestState ? minuteOf(latestState) : null
  const state = minute === null ? undefined : latestState
  const openedOn = useRef<string>(undefined)
  useEffect(() => {
    if (!query.data) return
    kioskStorage.store('state', query.data)
    openedOn.current ??= query.data.today
    // Once a night, with a network: a newer Tatami comes with it.
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

/** Keeps the screen on, where the browser can; asked for anew whenever the page is looked at again. */
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

/** Calls `onIdle` once nobody has touched the screen for so long. */
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

/** A scanner that is a keyboard to the tablet types a code, and ends it with Enter. Wherever the focus is, `onCode` has it. */
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
