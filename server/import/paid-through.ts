import { currentMonthKey, paidThroughMonths } from '@tatami/contract/import/history'
import { type ImportForm, INVALID_PAID_THROUGH } from '@tatami/contract/import/import-form'
import { invalid } from '../lib/refusal.ts'

/** Returns the last month that new students paid for before the import, such as "2026-11". Throws 422
 *  if it is not one of the choices. */
export function resolvePaidThrough({ paid_through }: ImportForm, today: string): string {
  if (paid_through === undefined) return currentMonthKey(today)
  if (!paidThroughMonths(today).includes(paid_through))
    throw invalid('paid_through', INVALID_PAID_THROUGH)
  return paid_through
}
