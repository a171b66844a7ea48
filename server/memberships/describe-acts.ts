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
import { findCancelledChange, findNextPlan, everStarts, type OwnPlans } from './replacements.ts'
import { lastBoundDay, lastDayAfterNotice } from '@tatami/contract/plans/ends'
import { findUpcomingCharges, type UpcomingCharge } from './upcoming-charges.ts'

const MAX_SHOWN_CHARGES = 3

/** Describes what a student pays for a plan that was just started, or that replaced another
 *  plan. */
export async function describeStart(
  tx: Tx,
  dojoId: string,
  subscriptionId: string,
  actId: string | null,
): Promise<ActPreview> {
  const today = await todayOf(tx, dojoId)
  const subscription = await subscriptionById(tx, subscriptionId)
  const firstFeeDay = subscription.starts_on < today ? subscription.starts_on : today
  const allCharges = await findPlanCharges(tx, dojoId, subscription, today, firstFeeDay)
  // Skips charges due before the plan's first month: they belong to the old monthly fee.
  const firstDayOfMonth = firstDayOf(monthOfDate(subscription.starts_on))
  const charges = allCharges
    .filter(({ due_on }) => subscription.starts_on <= today || due_on >= firstDayOfMonth)
    .slice(0, MAX_SHOWN_CHARGES)
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

/** Names the replaced plan if it will never start. If it did start, its last day says enough. */
async function replacedPlanSentences(
  tx: Tx,
  { student_id, replaces }: StudentSubscription,
): Promise<string[]> {
  if (replaces === null) return []
  const ownPlans = await findSubscriptionsOf(tx, student_id)
  const replacedPlan = ownPlans.find(({ id }) => id === replaces)
  if (!replacedPlan || everStarts(replacedPlan)) return []
  return [`${replacedPlan.plan_name} won’t start.`]
}

/** Finds the months before this one that the act charged. */
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
    ...(starts_on < charges_from ? [`Nothing is charged for the time before ${chargedDay}.`] : []),
    ...(pastMonths.length > 0 ? [`${sum} is charged for the time since ${chargedDay}.`] : []),
  ]
}

/** Describes what is still due for a plan that was ended, and what was given back. */
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
  const neverStarts = lastDay !== null && lastDay < starts_on
  // If an end is entered late, this month's payment may be due after the last day.
  const lastDueDay = lastDay !== null && lastDay < today ? today : lastDay
  const allCharges = await findPlanCharges(tx, dojoId, subscription, today)
  const chargesInTime = allCharges.filter(
    ({ due_on }) => lastDueDay === null || due_on <= lastDueDay,
  )
  // The months of a plan that never starts cost the monthly fee, which is not part of the plan.
  const charges = neverStarts ? chargesInTime.filter(({ kind }) => kind !== 'month') : chargesInTime
  const lastPayment = findLastPayment(charges)
  const isOnOpenHold = subscription.billing.holds.some(({ until }) => until === null)
  const earlyEndFee = charges.find(({ kind }) => kind === 'early_end')
  const corrections = await correctionSentences(tx, actId)
  const refund = await readRefundOffer(tx, dojoId, subscription.student_id, actId)
  const daySentence =
    lastDay === null ? 'The plan continues.' : `The last day is ${formatDayFrom(lastDay, today)}.`
  const nextSentence = lastPayment
    ? `The last payment is ${paymentText(lastPayment, today)}.`
    : 'Nothing more is due for this plan.'
  const paymentSentence = isOnOpenHold
    ? 'What is still due depends on when the hold ends.'
    : nextSentence
  return {
    sentences: [
      neverStarts ? 'The plan ends as if it had never started.' : daySentence,
      ...changeSentence(subscription, ownPlans, today),
      ...(lastDay === null ? [] : [paymentSentence]),
      ...(neverStarts ? monthlyFeeSentence(subscription, ownPlans, today) : []),
      ...brokenTermSentences(subscription, today),
      ...(earlyEndFee ? [`Ending early costs ${formatShortMoney(earlyEndFee.amount)}.`] : []),
      ...corrections,
      ...refundSentence(refund),
    ],
    charges: charges.map(withoutId),
    last_day: neverStarts ? null : lastDay,
    last_sum: isOnOpenHold ? null : (lastPayment?.amount ?? 0),
  }
}

/** If the plan never starts, the student keeps paying the monthly fee. */
function monthlyFeeSentence(
  { id, is_add_on, storedFee }: StudentSubscription,
  ownPlans: OwnPlans,
  today: string,
): string[] {
  const hasOtherPlan = ownPlans.some(
    (plan) => plan.id !== id && !plan.is_add_on && (plan.lastDay === null || plan.lastDay >= today),
  )
  if (is_add_on || hasOtherPlan || !storedFee) return []
  return [`The monthly fee of ${formatShortMoney(storedFee)} still applies.`]
}

/** Adds up the charges that are due on the last due day. The fee for ending early is left out. */
function findLastPayment(charges: readonly UpcomingCharge[]): Payment | null {
  const regularCharges = charges.filter(({ kind }) => kind !== 'early_end')
  const due_on = regularCharges.at(-1)?.due_on
  if (due_on === undefined) return null
  const lastCharges = regularCharges.filter((charge) => charge.due_on === due_on)
  return { due_on, amount: sumDollars(pluck(lastCharges, 'amount')) }
}

/** Says what a last day breaks if it is earlier than the plan's minimum term or notice allows. */
function brokenTermSentences(plan: StudentSubscription, today: string): string[] {
  const { lastDay, starts_on, cancel_asked_on, ground: endReason } = plan
  if (lastDay === null || lastDay < starts_on || cancel_asked_on === null) return []
  // A reason such as a move lets the member end the plan on any day.
  if (endReason !== null) return []
  const agreedLastDay = lastDayAfterNotice(endTermsOf(plan), cancel_asked_on)
  if (lastDay >= agreedLastDay) return []
  const termDay = cancel_asked_on > starts_on ? cancel_asked_on : starts_on
  const minimumTermEnd = lastBoundDay(endTermsOf(plan), termDay)
  if (minimumTermEnd !== null && lastDay < minimumTermEnd)
    return [`The minimum term would run until ${formatDayFrom(minimumTermEnd, today)}.`]
  return [`With the notice, the last day would be ${formatDayFrom(agreedLastDay, today)}.`]
}

/** Says whether a scheduled change to another plan still takes place. */
function changeSentence(plan: StudentSubscription, ownPlans: OwnPlans, today: string): string[] {
  const nextPlan = findNextPlan(plan, ownPlans)
  if (nextPlan)
    return [`${nextPlan.plan_name} starts on ${formatDayFrom(nextPlan.starts_on, today)}.`]
  const cancelledPlan = findCancelledChange(plan, ownPlans)
  return cancelledPlan ? [`${cancelledPlan.plan_name} won’t start.`] : []
}

/** Finds the upcoming charges for a plan. Month charges count for the base plan, not for
 *  add-ons. */
async function findPlanCharges(
  tx: Tx,
  dojoId: string,
  { id, student_id, is_add_on, lastDay }: StudentSubscription,
  today: string,
  firstFeeDay = today,
): Promise<UpcomingCharge[]> {
  const days = { firstFeeDay, until: lastDay }
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
  if (firstPayment === undefined) return ['Nothing is due in the coming months.']
  const lastPayment = payments.pop()
  if (lastPayment === undefined) return [`${STUDENT_PAYS} ${firstPayment}.`]
  return [`${STUDENT_PAYS} ${[firstPayment, ...payments].join(', ')} and ${lastPayment}.`]
}

/** Two periods can start in the same month only if a period is at most this long. */
const MAX_WEEKS_TWICE_A_MONTH = 4

/** A base plan's weeks are billed with the month in which they start. Add-ons are billed weekly. */
const weekSentences = ({ billing: { cycle }, is_add_on }: StudentSubscription): string[] =>
  cycle.unit === 'week' && cycle.count <= MAX_WEEKS_TWICE_A_MONTH && !is_add_on
    ? ['Weeks that start in the same month are billed together, with the first one.']
    : []

/** Describes how an act changed earlier charges, and what that did to the student's credit. */
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
  if (cents > 0) return [`${amount} is added to earlier charges.`]
  const creditCents = sumCents(listCredit(lines).filter((lineCents) => lineCents > 0))
  if (creditCents === 0) return [`${amount} is taken off earlier charges.`]
  const usedCents = 0 - sumCents(listCredit(lines).filter((lineCents) => lineCents < 0))
  const credit = `${formatShortMoney(toDollars(creditCents))} already paid becomes credit.`
  if (usedCents === 0) return [credit]
  return [`${credit} Credit pays ${formatShortMoney(toDollars(usedCents))} of the balance.`]
}

type RefundOffer = {
  /** The credit that the act created, less what it used to pay other charges. */
  newCreditCents: number
  /** The part of the new credit that is left after credit has paid the student's debts. */
  refundableCents: number
}

export async function readRefundOffer(
  tx: Tx,
  dojoId: string,
  studentId: string,
  actId: string | null,
): Promise<RefundOffer> {
  const lines = actId === null ? [] : await linesOfAct(tx, actId)
  const newCreditCents = Math.max(0, sumCents(listCredit(lines)))
  if (newCreditCents === 0) return { newCreditCents, refundableCents: 0 }
  const debt = (await debtsOf(tx, dojoId, [studentId])).get(studentId) ?? NO_DEBT
  return { newCreditCents, refundableCents: Math.min(newCreditCents, debt.credit) }
}

function refundSentence({ newCreditCents, refundableCents }: RefundOffer): string[] {
  if (newCreditCents === 0) return []
  if (refundableCents === newCreditCents) return ['It can be refunded.']
  if (refundableCents === 0) return ['It pays what is owed.']
  const amount = formatShortMoney(toDollars(refundableCents))
  return [`It pays what is owed first, so ${amount} can be refunded.`]
}

const listCredit = (lines: readonly { kind: string; cents: number }[]): number[] =>
  lines.filter(({ kind }) => kind === 'credit').map(({ cents }) => cents)

/** True if sales tax is added to the price of the plan. */
async function hasAddedTax(
  tx: Tx,
  { is_add_on, starts_on }: StudentSubscription,
): Promise<boolean> {
  const { taxes } = await readTaxSettings(tx)
  return findSalesTax(taxes, is_add_on ? 'plan' : 'month', starts_on)?.is_added ?? false
}

/** True if a sibling makes the months of a plan with a last day cheaper. */
async function hasFamilyDiscount(
  tx: Tx,
  dojoId: string,
  { student_id, is_add_on, lastDay, starts_on }: StudentSubscription,
): Promise<boolean> {
  if (is_add_on || lastDay === null) return false
  const month = monthOfDate(starts_on)
  const { before: siblingPrices } = await siblingPricesWithout(tx, dojoId, month, student_id)
  return siblingPrices.some((price) => price.student_id === student_id)
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
    return [`It ends on ${formatDayFrom(lastDay, today)}, and costs ${price} in total${discount}.`]
  }
  if (kind === 'pack' || kind === 'drop_in') return []
  const minimumTermEnd = lastBoundDay(endTermsOf(subscription), starts_on)
  if (minimumTermEnd === null) return []
  return [`It runs until at least ${formatDayFrom(minimumTermEnd, today)}.`]
}
