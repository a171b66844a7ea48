import { birthdayIn, yearOf } from '@tatami/contract/lib/calendar-day'
import type { Birthday } from '@tatami/contract/dashboard/dashboard'

export type DatedBirthday = Birthday & { celebrated_on: string }

/** The next birthdays after a day, in the order in which they come. */
export function nextBirthdays(
  birthdays: readonly Birthday[],
  day: string,
  count: number,
): DatedBirthday[] {
  const nextDate = ({ date_of_birth }: Birthday) => {
    const thisYear = birthdayIn(yearOf(day), date_of_birth)
    return thisYear > day ? thisYear : birthdayIn(yearOf(day) + 1, date_of_birth)
  }
  return birthdays
    .map((birthday) => ({ ...birthday, celebrated_on: nextDate(birthday) }))
    .toSorted((a, b) => a.celebrated_on.localeCompare(b.celebrated_on))
    .slice(0, count)
}
