/** What a hold changes, in words and sums. Whoever makes it sees this before saving. */

import { addDays, addMonthsToDay } from '../lib/calendar-day.ts'
import { formatShortMoney, toDollars } from '../lib/money.ts'
import { movedEnd } from './billed-holds.ts'
import { type BilledSubscription, nextDuePeriod, periodsUntil } from './periods.ts'
import { formatDayFrom } from './plan-days.ts'

/** A plan without and with the hold. */
export type HeldPlan = {
  plan_name: string
  before: BilledSubscription
  after: BilledSubscription
}

type HoldDays = { from: string; until: string | null }
type ChangedCharge = { name: string; due_on: string; amount: number; reason: string | null }
export type HoldPreview = {
  sentences: string[]
  charges: ChangedCharge[]
  last_day: string | null
  last_sum: null
}

/** How far a preview of an open hold looks ahead. */
const OPEN_HOLD_MONTHS = 3

export function previewHold(
  plans: readonly HeldPlan[],
  hold: HoldDays,
  today: string,
): HoldPreview {
  const charges = plans.flatMap((plan) => changedCharges(plan, hold, today))
  const lastDays = plans.flatMap(({ after }) => movedEnd(after) ?? [])
  return {
    sentences: [
      holdSentence(hold, today),
      ...paymentSentences(plans, hold, charges, today),
      ...plans.flatMap((plan) => endSentence(plan, plans.length > 1, today)),
    ],
    charges,
    last_day: lastDays.toSorted().at(-1) ?? null,
    last_sum: null,
  }
}

function holdSentence({ from, until }: HoldDays, today: string): string {
  const firstDay = formatDayFrom(from, today)
  if (until === null) return `On hold from ${firstDay} until you end it.`
  return from === until
    ? `On hold on ${firstDay}.`
    : `On hold from ${firstDay} through ${formatDayFrom(until, today)}.`
}

/** The payments from today on that cost something else because of the hold. */
function changedCharges(plan: HeldPlan, hold: HoldDays, today: string): ChangedCharge[] {
  const lastDay = hold.until ?? addMonthsToDay(laterDay(hold.from, today), OPEN_HOLD_MONTHS)
  const centsBefore = new Map(
    periodsUntil(plan.before, lastDay).map(({ due_on, cents }) => [due_on, cents]),
  )
  return periodsUntil(plan.after, lastDay)
    .filter(({ due_on, until }) => until >= today && due_on <= lastDay)
    .filter(({ due_on, cents }) => centsBefore.get(due_on) !== cents)
    .map(({ due_on, cents, reason }) => ({
      ...{ name: plan.plan_name, due_on, amount: toDollars(cents), reason },
    }))
}

const laterDay = (a: string, b: string): string => (a > b ? a : b)

function paymentSentences(
  plans: readonly HeldPlan[],
  { until }: HoldDays,
  charges: readonly ChangedCharge[],
  today: string,
): string[] {
  if (plans.length === 0) return []
  if (charges.length === 0) return ['Payments don’t change.']
  if (until === null) return []
  return plans.flatMap(({ plan_name, after }) => {
    const period = nextDuePeriod(after, laterDay(addDays(until, 1), today))
    if (!period) return []
    const sum = formatShortMoney(toDollars(period.cents))
    const name = plans.length > 1 ? ` for ${plan_name}` : ''
    return [
      `The first payment after the hold${name} is ${sum} on ${formatDayFrom(period.due_on, today)}.`,
    ]
  })
}

function endSentence(
  { plan_name, before, after }: HeldPlan,
  showsName: boolean,
  today: string,
): string[] {
  const endBefore = movedEnd(before)
  const endAfter = movedEnd(after)
  if (endBefore === null || endBefore === endAfter) return []
  const name = showsName ? plan_name : 'The plan'
  if (endAfter === null) return [`${name} ends as many days later as the hold lasts.`]
  return [
    `${name} ends on ${formatDayFrom(endAfter, today)} instead of ` +
      `${formatDayFrom(endBefore, today)}.`,
  ]
}
