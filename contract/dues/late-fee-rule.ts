import { percentOf, toCents, toDollars } from '../lib/money.ts'

/** What is charged for a late month: a flat sum, or per cent of what is owed of that month. Without either there are no late fees. */
export type LateFeeRule = { grace_days: number; percent: number | null; amount: number | null }

export const NO_LATE_FEES: LateFeeRule = { grace_days: 0, percent: null, amount: null }

/** The fee in dollars for what is owed of a month, rounded to the cent, half a cent up; 0 without a rule and within the days of grace. */
export function lateFeeOf(
  { grace_days, percent, amount }: LateFeeRule,
  owed: number,
  daysLate: number,
): number {
  if (owed <= 0 || daysLate <= grace_days) return 0
  return amount ?? toDollars(percentOf(toCents(owed), percent ?? 0))
}
