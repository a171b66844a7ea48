import { birthdayOf } from '@tatami/contract/lib/calendar-day'

/** Whether somebody has had this birthday by a day, both calendar dates. `unknown` is answered without a date of birth. */
export function hadBirthday(
  dateOfBirth: string | null,
  age: number,
  today: string,
  { unknown }: { unknown: boolean },
): boolean {
  return dateOfBirth === null ? unknown : birthdayOf(dateOfBirth, age) <= today
}
