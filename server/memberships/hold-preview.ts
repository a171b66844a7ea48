/** What a change of a hold means, in words and sums. Whoever makes it sees this before saving. The
 *  sums are those that will be charged, with family discounts and added tax. */

import { addDays, addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import { formatShortMoney, sumCents, toDollars } from '@tatami/contract/lib/money'
import type { ActPreview, ChargePreview } from '@tatami/contract/memberships/act-preview'
import { formatDayFrom } from '@tatami/contract/plans/plan-days'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { chargesById } from '../ledger/charges.ts'
import { linesOfAct } from '../ledger/ledger.ts'
import { pick, pluck } from '../lib/rows.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { correctionSentences } from './describe-acts.ts'
import { withFamilySums } from './family-sums.ts'
import { nextChargeOf } from './show.ts'
import { findUpcomingCharges, type UpcomingCharge } from './upcoming-charges.ts'

type HoldDays = { from: string; until: string | null }
type ChangedHold = {
  student_id: string
  /** Null if the hold is for all plans. */
  subscription_id: string | null
  /** Null if there was no hold before. */
  oldDays: HoldDays | null
  days: HoldDays
}
type PlanState = { plans: StudentSubscription[]; charges: UpcomingCharge[] }

/** How far a preview of an open hold looks ahead. */
const OPEN_HOLD_MONTHS = 3

/** Makes the change, and describes it. `change` returns the id of its act in the ledger, if any. */
export const describeHoldChange = (
  tx: Tx,
  dojoId: string,
  hold: ChangedHold,
  change: () => Promise<string | null>,
): Promise<ActPreview> =>
  withFamilySums(tx, dojoId, hold.student_id, () => describeOwnChange(tx, dojoId, hold, change))

async function describeOwnChange(
  tx: Tx,
  dojoId: string,
  hold: ChangedHold,
  change: () => Promise<string | null>,
): Promise<ActPreview> {
  const today = await todayOf(tx, dojoId)
  const stateBefore = await readPlanState(tx, dojoId, hold, today)
  const actId = await change()
  const stateAfter = await readPlanState(tx, dojoId, hold, today)
  const charges = changedCharges(stateBefore, stateAfter, lastShownDay(hold, today))
  const corrections = [
    ...(await correctionSentences(tx, actId)),
    ...(await newChargeSentences(tx, actId)),
  ]
  const hasChanged = charges.length + corrections.length > 0
  const lastDays = stateAfter.plans.flatMap(({ lastDay }) => lastDay ?? [])
  return {
    sentences: [
      holdSentence(hold.days, today),
      ...(hasChanged ? nextPaymentSentences(stateAfter, hold, today) : ['Payments don’t change.']),
      ...corrections,
      ...endSentences(stateBefore, stateAfter, today),
    ],
    charges,
    last_day: lastDays.toSorted().at(-1) ?? null,
    last_sum: null,
  }
}

/** The plans that the hold is for, apart from those that have ended before it. */
async function readPlanState(
  tx: Tx,
  dojoId: string,
  { student_id, subscription_id, days }: ChangedHold,
  today: string,
): Promise<PlanState> {
  const plans = (await findSubscriptionsOf(tx, student_id)).filter(
    ({ id, lastDay }) =>
      (subscription_id === null || id === subscription_id) &&
      (lastDay === null || lastDay >= days.from),
  )
  const charges = await findUpcomingCharges(tx, dojoId, student_id, today)
  if (subscription_id === null) return { plans, charges }
  const [plan] = plans
  const makesMonth = plan !== undefined && !plan.is_add_on
  const isOfPlan = (charge: UpcomingCharge) =>
    charge.subscription_id === subscription_id || (makesMonth && charge.subscription_id === null)
  return { plans, charges: charges.filter(isOfPlan) }
}

/** A hold that is over changes what is still owed, which may be due only today. */
function lastShownDay({ oldDays, days }: ChangedHold, today: string): string {
  const openEnd = addMonthsToDay(laterDay(days.from, today), OPEN_HOLD_MONTHS)
  const end = laterDay(days.until ?? openEnd, today)
  return oldDays ? laterDay(end, oldDays.until ?? openEnd) : end
}

const laterDay = (a: string, b: string): string => (a > b ? a : b)

/** A month keeps its name when it falls due on another day. */
const keyOf = ({ subscription_id, kind, name, due_on }: UpcomingCharge): string =>
  `${subscription_id} ${name} ${kind === 'month' ? '' : due_on}`

/** The payments until a day that cost something else than before. */
function changedCharges(
  stateBefore: PlanState,
  stateAfter: PlanState,
  lastDay: string,
): ChargePreview[] {
  const chargesBefore = new Map(stateBefore.charges.map((charge) => [keyOf(charge), charge]))
  const isShown = (charge: UpcomingCharge) =>
    charge.due_on <= lastDay || (chargesBefore.get(keyOf(charge))?.due_on ?? lastDay) < lastDay
  const keysAfter = new Set(stateAfter.charges.map(keyOf))
  const freeCharges = stateBefore.charges
    .filter((charge) => !keysAfter.has(keyOf(charge)))
    .map((charge) => ({ ...charge, amount: 0, reason: 'on hold' }))
  return [
    ...stateAfter.charges.filter(
      (charge) => chargesBefore.get(keyOf(charge))?.amount !== charge.amount,
    ),
    ...freeCharges,
  ]
    .filter(isShown)
    .toSorted((a, b) => (a.due_on < b.due_on ? -1 : 1))
    .map((charge) => pick(charge, 'name', 'due_on', 'amount', 'reason'))
}

function holdSentence({ from, until }: HoldDays, today: string): string {
  const firstDay = formatDayFrom(from, today)
  if (until === null) return `On hold from ${firstDay} until you end it.`
  return from === until
    ? `On hold on ${firstDay}.`
    : `On hold from ${firstDay} through ${formatDayFrom(until, today)}.`
}

function nextPaymentSentences(
  { plans, charges }: PlanState,
  { days: { until } }: ChangedHold,
  today: string,
): string[] {
  if (until === null) return []
  const firstDay = laterDay(addDays(until, 1), today)
  const laterCharges = charges.filter(({ due_on }) => due_on >= firstDay)
  const [firstCharge] = laterCharges
  if (plans.length === 0) return firstCharge ? [nextPaymentSentence('', firstCharge, today)] : []
  return plans.flatMap((plan) => {
    const charge = nextChargeOf(plan, laterCharges)
    const name = plans.length > 1 ? ` for ${plan.plan_name}` : ''
    return charge ? [nextPaymentSentence(name, charge, today)] : []
  })
}

const nextPaymentSentence = (
  name: string,
  { amount, due_on }: ChargePreview,
  today: string,
): string =>
  `The first payment after the hold${name} is ${formatShortMoney(amount)} ` +
  `on ${formatDayFrom(due_on, today)}.`

function endSentences(stateBefore: PlanState, stateAfter: PlanState, today: string): string[] {
  const endsBefore = new Map(stateBefore.plans.map(({ id, lastDay }) => [id, lastDay]))
  return stateAfter.plans.flatMap(({ id, plan_name, billing, lastDay: endAfter }) => {
    const endBefore = endsBefore.get(id) ?? null
    const name = stateAfter.plans.length > 1 ? plan_name : 'The plan'
    if (endBefore === endAfter) return stayingEndSentence(name, billing, today)
    if (endAfter === null) return [`${name} ends as many days later as the hold lasts.`]
    const insteadOf = endBefore === null ? '' : ` instead of ${formatDayFrom(endBefore, today)}`
    return [`${name} ends on ${formatDayFrom(endAfter, today)}${insteadOf}.`]
  })
}

/** An end that somebody asked for is not moved by a hold that would move it. */
function stayingEndSentence(
  name: string,
  { ends_on, end_is_final, holds }: StudentSubscription['billing'],
  today: string,
): string[] {
  const movesEnd = holds.some(({ from, moves_end }) => moves_end && from <= (ends_on ?? from))
  if (!end_is_final || ends_on === null || !movesEnd) return []
  return [`${name} still ends on ${formatDayFrom(ends_on, today)}, as it was asked for.`]
}

/** Days that turn out not to have been on hold are charged, even if their month is over. */
async function newChargeSentences(tx: Tx, actId: string | null): Promise<string[]> {
  if (actId === null) return []
  const lines = await linesOfAct(tx, actId)
  const chargeIds = new Set(lines.flatMap(({ charge_id }) => charge_id ?? []))
  const charges = await chargesById(tx, [...chargeIds])
  const newIds = new Set(
    pluck(
      charges.filter((charge) => charge.lines[0]?.act_id === actId),
      'id',
    ),
  )
  const newLines = lines.filter(
    ({ kind, charge_id }) => kind === 'charge' && newIds.has(charge_id ?? ''),
  )
  const cents = sumCents(pluck(newLines, 'cents'))
  return cents > 0 ? [`${formatShortMoney(toDollars(cents))} is charged for the time before.`] : []
}
