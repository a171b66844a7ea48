import { useEffect, useState } from 'react'
import { dojoTimeZone } from '../lib/dates.ts'

const FROM_HOUR = 21
const TO_HOUR = 8
const LOOK_MS = 30_000

/** The time ("10:40 PM") between 9 pm and 8 am, or null during the day */
export function nightTime(timeZone: string | undefined, date: Date): string | null {
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(date),
  )
  if (hour < FROM_HOUR && hour >= TO_HOUR) return null
  return new Intl.DateTimeFormat(undefined, { timeZone, timeStyle: 'short' }).format(date)
}

export function useNightTime(): string | null {
  const [date, setDate] = useState(() => new Date())
  useEffect(() => {
    const ticking = setInterval(() => setDate(new Date()), LOOK_MS)
    return () => clearInterval(ticking)
  }, [])
  return nightTime(dojoTimeZone(), date)
}
