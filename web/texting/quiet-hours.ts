import { useEffect, useState } from 'react'
import { dojoTimeZone } from '../lib/dates.ts'

const NIGHT_START_HOUR = 21
const NIGHT_END_HOUR = 8
const CHECK_INTERVAL_MS = 30_000

/** Returns the time, such as "10:40 PM", if it is between 9 pm and 8 am. */
export function formatTimeIfNight(timeZone: string | undefined, date: Date): string | null {
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(date),
  )
  if (hour < NIGHT_START_HOUR && hour >= NIGHT_END_HOUR) return null
  return new Intl.DateTimeFormat(undefined, { timeZone, timeStyle: 'short' }).format(date)
}

export function useTimeIfNight(): string | null {
  const [date, setDate] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setDate(new Date()), CHECK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [])
  return formatTimeIfNight(dojoTimeZone(), date)
}
