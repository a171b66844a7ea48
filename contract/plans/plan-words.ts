import { formatShortMoney } from '../lib/money.ts'

type CycleUnit = 'week' | 'month' | 'year'
type Cycle = { unit: CycleUnit; count: number }

/** What a price is for: a period of a membership, a number of classes, or one class. */
export type PriceTerms =
  | { kind: 'open' | 'term' | 'renewing'; price: number; cycle: Cycle }
  | { kind: 'pack'; price: number; visits: number }
  | { kind: 'drop_in'; price: number }

/** "a month", "every 6 weeks" */
export const describeCycle = ({ unit, count }: Cycle): string =>
  count === 1 ? `a ${unit}` : `every ${count} ${unit}s`

/** "$96 a month", "$120 for 10 classes", "$15 a class" */
export function describePrice(terms: PriceTerms): string {
  const price = formatShortMoney(terms.price)
  if (terms.kind === 'drop_in') return `${price} a class`
  if (terms.kind === 'pack')
    return `${price} for ${terms.visits} ${terms.visits === 1 ? 'class' : 'classes'}`
  return `${price} ${describeCycle(terms.cycle)}`
}

type PricedPlan = {
  kind: PriceTerms['kind']
  price: number | null
  visits: number | null
  cycle_unit: CycleUnit
  cycle_count: number
}

/** The price of a plan. Empty for staff who may not see prices. */
export function describePlanPrice(plan: PricedPlan): string {
  const { kind, price, visits, cycle_unit: unit, cycle_count: count } = plan
  if (price === null) return ''
  if (kind === 'drop_in') return describePrice({ kind, price })
  if (kind === 'pack') return describePrice({ kind, price, visits: visits ?? 1 })
  return describePrice({ kind, price, cycle: { unit, count } })
}

const TIMES = ['', 'Once', 'Twice']

type EntryLimit = { count: number; per: 'day' | 'week' | 'cycle' }

/** "Twice a week", "8 classes each billing period" */
export function describeLimit({ count, per }: EntryLimit): string {
  if (per === 'cycle') return `${count} ${count === 1 ? 'class' : 'classes'} each billing period`
  return `${TIMES[count] ?? `${count} times`} a ${per}`
}
