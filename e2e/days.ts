import { addDays } from '@tatami/contract/lib/calendar-day'

/** The day that is `days` after today, as YYYY-MM-DD, in the time zone of the tests' dojos. */
export const dayAhead = (days: number) =>
  addDays(
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(new Date()),
    days,
  )
