import type { OwingFamily } from '@tatami/contract/dues/owing'
import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { sumDollars } from '@tatami/contract/lib/money'

/** Groups families by the age of their oldest debt. */
export const DEBT_AGES = [
  { key: '30', label: '0–30 days', minDays: 0 },
  { key: '60', label: '31–60 days', minDays: 31 },
  { key: '90', label: '61–90 days', minDays: 61 },
  { key: 'older', label: 'Over 90 days', minDays: 91 },
] as const
export type DebtAge = (typeof DEBT_AGES)[number]['key']

export function ageOfDebt({ since }: Pick<OwingFamily, 'since'>, today: string): DebtAge {
  const days = daysBetween(since, today)
  return DEBT_AGES.findLast(({ minDays }) => days >= minDays)?.key ?? '30'
}

export const sumByAge = (families: readonly OwingFamily[], today: string) =>
  DEBT_AGES.map((age) => {
    const familiesOfAge = families.filter((family) => ageOfDebt(family, today) === age.key)
    return {
      ...age,
      count: familiesOfAge.length,
      total: sumDollars(familiesOfAge.map(({ total }) => total)),
    }
  })
