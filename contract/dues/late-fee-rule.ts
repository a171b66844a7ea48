import { percentOf, toCents, toDollars } from '../lib/money.ts'

/** A flat sum, or a percentage of what is owed for the month. Without either, no late fees. */
export type LateFeeRule = { grace_days: number; percent: number | null; amount: number | null }

export const NO_LATE_FEES: LateFeeRule = { grace_days: 0, percent: null, amount: null }

/** A month's late fee in dollars: 0 within the grace period. */
export function lateFeeOf(
  { grace_days, percent, amount }: LateFeeRule,
  owedDollars: number,
  daysLate: number,
): number {
  if (owedDollars <= 0 || daysLate <= grace_days) return 0
  return amount ?? toDollars(percentOf(toCents(owedDollars), percent ?? 0))
}
