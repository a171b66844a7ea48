import { addDays } from '@tatami/contract/lib/calendar-day'
import type { SubscriptionEnd } from '@tatami/contract/memberships/memberships'
import {
  agreedEnd,
  type EndTerms,
  lastCoolingOffDay,
  lastDayIfAsked,
} from '@tatami/contract/plans/ends'
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
import { changePlansOf, findSubscriptionsOf, type PlanCaller } from './corrections.ts'
import { refuseOverlap } from './start.ts'

export async function subscriptionById(tx: Tx, id: string): Promise<StudentSubscription> {
  const [subscription] = await findSubscriptions(tx, eq(subscriptions.id, id))
  if (!subscription) throw notFound('Plan')
  return subscription
}

export function endTermsOf(subscription: StudentSubscription): EndTerms {
  const { kind, starts_on, terms, billing, told_renewals } = subscription
  if (kind === 'pack' || kind === 'drop_in') throw new Error('A pack is no subscription')
  const { minimum_months, renews_for_months, notice_days } = terms
  const { cycle, holds } = billing
  return {
    ...{ kind, starts_on, cycle, minimum_months, renews_for_months, notice_days },
    ...{ holds, told_renewals },
  }
}

type CancelledBy = NonNullable<StudentSubscription['cancelled_by']>
type EndChoice = SubscriptionEnd & { cancelledBy: CancelledBy; maySkipFee: boolean }
type LastDay = { day: string; isEarly: boolean }

/** True while a member can still take everything back. `today` is in the dojo's time zone. */
export async function isCoolingOff(
  tx: Tx,
  dojoId: string,
  { created_at }: Pick<StudentSubscription, 'created_at'>,
  day: string,
): Promise<boolean> {
  const { cooling_off_days } = await readPlanRules(tx)
  const { time_zone } = await dojoById(tx, dojoId)
  const lastDay = lastCoolingOffDay(todayIn(time_zone, new Date(created_at)), cooling_off_days)
  return lastDay !== null && day <= lastDay
}

/** The day before the first one means that the plan never was. */
async function chooseLastDay(
  tx: Tx,
  dojoId: string,
  subscription: StudentSubscription,
  askedOn: string,
  { ground, last_day }: EndChoice,
): Promise<LastDay> {
  const { starts_on } = subscription
  const dayBefore = addDays(starts_on, -1)
  const isNever = askedOn < starts_on || (await isCoolingOff(tx, dojoId, subscription, askedOn))
  if (isNever) return { day: dayBefore, isEarly: false }
  if (ground) return { day: askedOn, isEarly: false }
  const agreedDay = lastDayIfAsked(endTermsOf(subscription), askedOn)
  if (!last_day || last_day >= agreedDay) return { day: last_day ?? agreedDay, isEarly: false }
  return { day: last_day < dayBefore ? dayBefore : last_day, isEarly: true }
}

/** Nothing unpaid stops an end. Asking again changes nothing, unless it ends the plan sooner. */
export async function endSubscription(
  tx: Tx,
  caller: PlanCaller,
  id: string,
  form: EndChoice,
): Promise<{ actId: string | null }> {
  const { dojoId } = caller
  const today = await todayOf(tx, dojoId)
  const askedOn = form.asked_on ?? today
  if (askedOn > today) throw invalid('asked_on', 'The day must not be in the future')
  const { student_id, starts_on } = await subscriptionById(tx, id)
  let endedOn: string | null = null
  const { actId } = await changePlansOf(tx, caller, student_id, starts_on, async () => {
    const subscription = await subscriptionById(tx, id)
    const { day, isEarly } = await chooseLastDay(tx, dojoId, subscription, askedOn, form)
    if (!endsSooner(subscription, day)) return
    if (isEarly && form.waives_early_end_fee && !form.maySkipFee)
      throw new Refusal(403, refusalWithout('money.give_back'))
    endedOn = day
    await tx
      .update(subscriptions)
      .set({
        ...{ ends_on: day, cancel_asked_on: askedOn, cancelled_at: nowIso() },
        ...{ cancelled_by: form.cancelledBy, cancel_reason: form.reason ?? null },
        ...{ ground: form.ground ?? null },
        owes_early_end: isEarly && !form.waives_early_end_fee,
      })
      .where(eq(subscriptions.id, id))
  })
  if (endedOn !== null)
    await auditAction(tx, caller, 'subscription ended', {
      subject_id: student_id,
      details: { day: endedOn },
    })
  return { actId }
}

const endsSooner = ({ cancelled_at, lastDay }: StudentSubscription, day: string): boolean =>
  cancelled_at === null || lastDay === null || day < lastDay

const CHANGED_SINCE = 'The student has changed plans since. Change the plan instead.'

/** Takes the end of a plan back, until its last day. */
export async function keepSubscription(
  tx: Tx,
  caller: PlanCaller,
  id: string,
): Promise<{ actId: string | null }> {
  const { student_id, starts_on } = await subscriptionById(tx, id)
  const today = await todayOf(tx, caller.dojoId)
  let isKept = false
  const { actId } = await changePlansOf(tx, caller, student_id, starts_on, async () => {
    const subscription = await subscriptionById(tx, id)
    if (subscription.cancelled_at === null) return
    if (!mayKeep(subscription, today))
      throw new Refusal(409, 'This plan has ended. Start it again instead.')
    await keep(tx, subscription)
    isKept = true
  })
  if (isKept) await auditAction(tx, caller, 'subscription kept', { subject_id: student_id })
  return { actId }
}

export const mayKeep = (
  { cancelled_at, lastDay, starts_on, ends_on }: StudentSubscription,
  today: string,
): boolean =>
  cancelled_at !== null &&
  lastDay !== null &&
  lastDay >= today &&
  ends_on !== null &&
  ends_on >= starts_on

const NOT_CANCELLED = {
  ...{ cancel_asked_on: null, cancelled_at: null, cancelled_by: null, cancel_reason: null },
  ...{ ground: null, owes_early_end: false, closed_on: null },
}

export async function keep(tx: Tx, subscription: StudentSubscription): Promise<void> {
  const { id, student_id, plan_id, is_add_on, starts_on } = subscription
  const otherPlans = (await findSubscriptionsOf(tx, student_id)).filter((plan) => plan.id !== id)
  if (otherPlans.some(({ replaces }) => replaces === id)) throw new Refusal(409, CHANGED_SINCE)
  const { kind } = subscription
  const ends_on = kind === 'term' ? agreedEnd(endTermsOf(subscription)) : null
  refuseOverlap(otherPlans, { id: plan_id, is_add_on }, { starts_on, ends_on })
  await tx
    .update(subscriptions)
    .set({ ends_on, ...NOT_CANCELLED })
    .where(eq(subscriptions.id, id))
}
