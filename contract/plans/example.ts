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
}

export type ExampleRules = Pick<BilledSubscription, 'billing_day' | 'first_period'> & {
  yearly_fee_gap_days: number
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
    ...laterPayments(example),
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
  firstCents: number
  laterPeriods: BilledPeriod[]
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
  const [firstPeriod, ...periods] = periodsUntil(
    subscription,
    lastDay ?? dayAfterCycles(3, cycle, starts_on),
  )
  return {
    ...{ plan, rules, starts_on, cycle, agreedLastDay, lastDay },
    firstCents: firstPeriod?.cents ?? 0,
    laterPeriods: periods.filter(({ cents }) => cents > 0),
  }
}

function dayAfterCycles(cycles: number, { unit, count }: Cycle, startsOn: string): string {
  if (unit === 'week') return addDays(startsOn, 7 * cycles * count)
  return addMonthsToDay(startsOn, cycles * (unit === 'year' ? 12 * count : count))
}

/** "A student who starts on March 17 pays $46.45 today and $96 on April 1." */
function firstPayments({ plan, starts_on, firstCents, laterPeriods: [nextPeriod] }: Example) {
  const start = `A student who starts on ${formatMonthAndDay(starts_on)} pays`
  const nextPayment = nextPeriod ? ` and ${paymentOf(nextPeriod, starts_on)}` : ''
  return `${start} ${paymentToday(firstCents, plan.sign_up_fee)}${nextPayment}.`
}

function paymentToday(firstCents: number, signUpFee: number): string {
  const price = formatShortMoney(toDollars(firstCents))
  const fee = `${formatShortMoney(signUpFee)} sign-up fee`
  if (signUpFee === 0) return firstCents === 0 ? 'nothing today' : `${price} today`
  if (firstCents === 0) return `the ${fee} today`
  const sum = formatShortMoney(toDollars(firstCents + toCents(signUpFee)))
  return `${sum} today (${price} and the ${fee})`
}

/** "$96 on April 1" */
const paymentOf = (period: BilledPeriod, startsOn: string): string =>
  `${dollarsOf(period)} on ${formatDayFrom(period.due_on, startsOn)}`

const dollarsOf = ({ cents }: BilledPeriod): string => formatShortMoney(toDollars(cents))

function laterPayments(example: Example): string[] {
  const [, ...periods] = example.laterPeriods
  const [period] = periods
  const lastPeriod = periods.at(-1)
  if (!period || !lastPeriod) return []
  const regularPayment = `After that, it is ${dollarsOf(period)} ${rhythm(example)}`
  if (example.lastDay === null) return [`${regularPayment}.`]
  const lastPayment = `The last payment is ${paymentOf(lastPeriod, example.starts_on)}.`
  return periods.length === 1 ? [lastPayment] : [`${regularPayment}.`, lastPayment]
}

/** "on the 1st of each month" */
function rhythm({ cycle, rules, starts_on, laterPeriods }: Example): string {
  const { unit, count } = cycle
  if (unit === 'week') return weekRhythm(count, starts_on)
  if (count > 1) return `every ${count} ${unit}s`
  const nextDueDay = laterPeriods[0]?.due_on ?? starts_on
  if (unit === 'year') return `every year on ${formatMonthAndDay(nextDueDay)}`
  const date = rules.billing_day === 'first' ? 1 : dayOfMonth(starts_on)
  const day = `on the ${ordinal(date)} of each month`
  return date > 28 ? `${day}, or on its last day` : day
}

/** "every Tuesday" */
function weekRhythm(count: number, startsOn: string): string {
  const weekday = weekdayOf(startsOn)
  const name = weekday.charAt(0).toUpperCase() + weekday.slice(1)
  if (count > 2) return `every ${count} weeks`
  return count === 2 ? `every other ${name}` : `every ${name}`
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
      `It ends by itself on ${formatDayFrom(lastDay, starts_on)}${sumOfTerm(example)}.`,
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
function sumOfTerm({ firstCents, laterPeriods }: Example): string {
  if (laterPeriods.length === 0) return ''
  const cents = firstCents + sumCents(laterPeriods.map((period) => period.cents))
  return `, and costs ${formatShortMoney(toDollars(cents))} in all`
}

const daysOfNotice = (days: number): string => (days === 1 ? '1 day’s' : `${days} days’`)

function renewal({ plan, starts_on }: Example, agreedLastDay: string): string[] {
  if (plan.kind !== 'renewing') return []
  const months = plan.renews_for_months
  if (months === 0)
    return [`After ${formatDayFrom(agreedLastDay, starts_on)}, it goes on month by month.`]
  const firstDay = formatDayFrom(addDays(agreedLastDay, 1), starts_on)
  const length = months === 1 ? '1 month' : `${months} months`
  return [`If they don’t end it, it renews on ${firstDay} for ${length}.`]
}
