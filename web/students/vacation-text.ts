import { isVacationOn, type Vacation } from '@tatami/contract/students/student-page'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty } from '../lib/text.ts'

export function describeVacation(
  day: string,
  { on_vacation, ...dates }: Vacation & { on_vacation: boolean },
): string | undefined {
  const { vacation_from, vacation_until } = dates
  const untilText = vacation_until && `until ${formatDate(vacation_until)}`
  if (on_vacation || isVacationOn(day, dates)) return joinNonEmpty(['On vacation', untilText], ' ')
  if (vacation_from === null || vacation_from < day) return undefined
  return joinNonEmpty(['Vacation from', formatDate(vacation_from), untilText], ' ')
}
