import { birthdayOf } from '@tatami/contract/lib/calendar-day'

/** `unknown` is the answer without a date of birth. */
export function hadBirthday(
  dateOfBirth: string | null,
  age: number,
  today: string,
  { unknown }: { unknown: boolean },
): boolean {
  return dateOfBirth === null ? unknown : birthdayOf(dateOfBirth, age) <= today
}
