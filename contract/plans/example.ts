/** What a plan means for a student who starts on some day, in words. The editor of a plan shows
 *  these sentences while somebody types. */

import { addDays, addMonthsToDay, dayOfMonth, MONTHS, weekdayOf } from '../lib/calendar-day.ts'
import { formatShortMoney, toCents, sumCents, toDollars } from '../lib/money.ts'
import { ordinal } from '../lib/ordinal.ts'
import { agreedEnd } from './ends.ts'
import { packExpiry } from './packs.ts'
import { type BilledPeriod, type BilledSubscription, type Cycle, periodsUntil } from './periods.ts'
import { formatDayFrom, formatMonthAndDay } from './plan-days.ts'
import { yearlyFeeDays } from './yearly-fees.ts'

/** Of cycles of more weeks, no two start in the same month. */
const MOST_WEEKS_WITHIN_MONTH = 4

/** The fields of a plan's form that decide what is paid and when it ends. Amounts in dollars. */
export type ExamplePlan = {
  kind: 'open' | 'term' | 'renewing' | 'pack' | 'drop_in'
  price: number
  cycle_unit: Cycle['unit']
  cycle_count: number
  minimum_months: number
  renews_for_months: number
  notice_days: number
  sign_up_fee: number
  yearly_fee: number
  /** 0 is January. */
  yearly_fee_month: number | null
  early_end_fee: number
  entry_limit: number | null
  entry_limit_per: 'day' | 'week' | 'cycle' | null
  visits: number | null
  valid_days: number | null
  is_add_on: boolean
}

export type ExampleRules = Pick<BilledSubscription, 'billing_day' | 'first_period'> & {
  yearly_fee_gap_days: number
  /** Whether the school has lower prices for brothers and sisters. */
  has_family_prices?: boolean
}

export function exampleSentences(
  plan: ExamplePlan,
  rules: ExampleRules,
  startsOn: string,
): string[] {
  const { kind } = plan
  if (kind === 'pack') return [packSentence(plan, startsOn)]
  if (kind === 'drop_in') return [`A student pays ${formatShortMoney(plan.price)} for each class.`]
  const example = createExample({ ...plan, kind }, rules, startsOn)
  return [
    firstPayments(example),
    ...describeLaterPayments(example),
    ...yearlyFee(example),
    ...endSentences(example),
    ...limitSentence(plan),
  ]
}

function packSentence({ price, visits, valid_days }: ExamplePlan, boughtOn: string): string {
  const classes = visits === 1 ? '1 class' : `${visits ?? 0} classes`
  const expiry = packExpiry(boughtOn, valid_days)
  const ending = expiry ? `, to use by ${formatDayFrom(expiry, boughtOn)}.` : '.'
  const day = formatMonthAndDay(boughtOn)
  return `A student who buys it on ${day} pays ${formatShortMoney(price)} for ${classes}${ending}`
}

/** "twice a week", "3 times a month" */
function limitSentence(plan: ExamplePlan): string[] {
  const { entry_limit, entry_limit_per, cycle_unit, cycle_count } = plan
  if (entry_limit === null || entry_limit_per === null) return []
  const times = ['', 'once', 'twice'][entry_limit] ?? `${entry_limit} times`
  const isSingleCycle = entry_limit_per !== 'cycle' || cycle_count === 1
  const unit = entry_limit_per === 'cycle' ? cycle_unit : entry_limit_per
  return [`They can come ${times} ${isSingleCycle ? `a ${unit}` : `in ${cycle_count} ${unit}s`}.`]
}

type SubscriptionPlan = ExamplePlan & { kind: 'open' | 'term' | 'renewing' }
type Payment = Pick<BilledPeriod, 'due_on' | 'cents'>
type Example = {
  plan: SubscriptionPlan
  rules: ExampleRules
  starts_on: string
  cycle: Cycle
  /** The last day of the first term. */
  agreedLastDay: string | null
  /** The last day of a plan that ends by itself. */
  lastDay: string | null
  /** What falls due on the first day, and after it. */
  firstPayment: Payment | undefined
  laterPayments: Payment[]
}

function createExample(plan: SubscriptionPlan, rules: ExampleRules, starts_on: string): Example {
  const cycle: Cycle = { unit: plan.cycle_unit, count: plan.cycle_count }
  const agreedLastDay = agreedEnd({ ...plan, starts_on, cycle })
  const lastDay = plan.kind === 'term' ? agreedLastDay : null
  const subscription: BilledSubscription = {
    ...{ starts_on, ends_on: lastDay, ends_with_term: lastDay !== null, cycle, holds: [] },
    billing_day: rules.billing_day,
    first_period: rules.first_period,
    prices: [{ from: starts_on, cents: toCents(plan.price) }],
  }
  const periods = periodsUntil(subscription, lastDay ?? horizon(plan, cycle, starts_on))
  const [firstPayment, ...payments] = isPaidByMonth(plan) ? payByMonth(periods) : periods
  return {
    ...{ plan, rules, starts_on, cycle, agreedLastDay, lastDay, firstPayment },
    laterPayments: payments.filter(({ cents }) => cents > 0),
  }
}

/** Weeks that start in the same month are due together, but those of an add-on are not. */
const isPaidByMonth = ({ is_add_on, cycle_unit, cycle_count }: SubscriptionPlan): boolean =>
  !is_add_on && cycle_unit === 'week' && cycle_count <= MOST_WEEKS_WITHIN_MONTH

function payByMonth(periods: readonly BilledPeriod[]): Payment[] {
  const months = Map.groupBy(periods, ({ due_on }) => due_on.slice(0, 7))
  return [...months.values()].flatMap((monthPeriods) =>
    monthPeriods.slice(0, 1).map(({ due_on }) => ({
      due_on,
      cents: sumCents(monthPeriods.map(({ cents }) => cents)),
    })),
  )
}

/** Up to this day, there are at least two payments after the first one. */
function horizon(plan: SubscriptionPlan, { unit, count }: Cycle, startsOn: string): string {
  if (isPaidByMonth(plan)) return addMonthsToDay(startsOn, 4)
  if (unit === 'week') return addDays(startsOn, 7 * 3 * count)
  return addMonthsToDay(startsOn, 3 * (unit === 'year' ? 12 * count : count))
}

/** "A student who starts on March 17 pays $46.45 today and $96 on April 1." */
function firstPayments({ plan, starts_on, firstPayment, laterPayments: [next] }: Example) {
  const start = `A student who starts on ${formatMonthAndDay(starts_on)} pays`
  const nextPayment = next ? ` and ${paymentOf(next, starts_on)}${weeksOf(plan, next)}` : ''
  return `${start} ${paymentToday(plan, firstPayment)}${nextPayment}.`
}

function paymentToday(plan: SubscriptionPlan, payment: Payment | undefined): string {
  const { sign_up_fee: signUpFee } = plan
  const firstCents = payment?.cents ?? 0
  const price = formatShortMoney(toDollars(firstCents))
  const fee = `${formatShortMoney(signUpFee)} sign-up fee`
  const weeks = weeksOf(plan, payment)
  if (signUpFee === 0) return firstCents === 0 ? 'nothing today' : `${price} today${weeks}`
  if (firstCents === 0) return `the ${fee} today`
  const sum = formatShortMoney(toDollars(firstCents + toCents(signUpFee)))
  return `${sum} today (${price}${weeks} and the ${fee})`
}

/** " for 4 weeks". Empty for a payment of one week, or of a part of one. */
function weeksOf(plan: SubscriptionPlan, payment: Payment | undefined): string {
  const price = toCents(plan.price)
  if (!payment || !isPaidByMonth(plan) || price === 0 || payment.cents % price > 0) return ''
  const periods = payment.cents / price
  return periods > 1 ? ` for ${periods * plan.cycle_count} weeks` : ''
}

/** "$96 on April 1" */
const paymentOf = (period: Payment, startsOn: string): string =>
  `${dollarsOf(period)} on ${formatDayFrom(period.due_on, startsOn)}`

const dollarsOf = ({ cents }: Payment): string => formatShortMoney(toDollars(cents))

function describeLaterPayments(example: Example): string[] {
  const [, ...payments] = example.laterPayments
  const [payment] = payments
  const lastPayment = payments.at(-1)
  if (!payment || !lastPayment) return []
  const regularPayments = isPaidByMonth(example.plan)
    ? paymentsOfWeeks(example)
    : [`After that, it is ${dollarsOf(payment)} ${rhythm(example)}.`]
  if (example.lastDay === null) return regularPayments
  const end = `The last payment is ${paymentOf(lastPayment, example.starts_on)}.`
  return payments.length === 1 ? [end] : [...regularPayments, end]
}

function paymentsOfWeeks({ plan, starts_on }: Example): string[] {
  const price = formatShortMoney(plan.price)
  if (plan.cycle_count === 1)
    return [
      `After that, they pay on the first ${weekdayName(starts_on)} of each month: ` +
        `${price} for each week that starts in it.`,
    ]
  return [
    `After that, it is ${price} ${weekRhythm(plan.cycle_count, starts_on)}.`,
    'Payments in the same month are billed together, with the first one.',
  ]
}

/** "on the 1st of each month" */
function rhythm({ cycle, rules, starts_on, laterPayments: [nextPayment] }: Example): string {
  const { unit, count } = cycle
  if (unit === 'week') return weekRhythm(count, starts_on)
  if (count > 1) return `every ${count} ${unit}s`
  const nextDueDay = nextPayment?.due_on ?? starts_on
  if (unit === 'year') return `every year on ${formatMonthAndDay(nextDueDay)}`
  const date = rules.billing_day === 'first' ? 1 : dayOfMonth(starts_on)
  const day = `on the ${ordinal(date)} of each month`
  return date > 28 ? `${day}, or on its last day` : day
}

/** "every Tuesday" */
function weekRhythm(count: number, startsOn: string): string {
  const name = weekdayName(startsOn)
  if (count > 2) return `every ${count} weeks`
  return count === 2 ? `every other ${name}` : `every ${name}`
}

function weekdayName(day: string): string {
  const weekday = weekdayOf(day)
  return weekday.charAt(0).toUpperCase() + weekday.slice(1)
}

function yearlyFee({ plan, rules, starts_on, lastDay }: Example): string[] {
  const month = plan.yearly_fee_month
  if (plan.yearly_fee === 0 || month === null) return []
  const fee = { starts_on, month, gap_days: rules.yearly_fee_gap_days }
  const [firstDay] = yearlyFeeDays(fee, starts_on, lastDay ?? addMonthsToDay(starts_on, 36))
  if (!firstDay) return []
  const sum = `The ${formatShortMoney(plan.yearly_fee)} yearly fee`
  return [
    `${sum} is due every ${MONTHS[month] ?? ''}, first on ${formatDayFrom(firstDay, starts_on)}.`,
  ]
}

function endSentences(example: Example): string[] {
  const { plan, starts_on, agreedLastDay, lastDay } = example
  const fee = formatShortMoney(plan.early_end_fee)
  const earlyEnd = plan.early_end_fee > 0 ? [`Ending earlier costs ${fee}.`] : []
  if (lastDay !== null)
    return [
      `It ends automatically on ${formatDayFrom(lastDay, starts_on)}${sumOfTerm(example)}.`,
      ...earlyEnd,
    ]
  const notice = plan.notice_days > 0 ? `, with ${daysOfNotice(plan.notice_days)} notice` : ''
  if (agreedLastDay === null) return [`They can end it at any time${notice}.`]
  return [
    `They can end it on ${formatDayFrom(agreedLastDay, starts_on)} or later${notice}.`,
    ...earlyEnd,
    ...renewal(example, agreedLastDay),
  ]
}

/** Empty if there is only one payment. */
function sumOfTerm({ rules, firstPayment, laterPayments }: Example): string {
  if (laterPayments.length === 0) return ''
  const cents = (firstPayment?.cents ?? 0) + sumCents(laterPayments.map((payment) => payment.cents))
  const discount = rules.has_family_prices ? ', before family discounts' : ''
  return `, and costs ${formatShortMoney(toDollars(cents))} in total${discount}`
}

const daysOfNotice = (days: number): string => (days === 1 ? '1 day’s' : `${days} days’`)

function renewal({ plan, starts_on }: Example, agreedLastDay: string): string[] {
  if (plan.kind !== 'renewing') return []
  const months = plan.renews_for_months
  if (months === 0)
    return [`After ${formatDayFrom(agreedLastDay, starts_on)}, it continues month to month.`]
  const firstDay = formatDayFrom(addDays(agreedLastDay, 1), starts_on)
  const length = months === 1 ? '1 month' : `${months} months`
  return [`If they don’t end it, it renews on ${firstDay} for ${length}.`]
}
