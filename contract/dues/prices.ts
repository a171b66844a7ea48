import { z } from 'zod'
import { positiveDollars } from '../ledger/ledger.ts'
import { monthQuery } from '../ledger/payment-records.ts'
import type { Api } from '../lib/endpoint.ts'
import { oneOf } from '../lib/fields.ts'
import { formatDecimal, percentOf, toCents, toDollars } from '../lib/money.ts'
import { ordinal } from '../lib/ordinal.ts'
import { formatPercent } from '../lib/percent.ts'

export const SIBLING_ORDERS = ['highest_fee', 'enrolled_first'] as const
export type SiblingOrder = (typeof SIBLING_ORDERS)[number]

const MAX_NTH = 10
const INVALID_PLACE = `The place must be a whole number from 2 to ${MAX_NTH}`
const INVALID_PERCENT = 'The reduction must be 1 to 100%'
const PERCENT_OR_AMOUNT = 'A reduction is either a percentage or an amount in dollars'

const siblingPrice = z
  .object(
    {
      nth: z
        .number(INVALID_PLACE)
        .int(INVALID_PLACE)
        .min(2, INVALID_PLACE)
        .max(MAX_NTH, INVALID_PLACE),
      percent: z
        .number(INVALID_PERCENT)
        .int(INVALID_PERCENT)
        .min(1, INVALID_PERCENT)
        .max(100, INVALID_PERCENT)
        .nullish(),
      amount_off: positiveDollars('Reduction').nullish(),
    },
    'A reduction must be an object',
  )
  .refine(
    ({ percent, amount_off }) => (typeof percent === 'number') !== (typeof amount_off === 'number'),
    { error: PERCENT_OR_AMOUNT, path: ['percent'] },
  )
type SiblingPrice = z.output<typeof siblingPrice>

const ONE_FOR_EACH_PLACE = 'Each place can have one reduction'
export const siblingPriceRule = z.object({
  ordered_by: oneOf('Order', SIBLING_ORDERS),
  prices: z
    .array(siblingPrice, 'Reductions must be a list')
    .max(MAX_NTH - 1, `At most ${MAX_NTH - 1} reductions`)
    .refine(
      (prices) => new Set(prices.map(({ nth }) => nth)).size === prices.length,
      ONE_FOR_EACH_PLACE,
    ),
})
export type SiblingPriceRule = z.output<typeof siblingPriceRule>

export type Sibling = {
  id: string
  /** What the month costs. */
  fee: number | null
  /** What a month usually costs, if the student has a plan. It decides the order instead of the
   *  fee, so that a month that is partly on hold does not change what brothers and sisters pay. */
  usual_fee?: number | null
  /** Decides between students whose plans begin in this month, who have no usual fee yet. */
  new_fee?: number | null
  enrolled_at: string
  is_trial: boolean
  on_vacation: boolean
  is_exempt: boolean
}

const countsAsSibling = ({ is_trial, on_vacation, is_exempt }: Sibling) =>
  !is_trial && !on_vacation && !is_exempt

const compareTexts = (a: string, b: string) => {
  if (a === b) return 0
  return a < b ? -1 : 1
}
const usualFee = ({ usual_fee, fee }: Sibling): number => usual_fee ?? fee ?? 0
const compareFees = (a: Sibling, b: Sibling): number =>
  usualFee(b) - usualFee(a) || (b.new_fee ?? 0) - (a.new_fee ?? 0)
const compareSiblings = (ordered_by: SiblingOrder) => (a: Sibling, b: Sibling) =>
  (ordered_by === 'highest_fee' ? compareFees(a, b) : 0) ||
  compareTexts(a.enrolled_at, b.enrolled_at) ||
  compareTexts(a.id, b.id)

/** Siblings beyond the last place of the rule get the reduction of that place. */
export function siblingPricesOf(
  siblings: readonly Sibling[],
  { ordered_by, prices }: SiblingPriceRule,
): PriceInMonth[] {
  const payingSiblings = siblings.filter(countsAsSibling).toSorted(compareSiblings(ordered_by))
  const lastPlace = Math.max(0, ...prices.map(({ nth }) => nth))
  return payingSiblings.flatMap(({ id, fee }, index) => {
    const place = index + 1
    const price = prices.find(({ nth }) => nth === Math.min(place, lastPlace))
    const cents = toCents(fee ?? 0)
    if (!price || cents === 0) return []
    return [
      {
        student_id: id,
        list_fee: toDollars(cents),
        amount: toDollars(reducedCents(cents, price)),
        reason: `${ordinal(place)} of ${payingSiblings.length}: −${reductionText(price)}`,
      },
    ]
  })
}

const reducedCents = (cents: number, { percent, amount_off }: SiblingPrice) =>
  percent ? percentOf(cents, 100 - percent) : Math.max(0, cents - toCents(amount_off ?? 0))

/** "10%" or "$15.00" */
const reductionText = ({ percent, amount_off }: SiblingPrice): string =>
  percent ? formatPercent(percent) : `$${formatDecimal(amount_off ?? 0)}`

const priceInMonth = z.object({
  student_id: z.uuid(),
  /** The student's monthly fee, before the reduction. */
  list_fee: z.number(),
  amount: z.number(),
  reason: z.string(),
})
export type PriceInMonth = z.output<typeof priceInMonth>

/** The reason why a month costs less before a raise takes effect. */
export const newFeeReason = (monthName: string): string => `new fee from ${monthName}`

export const pricesApi = {
  rule: {
    method: 'GET',
    path: '/sibling-prices',
    access: 'instructor',
    right: 'money.see',
    summary: "The dojo's rule for the prices of siblings",
    reply: siblingPriceRule,
  },
  setRule: {
    method: 'PUT',
    path: '/sibling-prices',
    access: 'instructor',
    right: 'settings',
    summary: 'Replace the rule for the prices of siblings. Recorded months keep their price',
    body: siblingPriceRule,
    reply: siblingPriceRule,
  },
  reduced: {
    method: 'GET',
    path: '/sibling-prices/students',
    access: 'instructor',
    right: 'money.take',
    summary: 'The students who pay less than their fee in a month, and why',
    query: monthQuery,
    reply: z.array(priceInMonth),
  },
} as const satisfies Api
