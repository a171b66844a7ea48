import { addDays } from '@tatami/contract/lib/calendar-day'

/** A calendar day from today where the dojos of the tests are, YYYY-MM-DD. */
export const dayAhead = (days: number) =>
  addDays(
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(new Date()),
    days,
  )
