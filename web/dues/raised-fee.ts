import { nextMonth } from '@tatami/contract/lib/calendar-day'
import { formatMoney } from '@tatami/contract/lib/money'
import { newFeeReason } from '@tatami/contract/dues/prices'
import { formatMonth, thisMonth } from '../lib/month.ts'
import type { ReducedPrice } from './payment-reads.ts'

/** "$80.00 now, $90.00 from December 2026". Undefined unless a new fee starts next month. */
export function describeRaisedFee(
  { amount, reason }: ReducedPrice,
  fee: number | null | undefined,
): string | undefined {
  const month = formatMonth(nextMonth(thisMonth()))
  return reason === newFeeReason(month)
    ? `${formatMoney(amount)} now, ${formatMoney(fee ?? null)} from ${month}`
    : undefined
}
