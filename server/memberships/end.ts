import { addDays } from '@tatami/contract/lib/calendar-day'
import type { SubscriptionEnd } from '@tatami/contract/memberships/memberships'
import { type EndTerms, lastCoolingOffDay, lastDayAfterNotice } from '@tatami/contract/plans/ends'
import { formatFullDay } from '@tatami/contract/plans/plan-days'
import { refusalWithout } from '@tatami/contract/rights'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { findSubscriptions, readPlanRules, type StudentSubscription } from '../plans/plans.ts'
import { subscriptions } from '../plans/tables.ts'
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from '../dues/plans/corrections.ts'
import { findNextPlan, findReplacedPlan, type OwnPlans } from './replacements.ts'

export async function subscriptionById(tx: Tx, id: string): Promise<StudentSubscription> {
  const [subscription] = await findSubscriptions(tx, eq(subscriptions.id, id))
  if (!subscription) throw notFound('Plan')
  return subscription
}

export function endTermsOf(subscription: StudentSubscription): EndTerms {
  const { kind, starts_on, terms, billing, told_renewals, bound_until, billing_date } = subscription
  if (kind === 'pack' || kind === 'drop_in') throw new Error('A pack is no subscription')
  const { minimum_months, renews_for_months, notice_days } = terms
  const { cycle, holds } = billing
  return {
    ...{ kind, starts_on, cycle, minimum_months, renews_for_months, notice_days },
    ...{ holds, told_renewals, bound_until, billing_date },
  }
}

type CancelledBy = NonNullable<StudentSubscription['cancelled_by']>
export type EndChoice = SubscriptionEnd & { cancelledBy: CancelledBy; maySkipFee: boolean }

/** Whether the plan was recorded today, so that it can still be undone as a mistake. */
export async function isRecordedToday(
  tx: Tx,
  dojoId: string,
  { created_at }: Pick<StudentSubscription, 'created_at'>,
): Promise<boolean> {
  const { time_zone } = await dojoById(tx, dojoId)
  return todayIn(time_zone, new Date(created_at)) === todayIn(time_zone)
}

/** The plan whose cooling-off days count: a change within a minimum term brings no new ones,
 *  because the earlier promise still holds. */
function findPromisingPlan(plan: StudentSubscription, ownPlans: OwnPlans): StudentSubscription {
  if (plan.bound_until === null) return plan
  const planBefore = ownPlans.find(({ id }) => id === plan.replaces)
  return planBefore ? findPromisingPlan(planBefore, ownPlans) : plan
}

/** True while a member can still take everything back. `day` is in the dojo's time zone. */
export async function isCoolingOff(
  tx: Tx,
  dojoId: string,
  plan: StudentSubscription,
  { ownPlans, day }: { ownPlans: OwnPlans; day: string },
): Promise<boolean> {
  const { cooling_off_days } = await readPlanRules(tx)
  const { time_zone } = await dojoById(tx, dojoId)
  const { created_at, starts_on } = findPromisingPlan(plan, ownPlans)
  const recordedOn = todayIn(time_zone, new Date(created_at))
  // A school may record a plan long after the member agreed to it.
  const agreedOn = starts_on < recordedOn ? starts_on : recordedOn
  const lastDay = lastCoolingOffDay(agreedOn, cooling_off_days)
  return lastDay !== null && day <= lastDay
}

/** A plan that never starts has the day before its first day as its last day. */
export const endBeforeStart = ({ starts_on }: Pick<StudentSubscription, 'starts_on'>) => ({
  ends_on: addDays(starts_on, -1),
  owes_early_end: false,
})

/** The plan that ends. A scheduled change to another plan is canceled with it. */
type PlanEnd = {
  plan: StudentSubscription
  cancelledPlan: StudentSubscription | null
  lastDay: string
  isEarly: boolean
}

type EndRequest = { today: string; askedOn: string; form: EndChoice }

/** The rules of the running plan apply until the day of a change. */
async function choosePlanEnd(
  tx: Tx,
  dojoId: string,
  id: string,
  request: EndRequest,
): Promise<PlanEnd> {
  const { today, askedOn, form } = request
  const requestedPlan = await subscriptionById(tx, id)
  const ownPlans = await findSubscriptionsOf(tx, requestedPlan.student_id)
  const isComing = requestedPlan.starts_on > today
  const replacedPlan = isComing ? findReplacedPlan(requestedPlan, ownPlans) : null
  const plan = replacedPlan ?? requestedPlan
  const nextPlan = findNextPlan(plan, ownPlans)
  const cancelledPlan = nextPlan && nextPlan.starts_on > today ? nextPlan : null
  const chosenDay = chosenLastDay(form, askedOn)
  const endOf = (endedPlan: StudentSubscription) =>
    chooseLastDay(tx, dojoId, endedPlan, { ...request, ownPlans })
  if (cancelledPlan && chosenDay && chosenDay >= cancelledPlan.starts_on)
    return { plan: cancelledPlan, cancelledPlan: null, ...(await endOf(cancelledPlan)) }
  return { plan, cancelledPlan, ...(await endOf(plan)) }
}

const chosenLastDay = ({ ground, last_day }: EndChoice, askedOn: string): string | null =>
  last_day ?? (ground ? askedOn : null)

async function chooseLastDay(
  tx: Tx,
  dojoId: string,
  plan: StudentSubscription,
  { ownPlans, today, askedOn, form }: EndRequest & { ownPlans: OwnPlans },
): Promise<Pick<PlanEnd, 'lastDay' | 'isEarly'>> {
  const dayBefore = addDays(plan.starts_on, -1)
  refuseBeforeStart(plan, form, today)
  if (await isCoolingOff(tx, dojoId, plan, { ownPlans, day: askedOn }))
    return { lastDay: laterDay(form.last_day ?? dayBefore, dayBefore), isEarly: false }
  const agreedDay = lastDayAfterNotice(endTermsOf(plan), askedOn)
  const lastDay = chosenLastDay(form, askedOn) ?? agreedDay
  return {
    lastDay: laterDay(lastDay, dayBefore),
    isEarly: lastDay < agreedDay && !form.ground,
  }
}

const laterDay = (a: string, b: string): string => (a > b ? a : b)

function refuseBeforeStart(
  { starts_on }: StudentSubscription,
  { last_day }: EndChoice,
  today: string,
): void {
  if (starts_on <= today && last_day && last_day < addDays(starts_on, -1))
    throw invalid('last_day', `This plan began on ${formatFullDay(starts_on)}. Choose a later day.`)
}

type EndReply = { actId: string | null; endedId: string }

/** Nothing unpaid stops an end. Asking again changes nothing, unless it ends the plan sooner. */
export async function endSubscription(
  tx: Tx,
  caller: PlanCaller,
  id: string,
  form: EndChoice,
): Promise<EndReply> {
  const today = await todayOf(tx, caller.dojoId)
  const askedOn = form.asked_on ?? today
  if (askedOn > today) throw invalid('asked_on', 'The day must not be in the future')
  const { student_id } = await subscriptionById(tx, id)
  const days = { today, askedOn, form }
  const { plan: endedPlan } = await choosePlanEnd(tx, caller.dojoId, id, days)
  const { result: lastDay, actId } = await changePlansOf(
    tx,
    caller,
    student_id,
    endedPlan.starts_on,
    async () => {
      const planEnd = await choosePlanEnd(tx, caller.dojoId, id, days)
      refuseAfterTerm(planEnd)
      if (planEnd.cancelledPlan === null && !endsSooner(planEnd)) return null
      await saveEnd(tx, planEnd, askedOn, form)
      return planEnd.lastDay
    },
    { usesCredit: false },
  )
  if (lastDay !== null)
    await auditAction(tx, caller, 'subscription ended', {
      subject_id: student_id,
      details: { day: lastDay },
    })
  return { actId, endedId: endedPlan.id }
}

function refuseAfterTerm({ plan, lastDay }: PlanEnd): void {
  if (plan.kind !== 'term' || plan.cancelled_at !== null || plan.lastDay === null) return
  if (lastDay > plan.lastDay)
    throw invalid(
      'last_day',
      `This plan ends by itself on ${formatFullDay(plan.lastDay)}. Choose no later day.`,
    )
}

async function saveEnd(
  tx: Tx,
  { plan, cancelledPlan, lastDay, isEarly }: PlanEnd,
  askedOn: string,
  form: EndChoice,
): Promise<void> {
  if (isEarly && form.waives_early_end_fee && !form.maySkipFee)
    throw new Refusal(403, refusalWithout('money.give_back'))
  const cancellation = {
    ...{ cancel_asked_on: askedOn, cancelled_at: nowIso(), cancelled_by: form.cancelledBy },
    ...{ cancel_reason: form.reason ?? null, ground: form.ground ?? null },
  }
  if (cancelledPlan)
    await tx
      .update(subscriptions)
      .set({ ...cancellation, ...endBeforeStart(cancelledPlan) })
      .where(eq(subscriptions.id, cancelledPlan.id))
  await tx
    .update(subscriptions)
    .set({
      ...cancellation,
      ends_on: lastDay,
      owes_early_end: isEarly && !form.waives_early_end_fee,
    })
    .where(eq(subscriptions.id, plan.id))
}

const endsSooner = ({ plan, lastDay }: PlanEnd): boolean =>
  plan.cancelled_at === null || plan.lastDay === null || lastDay < plan.lastDay
