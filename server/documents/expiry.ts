import { addMonthsToDay, addDays, yearOf } from '@tatami/contract/lib/calendar-day'
import type { DocumentRow } from './documents.ts'

/** The last day of a signature. Null if it is good for ever. */
export function lastDayOfSignature(
  { valid_months, valid_until_day }: Pick<DocumentRow, 'valid_months' | 'valid_until_day'>,
  signedOn: string,
): string | null {
  if (valid_months !== null) return addDays(addMonthsToDay(signedOn, valid_months), -1)
  if (valid_until_day === null) return null
  const dayThisYear = `${yearOf(signedOn)}-${valid_until_day}`
  return dayThisYear >= signedOn ? dayThisYear : `${yearOf(signedOn) + 1}-${valid_until_day}`
}
