import { birthdayOf } from '@tatami/contract/lib/calendar-day'

/** Returns `unknown` for a person without a date of birth. */
export function hasReachedAge(
  dateOfBirth: string | null,
  age: number,
  today: string,
  { unknown }: { unknown: boolean },
): boolean {
  return dateOfBirth === null ? unknown : birthdayOf(dateOfBirth, age) <= today
}
