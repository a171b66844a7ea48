import { now } from '../kernel/clock.ts'

/** Today's calendar date in a time zone, YYYY-MM-DD. */
export const todayIn = (timeZone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(now())

/** The current month in a time zone; `month` counts from 0, as on the wire. */
export function monthIn(timeZone: string): { month: number; year: number; firstDay: string } {
  const [year = '', month = ''] = todayIn(timeZone).split('-')
  return { month: Number(month) - 1, year: Number(year), firstDay: `${year}-${month}-01` }
}
