import { formatDecimal, percentOf, toCents, toDollars } from '../lib/money.ts'
import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { dollars, month, oneOf, year } from '../lib/fields.ts'

/** Whose place comes first among the students of one payer. */
export const SIBLING_ORDERS = ['highest_fee', 'enrolled_first'] as const
export type SiblingOrder = (typeof SIBLING_ORDERS)[number]

const MAX_NTH = 10
const NTH = `The place must be a whole number from 2 to ${MAX_NTH}`
const PERCENT = 'The reduction must be 1 to 100 %'
const ONE_KIND = 'A reduction is either in per cent or in dollars'

const isSet = (value: unknown) => value !== undefined && value !== null
/** What the n-th student of one payer gets off the fee, in per cent or in dollars. */
const siblingPrice = z
  .object(
    {
      nth: z.number(NTH).int(NTH).min(2, NTH).max(MAX_NTH, NTH),
      percent: z.number(PERCENT).int(PERCENT).min(1, PERCENT).max(100, PERCENT).nullish(),
      amount_off: dollars('Reduction')
        .refine((amount) => amount > 0, 'Reduction must be more than 0')
        .nullish(),
    },
    'A reduction must be an object',
  )
  .refine(({ percent, amount_off }) => isSet(percent) !== isSet(amount_off), {
    error: ONE_KIND,
    path: ['percent'],
  })
type SiblingPrice = z.output<typeof siblingPrice>

const ONE_FOR_EACH_PLACE = 'Each place can have one reduction'
/** The dojo's rule: no rows, no reductions. */
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

/** One of a payer's students, as of the month that is priced. */
export type Sibling = {
  id: string
  /** The list fee in dollars; unset counts as 0. */
  fee: number | null
  /** When the student enrolled, an ISO date or date-time. */
  enrolled_at: string
  is_trial: boolean
  /** For the whole month. */
  on_vacation: boolean
  /** Neither gets a reduction nor counts for the others'. */
  is_exempt: boolean
}

type PriceOfSibling = {
  student_id: string
  list_fee: number
  amount: number
  reason: string
}

const paysThatMonth = ({ is_trial, on_vacation, is_exempt }: Sibling) =>
  !is_trial && !on_vacation && !is_exempt

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const inOrder = (ordered_by: SiblingOrder) => (a: Sibling, b: Sibling) =>
  (ordered_by === 'highest_fee' ? (b.fee ?? 0) - (a.fee ?? 0) : 0) ||
  byText(a.enrolled_at, b.enrolled_at) ||
  byText(a.id, b.id)

/**
 * The reduced prices of one payer's students in a month; who is not named pays the list fee. Counted are those who pay that month: not on
 * trial, on vacation or exempt. The n-th of them gets the n-th reduction, whoever comes after the last place the last one. Amounts are in
 * dollars, rounded to the cent, half a cent up, and never below 0.
 */
export function siblingPricesOf(
  siblings: readonly Sibling[],
  { ordered_by, prices }: SiblingPriceRule,
): PriceOfSibling[] {
  const paying = siblings.filter(paysThatMonth).toSorted(inOrder(ordered_by))
  const lastPlace = Math.max(0, ...prices.map(({ nth }) => nth))
  return paying.flatMap(({ id, fee }, index) => {
    const nth = index + 1
    const price = prices.find((one) => one.nth === Math.min(nth, lastPlace))
    const cents = toCents(fee ?? 0)
    if (!price || cents === 0) return []
    return [
      {
        student_id: id,
        list_fee: toDollars(cents),
        amount: toDollars(centsAfter(cents, price)),
        reason: `${ordinal(nth)} of ${paying.length}: −${reductionText(price)}`,
      },
    ]
  })
}

const centsAfter = (cents: number, { percent, amount_off }: SiblingPrice) =>
  percent ? percentOf(cents, 100 - percent) : Math.max(0, cents - toCents(amount_off ?? 0))

/** "10 %" or "$15.00" */
const reductionText = ({
  percent,
  amount_off,
}: Pick<SiblingPrice, 'percent' | 'amount_off'>): string =>
  percent ? `${percent} %` : `$${formatDecimal(amount_off ?? 0)}`

/** "1st", "2nd", "3rd", "4th" */
export const ordinal = (n: number): string =>
  `${n}${['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] ?? 'th'}`

const priceInMonth = z.object({
  student_id: z.uuid(),
  /** The student's monthly fee, before the reduction. */
  list_fee: z.number(),
  amount: z.number(),
  /** Such as "2nd of 3: −10 %". */
  reason: z.string(),
})
export type PriceInMonth = z.output<typeof priceInMonth>

const asNumber = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value
const queryNumber = <S extends z.ZodType>(schema: S) =>
  z.preprocess(asNumber, schema) as unknown as z.ZodType<z.output<S>, string | number>

export const pricesApi = {
  rule: {
    method: 'GET',
    path: '/sibling-prices',
    access: 'instructor',
    summary: "The dojo's rule for the prices of siblings",
    reply: siblingPriceRule,
  },
  setRule: {
    method: 'PUT',
    path: '/sibling-prices',
    access: 'instructor',
    summary: 'Replace the rule for the prices of siblings; recorded months stay as they are',
    body: siblingPriceRule,
    reply: siblingPriceRule,
  },
  reduced: {
    method: 'GET',
    path: '/sibling-prices/students',
    access: 'instructor',
    summary: 'The students who pay less than their fee in a month, and why',
    query: z.object({ month: queryNumber(month), year: queryNumber(year) }),
    reply: z.array(priceInMonth),
  },
} as const satisfies Api
