import { addDays } from '../lib/calendar-day.ts'

/** The last day on which a pack can be used. Null if it does not expire. */
export const packExpiry = (boughtOn: string, validDays: number | null): string | null =>
  validDays === null ? null : addDays(boughtOn, validDays)
