import { birthdayOf } from '@tatami/contract/lib/calendar-day'

/** Returns `unknown` if the date of birth is unknown. */
export function hasReachedAge(
  dateOfBirth: string | null,
  age: number,
  today: string,
  { unknown }: { unknown: boolean },
): boolean {
  return dateOfBirth === null ? unknown : birthdayOf(dateOfBirth, age) <= today
}
