import { currentMonthKey, paidThroughMonths } from '@tatami/contract/import/history'
import { type ImportForm, INVALID_PAID_THROUGH } from '@tatami/contract/import/import-form'
import { invalid } from '../lib/refusal.ts'

/** The last month that new students have paid elsewhere: "2026-11". 422 for an earlier one. */
export function resolvePaidThrough({ paid_through }: ImportForm, today: string): string {
  if (paid_through === undefined) return currentMonthKey(today)
  if (!paidThroughMonths(today).includes(paid_through))
    throw invalid('paid_through', INVALID_PAID_THROUGH)
  return paid_through
}
