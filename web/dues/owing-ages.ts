import type { OwingFamily } from '@tatami/contract/dues/owing'
import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { pluralize } from '../lib/text.ts'

/** Charges are grouped by their own age, so one family can be in several groups. */
export const DEBT_AGES = [
  { key: '30', label: '1–30 days', minDays: 1 },
  { key: '60', label: '31–60 days', minDays: 31 },
  { key: '90', label: '61–90 days', minDays: 61 },
  { key: 'older', label: 'Over 90 days', minDays: 91 },
  { key: 'not-due', label: 'Due today or later', minDays: null },
] as const
export type DebtAge = (typeof DEBT_AGES)[number]['key']

type Charge = OwingFamily['charges'][number]
type ChargedFamily = Pick<OwingFamily, 'charges'>

export function ageOfCharge({ due_on }: Pick<Charge, 'due_on'>, today: string): DebtAge {
  const days = daysBetween(due_on, today)
  return DEBT_AGES.findLast(({ minDays }) => minDays !== null && days >= minDays)?.key ?? 'not-due'
}

type IsCounted = (charge: Charge) => boolean

/** Counts the families that owe these charges, and adds up the charges. */
function sumCharges(families: readonly ChargedFamily[], isCounted: IsCounted) {
  const chargesByFamily = families.map(({ charges }) => charges.filter(isCounted))
  return {
    count: chargesByFamily.filter(({ length }) => length > 0).length,
    total: sumDollars(chargesByFamily.flat().map(({ owed }) => owed)),
  }
}

export const sumOfAge = (families: readonly ChargedFamily[], age: DebtAge, today: string) =>
  sumCharges(families, (charge) => ageOfCharge(charge, today) === age)

export const sumByAge = (families: readonly ChargedFamily[], today: string) =>
  DEBT_AGES.map((age) => ({ ...age, ...sumOfAge(families, age.key, today) }))

/** "9 families, $985.00". Leaves out charges that are not past due yet. */
export function describePastDue(families: readonly OwingFamily[], today: string): string {
  const { count, total } = sumCharges(families, ({ due_on }) => due_on < today)
  if (count === 0) return 'Nothing past due yet'
  return `${pluralize(count, 'family', 'families')}, ${formatMoney(total)}`
}
