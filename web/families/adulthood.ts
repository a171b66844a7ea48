import { birthdayOf, addDays } from '@tatami/contract/lib/calendar-day'
import { ADULT_AGE, ADULTHOOD_NOTICE_DAYS } from '@tatami/contract/guardians/guardians'
import { today } from '../lib/dates.ts'

/** True starting 30 days before the 18th birthday, when students decide who sees their page. */
export function isAdultSoonOrNow(dateOfBirth: string | null | undefined): boolean {
  const latestBirthday = addDays(today(), ADULTHOOD_NOTICE_DAYS)
  return dateOfBirth ? birthdayOf(dateOfBirth, ADULT_AGE) <= latestBirthday : false
}
