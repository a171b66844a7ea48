import { birthdayIn, yearOf } from '@tatami/contract/lib/calendar-day'
import type { Birthday } from '@tatami/contract/dashboard/dashboard'

export type DatedBirthday = Birthday & { celebrated_on: string }

/** Finds the next birthdays after a day, earliest first. */
export function findNextBirthdays(
  birthdays: readonly Birthday[],
  day: string,
  count: number,
): DatedBirthday[] {
  const findNextDate = ({ date_of_birth }: Birthday) => {
    const birthdayThisYear = birthdayIn(yearOf(day), date_of_birth)
    return birthdayThisYear > day ? birthdayThisYear : birthdayIn(yearOf(day) + 1, date_of_birth)
  }
  return birthdays
    .map((birthday) => ({ ...birthday, celebrated_on: findNextDate(birthday) }))
    .toSorted((a, b) => a.celebrated_on.localeCompare(b.celebrated_on))
    .slice(0, count)
}
