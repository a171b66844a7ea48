import { firstDayOf, MONTHS, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { ActPreview, ChargePreview } from '@tatami/contract/memberships/act-preview'
import { findSalesTax } from '@tatami/contract/ledger/sales-tax'
import { formatShortMoney, sumCents, sumDollars, toDollars } from '@tatami/contract/lib/money'
import { STUDENT_PAYS } from '@tatami/contract/plans/notices'
import { formatDayFrom } from '@tatami/contract/plans/plan-days'
import { calculateTotalCents } from '@tatami/contract/plans/periods'
import { describePrice } from '@tatami/contract/plans/plan-words'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { debtsOf, NO_DEBT } from '../dues/balances.ts'
import { siblingPricesWithout } from '../dues/prices/prices.ts'
import { linesOfAct } from '../ledger/ledger.ts'
import { chargesById } from '../ledger/charges.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
import { pick, pluck } from '../lib/rows.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { endTermsOf, subscriptionById } from './end.ts'
import { findCancelledChange, findNextPlan, hasDays, type OwnPlans } from './replacements.ts'
import { boundUntil, lastDayIfAsked } from '@tatami/contract/plans/ends'
import { findUpcomingCharges, type UpcomingCharge } from './upcoming-charges.ts'

const SHOWN_CHARGES = 3

/** What a student pays for a plan that has just started, or that another one was changed to. */
export async function describeStart(
  tx: Tx,
  dojoId: string,
  subscriptionId: string,
  actId: string | null,
): Promise<ActPreview> {
  const today = await todayOf(tx, dojoId)
  const subscription = await subscriptionById(tx, subscriptionId)
  const feesFrom = subscription.starts_on < today ? subscription.starts_on : today
  const allCharges = await findChargesOf(tx, dojoId, subscription, today, feesFrom)
  // What is paid in the months before a plan says nothing about the plan.
  const firstDay = firstDayOf(monthOfDate(subscription.starts_on))
  const charges = allCharges
    .filter(({ due_on }) => subscription.starts_on <= today || due_on >= firstDay)
    .slice(0, SHOWN_CHARGES)
  const pastMonths = await findPastMonths(tx, subscription, actId, today)
  return {
    sentences: [
      startSentence(subscription, today),
      ...(await replacedPlanSentences(tx, subscription)),
      ...pastSentences(subscription, pastMonths, today),
      ...paymentSentences(charges, today),
      ...weekSentences(subscription),
      ...(await correctionSentences(tx, actId)),
      ...endSentences(subscription, today, {
        isTaxAdded: await hasAddedTax(tx, subscription),
        isDiscounted: await hasFamilyDiscount(tx, dojoId, subscription),
      }),
    ],
    charges: [...pastMonths, ...charges.map(withoutId)],
    last_day: subscription.lastDay,
    last_sum: null,
  }
}

/** A plan that had not begun when the student changed to another one. */
async function replacedPlanSentences(
  tx: Tx,
  { student_id, replaces }: StudentSubscription,
): Promise<string[]> {
  if (replaces === null) return []
  const ownPlans = await findSubscriptionsOf(tx, student_id)
  const replacedPlan = ownPlans.find(({ id }) => id === replaces)
  return replacedPlan && !hasDays(replacedPlan) ? [`${replacedPlan.plan_name} does not begin.`] : []
}

/** The earlier months that the act charged. */
async function findPastMonths(
  tx: Tx,
  { plan_name }: StudentSubscription,
  actId: string | null,
  today: string,
): Promise<ChargePreview[]> {
  if (actId === null) return []
  const lines = await linesOfAct(tx, actId)
  const charges = await chargesById(tx, [
    ...new Set(lines.flatMap(({ charge_id }) => charge_id ?? [])),
  ])
  const thisMonth = firstDayOf(monthOfDate(today))
  return charges.flatMap(({ kind, year, month, lines: [line], charged_on }) => {
    const isNew = kind === 'month' && line?.act_id === actId
    if (!isNew || year === null || month === null || firstDayOf({ year, month }) >= thisMonth)
      return []
    const name = `${MONTHS[month]} ${year}`
    // A price that differs from the stored fee has the name of the plan as its reason.
    const reason = line.reason === plan_name ? null : line.reason
    return [{ name, due_on: charged_on, amount: toDollars(line.cents), reason }]
  })
}

function pastSentences(
  { starts_on, charges_from }: StudentSubscription,
  pastMonths: readonly ChargePreview[],
  today: string,
): string[] {
  if (charges_from === null) return []
  const sum = formatShortMoney(sumDollars(pluck(pastMonths, 'amount')))
  const chargedDay = formatDayFrom(charges_from, today)
  return [
    ...(starts_on < charges_from ? [`What was due before ${chargedDay} is not charged.`] : []),
    ...(pastMonths.length > 0 ? [`${sum} is charged for the time since ${chargedDay}.`] : []),
  ]
}

/** What is still paid for a plan that was ended, and what was given back. */
export async function describeEnd(
  tx: Tx,
  dojoId: string,
  subscriptionId: string,
  actId: string | null,
): Promise<ActPreview> {
  const today = await todayOf(tx, dojoId)
  const subscription = await subscriptionById(tx, subscriptionId)
  const ownPlans = await findSubscriptionsOf(tx, subscription.student_id)
  const { lastDay, starts_on } = subscription
  const isNever = lastDay !== null && lastDay < starts_on
  // What is owed of this month may be due only after the last day of an end that is entered late.
  const lastDueDay = lastDay !== null && lastDay < today ? today : lastDay
  // Before a plan that never begins, only the monthly fee is due.
  const charges = (await findChargesOf(tx, dojoId, subscription, today)).filter(
    ({ due_on, kind }) =>
      (lastDueDay === null || due_on <= lastDueDay) && !(isNever && kind === 'month'),
  )
  const lastPayment = findLastPayment(charges)
  const isOnOpenHold = subscription.billing.holds.some(({ until }) => until === null)
  const earlyEndFee = charges.find(({ kind }) => kind === 'early_end')
  const corrections = await correctionSentences(tx, actId)
  const refund = await readRefundOffer(tx, dojoId, subscription.student_id, actId)
  const daySentence =
    lastDay === null ? 'The plan goes on.' : `The last day is ${formatDayFrom(lastDay, today)}.`
  const nextSentence = lastPayment
    ? `The last payment is ${paymentText(lastPayment, today)}.`
    : 'Nothing more is due for this plan.'
  const paymentSentence = isOnOpenHold
    ? 'What is still due depends on when the hold ends.'
    : nextSentence
  return {
    sentences: [
      isNever ? 'The plan ends as if it had never begun.' : daySentence,
      ...changeSentence(subscription, ownPlans, today),
      ...(lastDay === null ? [] : [paymentSentence]),
      ...(isNever ? monthlyFeeSentence(subscription, ownPlans, today) : []),
      ...brokenTermSentences(subscription, today),
      ...(earlyEndFee ? [`Ending early costs ${formatShortMoney(earlyEndFee.amount)}.`] : []),
      ...corrections,
      ...refundSentence(refund),
    ],
    charges: charges.map(withoutId),
    last_day: isNever ? null : lastDay,
    last_sum: isOnOpenHold ? null : (lastPayment?.amount ?? 0),
  }
}

/** After a plan that never began, the student pays the monthly fee as before. */
function monthlyFeeSentence(
  { id, is_add_on, storedFee }: StudentSubscription,
  ownPlans: OwnPlans,
  today: string,
): string[] {
  const hasOtherPlan = ownPlans.some(
    (plan) => plan.id !== id && !plan.is_add_on && (plan.lastDay === null || plan.lastDay >= today),
  )
  if (is_add_on || hasOtherPlan || !storedFee) return []
  return [`The monthly fee of ${formatShortMoney(storedFee)} goes on.`]
}

/** Everything that is due on the last day on which something is. */
function findLastPayment(charges: readonly UpcomingCharge[]): Payment | null {
  const payments = charges.filter(({ kind }) => kind !== 'early_end')
  const due_on = payments.at(-1)?.due_on
  if (due_on === undefined) return null
  const lastPayments = payments.filter((payment) => payment.due_on === due_on)
  return { due_on, amount: sumDollars(pluck(lastPayments, 'amount')) }
}

/** What a last day breaks that is sooner than the terms of the plan allow. */
function brokenTermSentences(plan: StudentSubscription, today: string): string[] {
  const { lastDay, starts_on, cancel_asked_on, ground } = plan
  const isGrounded = ground !== null
  if (lastDay === null || lastDay < starts_on || cancel_asked_on === null || isGrounded) return []
  const agreedDay = lastDayIfAsked(endTermsOf(plan), cancel_asked_on)
  if (lastDay >= agreedDay) return []
  const day = cancel_asked_on > starts_on ? cancel_asked_on : starts_on
  const minimumUntil = boundUntil(endTermsOf(plan), day)
  const isBound = minimumUntil !== null && lastDay < minimumUntil
  return [
    isBound
      ? `The minimum term would go on until ${formatDayFrom(minimumUntil, today)}.`
      : `With the notice, the last day would be ${formatDayFrom(agreedDay, today)}.`,
  ]
}

/** What becomes of a change of plans that was to come. */
function changeSentence(plan: StudentSubscription, ownPlans: OwnPlans, today: string): string[] {
  const nextPlan = findNextPlan(plan, ownPlans)
  if (nextPlan)
    return [`${nextPlan.plan_name} begins on ${formatDayFrom(nextPlan.starts_on, today)}.`]
  const cancelledPlan = findCancelledChange(plan, ownPlans)
  return cancelledPlan ? [`${cancelledPlan.plan_name} does not begin.`] : []
}

/** Months belong to the plan that is no add-on. */
async function findChargesOf(
  tx: Tx,
  dojoId: string,
  { id, student_id, is_add_on, lastDay }: StudentSubscription,
  today: string,
  feesFrom = today,
): Promise<UpcomingCharge[]> {
  const days = { feesFrom, until: lastDay }
  const charges = await findUpcomingCharges(tx, dojoId, student_id, today, days)
  return charges.filter(
    ({ subscription_id }) => subscription_id === id || (!is_add_on && subscription_id === null),
  )
}

const withoutId = (charge: UpcomingCharge) => pick(charge, 'name', 'due_on', 'amount', 'reason')

function startSentence(
  { plan_name, starts_on, kind, billing }: StudentSubscription,
  today: string,
) {
  const verb = starts_on < today ? 'started' : 'starts'
  const cents = billing.prices[0]?.cents ?? 0
  const price =
    kind === 'pack' || kind === 'drop_in'
      ? ''
      : `, ${describePrice({ kind, price: toDollars(cents), cycle: billing.cycle })}`
  return `${plan_name} ${verb} on ${formatDayFrom(starts_on, today)}${price}.`
}

type Payment = Pick<UpcomingCharge, 'due_on' | 'amount'>

const paymentText = ({ amount, due_on }: Payment, today: string): string =>
  `${formatShortMoney(amount)} on ${formatDayFrom(due_on, today)}`

function paymentSentences(charges: readonly UpcomingCharge[], today: string): string[] {
  const [firstPayment, ...payments] = charges.map((charge) => paymentText(charge, today))
  if (firstPayment === undefined) return ['Nothing is due in the next months.']
  const lastPayment = payments.pop()
  if (lastPayment === undefined) return [`${STUDENT_PAYS} ${firstPayment}.`]
  return [`${STUDENT_PAYS} ${[firstPayment, ...payments].join(', ')} and ${lastPayment}.`]
}

/** Two periods of so many weeks can begin in one month, and not two of more weeks. */
const MOST_WEEKS_WITHIN_MONTH = 4

/** Weeks are part of the price of the month in which they begin. Add-ons are charged by the week. */
const weekSentences = ({ billing: { cycle }, is_add_on }: StudentSubscription): string[] =>
  cycle.unit === 'week' && cycle.count <= MOST_WEEKS_WITHIN_MONTH && !is_add_on
    ? ['All weeks that begin in a month are due together, with the first of them.']
    : []

/** What changes on months and periods that were charged already. */
export async function correctionSentences(tx: Tx, actId: string | null): Promise<string[]> {
  if (actId === null) return []
  const lines = await linesOfAct(tx, actId)
  const charges = await chargesById(tx, [
    ...new Set(lines.flatMap(({ charge_id }) => charge_id ?? [])),
  ])
  const correctedIds = new Set(
    charges.filter((charge) => charge.lines[0]?.act_id !== actId).map(({ id }) => id),
  )
  const corrections = lines.filter(
    ({ kind, charge_id }) => kind === 'charge' && correctedIds.has(charge_id ?? ''),
  )
  const cents = sumCents(pluck(corrections, 'cents'))
  if (cents === 0) return []
  const amount = formatShortMoney(toDollars(Math.abs(cents)))
  if (cents > 0) return [`${amount} is added to what was charged already.`]
  const creditCents = sumCents(listCredit(lines).filter((lineCents) => lineCents > 0))
  if (creditCents === 0) return [`${amount} of what was charged is taken off.`]
  const usedCents = 0 - sumCents(listCredit(lines).filter((lineCents) => lineCents < 0))
  const credit = `${formatShortMoney(toDollars(creditCents))} that was paid becomes credit`
  if (usedCents === 0) return [`${credit}.`]
  return [`${credit}. Credit pays ${formatShortMoney(toDollars(usedCents))} of what is owed.`]
}

type RefundOffer = {
  /** What the act made credit, and did not use for anything else. */
  freedCents: number
  /** The part of it that is left after credit has paid what the student owes. */
  refundableCents: number
}

export async function readRefundOffer(
  tx: Tx,
  dojoId: string,
  studentId: string,
  actId: string | null,
): Promise<RefundOffer> {
  const lines = actId === null ? [] : await linesOfAct(tx, actId)
  const freedCents = Math.max(0, sumCents(listCredit(lines)))
  if (freedCents === 0) return { freedCents, refundableCents: 0 }
  const debt = (await debtsOf(tx, dojoId, [studentId])).get(studentId) ?? NO_DEBT
  return { freedCents, refundableCents: Math.min(freedCents, debt.credit) }
}

function refundSentence({ freedCents, refundableCents }: RefundOffer): string[] {
  if (freedCents === 0) return []
  if (refundableCents === freedCents) return ['It can be refunded.']
  if (refundableCents === 0) return ['It pays what is owed.']
  const amount = formatShortMoney(toDollars(refundableCents))
  return [`It pays what is owed first, so ${amount} can be refunded.`]
}

const listCredit = (lines: readonly { kind: string; cents: number }[]): number[] =>
  lines.filter(({ kind }) => kind === 'credit').map(({ cents }) => cents)

/** Whether a sales tax is added to what the plan costs. */
async function hasAddedTax(
  tx: Tx,
  { is_add_on, starts_on }: StudentSubscription,
): Promise<boolean> {
  const { taxes } = await readTaxSettings(tx)
  return findSalesTax(taxes, is_add_on ? 'plan' : 'month', starts_on)?.is_added ?? false
}

/** Whether the months of a plan that ends by itself are cheaper because of brothers and sisters. */
async function hasFamilyDiscount(
  tx: Tx,
  dojoId: string,
  { student_id, is_add_on, lastDay, starts_on }: StudentSubscription,
): Promise<boolean> {
  if (is_add_on || lastDay === null) return false
  const month = monthOfDate(starts_on)
  const { before } = await siblingPricesWithout(tx, dojoId, month, student_id)
  return before.some((price) => price.student_id === student_id)
}

function endSentences(
  subscription: StudentSubscription,
  today: string,
  { isTaxAdded, isDiscounted }: { isTaxAdded: boolean; isDiscounted: boolean },
): string[] {
  const { lastDay, kind, starts_on } = subscription
  if (lastDay !== null) {
    const sum = formatShortMoney(toDollars(calculateTotalCents(subscription.billing) ?? 0))
    const price = isTaxAdded ? `${sum} plus tax` : sum
    const discount = isDiscounted ? ', before the family discount' : ''
    return [`It ends on ${formatDayFrom(lastDay, today)}, and costs ${price} in all${discount}.`]
  }
  if (kind === 'pack' || kind === 'drop_in') return []
  const minimumUntil = boundUntil(endTermsOf(subscription), starts_on)
  if (minimumUntil === null) return []
  return [`It goes on until at least ${formatDayFrom(minimumUntil, today)}.`]
}
