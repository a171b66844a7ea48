import type { Membership, Subscription } from '@tatami/contract/memberships/memberships'
import { lastBoundDay, nextRenewal } from '@tatami/contract/plans/ends'
import { toDollars } from '@tatami/contract/lib/money'
import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { notFound } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import type { StudentSubscription } from '../plans/plans.ts'
import { listStudentPacks } from '../plans/student-packs.ts'
import { holds, plans, subscriptionPrices } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import { findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { endTermsOf, isCoolingOff } from './end.ts'
import { type DojoDay, dojoDay, mayKeep } from './keep.ts'
import { findNextPlan, type OwnPlans } from './replacements.ts'
import { isInForce } from '../dues/plans/student-fees.ts'
import { findUpcomingCharges, type UpcomingCharge } from './upcoming-charges.ts'

export async function showMembership(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<Membership> {
  const [student] = await tx
    .select({
      ...pick(students, 'monthly_payment_amount', 'requested_plan_id'),
      requested_plan: plans.name,
    })
    .from(students)
    .leftJoin(plans, eq(plans.id, students.requested_plan_id))
    .where(eq(students.id, studentId))
  if (!student) throw notFound('Student')
  const today = await todayOf(tx, dojoId)
  const ownSubscriptions = await findSubscriptionsOf(tx, studentId)
  const upcomingCharges =
    ownSubscriptions.length > 0 ? await findUpcomingCharges(tx, dojoId, studentId, today) : []
  const hasPlan = ownSubscriptions.some(
    (subscription) => !subscription.is_add_on && isInForce(subscription, today),
  )
  return {
    student_id: studentId,
    monthly_fee: hasPlan ? null : student.monthly_payment_amount,
    subscriptions: await describeSubscriptions(tx, dojoId, ownSubscriptions, upcomingCharges),
    holds: await findHolds(tx, studentId),
    packs: (await listStudentPacks(tx, [studentId], today)).get(studentId) ?? [],
    ...pick(student, 'requested_plan', 'requested_plan_id'),
  }
}

const findHolds = (tx: Tx, studentId: string) =>
  tx
    .select({
      ...pick(holds, 'id', 'subscription_id', 'starts_on', 'ends_on', 'kind', 'billing', 'fee'),
      ...pick(holds, 'moves_end', 'ends_on_return', 'returned_on'),
    })
    .from(holds)
    .where(eq(holds.student_id, studentId))
    .orderBy(asc(holds.starts_on), asc(holds.id))

export function stateOf(
  { starts_on, lastDay }: Pick<StudentSubscription, 'starts_on' | 'lastDay'>,
  today: string,
): Subscription['state'] {
  if (lastDay !== null && (lastDay < today || lastDay < starts_on)) return 'ended'
  if (starts_on > today) return 'coming'
  return lastDay === null ? 'running' : 'ending'
}

async function describeSubscriptions(
  tx: Tx,
  dojoId: string,
  ownSubscriptions: readonly StudentSubscription[],
  upcomingCharges: readonly UpcomingCharge[],
): Promise<Subscription[]> {
  const dojoToday = await dojoDay(tx, dojoId)
  const { today } = dojoToday
  const descriptions: Subscription[] = []
  for (const subscription of ownSubscriptions)
    descriptions.push({
      ...describeTerms(subscription, ownSubscriptions, dojoToday),
      ...(await readPrices(tx, subscription, today)),
      next_charge: nextChargeOf(subscription, upcomingCharges),
      is_cooling_off: await isCoolingOff(tx, dojoId, subscription, {
        ...{ ownPlans: ownSubscriptions, day: today },
      }),
    })
  const isEnded = ({ state }: Subscription) => state === 'ended'
  return [
    ...descriptions.filter((description) => !isEnded(description)),
    ...descriptions.filter(isEnded).toReversed(),
  ]
}

function describeTerms(subscription: StudentSubscription, ownPlans: OwnPlans, dojoToday: DojoDay) {
  const { today } = dojoToday
  const nextPlan = findNextPlan(subscription, ownPlans)
  const { terms, starts_on } = subscription
  const endTerms = endTermsOf(subscription)
  const day = starts_on > today ? starts_on : today
  return {
    ...pick(subscription, 'id', 'plan_id', 'plan_name', 'kind', 'is_add_on', 'version_id'),
    ...pick(terms, 'cycle_unit', 'cycle_count', 'class_ids', 'entry_limit', 'entry_limit_per'),
    ...pick(subscription, 'starts_on', 'billing_day', 'first_period'),
    ...pick(subscription, 'cancel_asked_on', 'cancel_reason', 'ground'),
    ends_on: subscription.lastDay,
    state: stateOf(subscription, today),
    minimum_until: lastBoundDay(endTerms, day),
    renews_on: subscription.cancelled_at === null ? nextRenewal(endTerms, day) : null,
    may_keep: mayKeep(subscription, ownPlans, dojoToday),
    changes_to: nextPlan && pick(nextPlan, 'plan_name', 'starts_on'),
  }
}

async function readPrices(tx: Tx, subscription: StudentSubscription, today: string) {
  const { id, starts_on, billing, terms } = subscription
  const day = starts_on > today ? starts_on : today
  const ownPrices = await tx
    .select(pick(subscriptionPrices, 'starts_on', 'price', 'reason'))
    .from(subscriptionPrices)
    .where(eq(subscriptionPrices.subscription_id, id))
    .orderBy(asc(subscriptionPrices.starts_on))
  const ownPrice = ownPrices.findLast((row) => row.starts_on <= day)
  const hasOwnPrice = ownPrice !== undefined && ownPrice.price !== null
  const cents = (billing.prices.findLast(({ from }) => from <= day) ?? billing.prices[0])?.cents
  return {
    price: toDollars(cents ?? 0),
    list_price: hasOwnPrice ? terms.price : null,
    price_reason: hasOwnPrice ? ownPrice.reason : null,
  }
}

export function nextChargeOf(
  { id, is_add_on, lastDay, starts_on }: StudentSubscription,
  upcomingCharges: readonly UpcomingCharge[],
): Subscription['next_charge'] {
  const charge = upcomingCharges.find(
    ({ subscription_id, due_on }) =>
      (subscription_id === id || (!is_add_on && subscription_id === null)) &&
      (lastDay === null || due_on <= lastDay) &&
      (subscription_id !== null || due_on.slice(0, 7) >= starts_on.slice(0, 7)),
  )
  return charge ? pick(charge, 'name', 'due_on', 'amount', 'reason') : null
}
