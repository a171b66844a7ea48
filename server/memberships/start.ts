import { addDays, addMonthsToDay, firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { NewSubscription } from '@tatami/contract/memberships/memberships'
import { agreedEnd } from '@tatami/contract/plans/ends'
import { type BillingAnchor, indexOfPeriod, daysOfPeriod } from '@tatami/contract/plans/period-days'
import { isForVisits } from '@tatami/contract/plans/plans'
import { refusalWithout } from '@tatami/contract/rights'
import { and, desc, eq, gt, gte, isNull, or } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { guardianships } from '../guardians/tables.ts'
import { requireCurrent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { refuseSelfOrOwnChildren } from '../ledger/own-family.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { requireAge } from '../plans/ages.ts'
import { readPlanRules, type StudentSubscription } from '../plans/plans.ts'
import { planVersions, plans, subscriptionPrices, subscriptions } from '../plans/tables.ts'
import { addHoldOfVacation } from '../plans/vacation-holds.ts'
import { students } from '../students/tables.ts'
import { changePlansOf, findSubscriptionsOf } from '../dues/plans/corrections.ts'
import { everStarts, type OwnPlans } from './replacements.ts'

export type StaffCaller = Pick<DojoCaller, 'id' | 'dojoId'> & Partial<Pick<DojoCaller, 'staff'>>
export type PlanOnSale = {
  plan: typeof plans.$inferSelect
  version: typeof planVersions.$inferSelect
}

const MAX_DAYS_AHEAD = 366

/** A plan that is not retired, with its newest version. 404 or 409 if there is none. */
export async function findPlanOnSale(tx: Tx, planId: string): Promise<PlanOnSale> {
  const [row] = await tx
    .select({ plan: plans, version: planVersions })
    .from(plans)
    .innerJoin(planVersions, eq(planVersions.plan_id, plans.id))
    .where(eq(plans.id, planId))
    .orderBy(desc(planVersions.n))
    .limit(1)
    // A change of the plan waits, so that it cannot change the terms that a student just got.
    .for('share', { of: plans })
  if (!row) throw notFound('Plan')
  if (row.plan.retired_at !== null) throw new Refusal(409, 'This plan is no longer sold')
  if (isForVisits(row.plan.kind))
    throw invalid('plan_id', 'This is a class pack. Sell it instead of starting it.')
  return row
}

export const hasRight = ({ staff }: StaffCaller, right: 'money.give_back'): boolean =>
  !staff || staff.rights.has(right)

/** Puts a student on a plan, from any day of the past or of the next year on. */
export async function startSubscription(
  tx: Tx,
  caller: StaffCaller,
  studentId: string,
  form: NewSubscription,
): Promise<{ subscriptionId: string; actId: string | null }> {
  const today = await todayOf(tx, caller.dojoId)
  const { starts_on } = form
  if (starts_on > addDays(today, MAX_DAYS_AHEAD))
    throw invalid('starts_on', 'A plan can start within a year at the latest')
  await refuseCheaper(tx, caller, studentId, form)
  const planCaller = { ...caller, isStaff: true }
  const offer = await findPlanOnSale(tx, form.plan_id)
  const charges_from = await findFirstChargedDay(tx, offer, form, today)
  const firstDay = charges_from ?? (starts_on > today ? starts_on : today)
  const start = async () => {
    const [student] = await tx.select().from(students).where(eq(students.id, studentId))
    if (!student) throw notFound('Student')
    requireCurrent(student)
    // The dialog that approves a student says for which age the chosen plan is.
    if (student.requested_plan_id !== offer.plan.id)
      requireAge(student.date_of_birth, offer.version, starts_on)
    return insertSubscription(tx, caller, studentId, offer, { ...form, charges_from })
  }
  const { result, actId } = await changePlansOf(tx, planCaller, studentId, firstDay, start, {
    chargesMissedMonths: charges_from !== null,
  })
  await auditAction(tx, caller, 'subscription started', { subject_id: studentId })
  return { subscriptionId: result, actId }
}

/** The first day of a plan that began in an earlier month whose period is charged. Null for others. */
async function findFirstChargedDay(
  tx: Tx,
  { version }: PlanOnSale,
  form: NewSubscription,
  today: string,
): Promise<string | null> {
  const { starts_on } = form
  const thisMonth = firstDayOf(monthOfDate(today))
  if (starts_on >= thisMonth) return null
  if (form.charges === 'start') return starts_on
  const rules = await readPlanRules(tx)
  const terms = {
    starts_on,
    cycle: { unit: version.cycle_unit, count: version.cycle_count },
    billing_day: form.billing_day ?? rules.billing_day,
    first_period: form.first_period ?? rules.first_period,
  }
  const currentPeriod = daysOfPeriod(terms, indexOfPeriod(terms, today), null).range
  return currentPeriod.from < thisMonth ? currentPeriod.from : thisMonth
}

/** 403 for another price or no sign-up fee without the right, or for one's own family. */
async function refuseCheaper(
  tx: Tx,
  caller: StaffCaller,
  studentId: string,
  { price_override, waives_sign_up }: NewSubscription,
): Promise<void> {
  if (typeof price_override !== 'number' && !waives_sign_up) return
  if (!hasRight(caller, 'money.give_back'))
    throw new Refusal(403, refusalWithout('money.give_back'))
  await refuseSelfOrOwnChildren(tx, caller.id, [studentId])
}

/** What a change of plans takes over from the plan before. */
type Start = NewSubscription & {
  replaces?: string
  bound_until?: string | null
  anchor?: BillingAnchor | null
  charges_from?: string | null
}

export async function insertSubscription(
  tx: Tx,
  caller: Pick<DojoCaller, 'id'>,
  studentId: string,
  { plan, version }: PlanOnSale,
  form: Start,
): Promise<string> {
  const id = newId()
  const { starts_on, replaces = null } = form
  const rules = await readPlanRules(tx)
  const cycle = { unit: version.cycle_unit, count: version.cycle_count }
  const { kind } = plan
  const anchor = form.anchor ?? null
  const billing_date = anchor?.date ?? null
  const ends_on =
    kind === 'term' ? agreedEnd({ ...version, kind, starts_on, cycle, billing_date }) : null
  const ownSubscriptions = await findSubscriptionsOf(tx, studentId)
  refuseOverlap(ownSubscriptions, plan, { starts_on, ends_on })
  const isWaived =
    Boolean(form.waives_sign_up) ||
    replaces !== null ||
    (await hasPaidSignUp(tx, studentId, starts_on, ownSubscriptions))
  await tx.insert(subscriptions).values({
    ...{ id, student_id: studentId, plan_id: plan.id, version_id: version.id, starts_on, ends_on },
    ...{ is_add_on: plan.is_add_on, sign_up_waived: isWaived, replaces, created_by: caller.id },
    ...{ bound_until: form.bound_until ?? null, billing_date },
    charges_from: form.charges_from ?? null,
    billing_month: anchor && firstDayOf(anchor.month),
    billing_day: form.billing_day ?? rules.billing_day,
    first_period: form.first_period ?? rules.first_period,
  })
  await tx.update(students).set({ has_subscription: true }).where(eq(students.id, studentId))
  await addHoldOfVacation(tx, studentId, starts_on)
  const { price_override: price, override_reason: reason = null } = form
  if (typeof price === 'number')
    await tx.insert(subscriptionPrices).values({
      ...{ student_id: studentId, subscription_id: id, starts_on, price, reason },
      created_by: caller.id,
    })
  return id
}

type PlanKey = Pick<typeof plans.$inferSelect, 'id' | 'is_add_on'>
type PlanDays = { starts_on: string; ends_on: string | null }

/** A student has at most one plan that is no add-on on a day, and no plan twice. */
export const findOverlap = (
  ownSubscriptions: readonly StudentSubscription[],
  plan: PlanKey,
  { starts_on, ends_on }: PlanDays,
): StudentSubscription | undefined =>
  ownSubscriptions.find(
    (ownPlan) =>
      (ownPlan.plan_id === plan.id || !(ownPlan.is_add_on || plan.is_add_on)) &&
      everStarts(ownPlan) &&
      (ownPlan.lastDay === null || ownPlan.lastDay >= starts_on) &&
      (ends_on === null || ownPlan.starts_on <= ends_on),
  )

function refuseOverlap(ownPlans: OwnPlans, plan: PlanKey, days: PlanDays): void {
  const overlap = findOverlap(ownPlans, plan, days)
  if (overlap)
    throw new Refusal(
      409,
      `The student already has the plan ${overlap.plan_name} then. Change or end it instead.`,
    )
}

/** Whether a sign-up fee is not due again: soon after another plan, or for a brother or sister. */
async function hasPaidSignUp(
  tx: Tx,
  studentId: string,
  startsOn: string,
  ownSubscriptions: readonly StudentSubscription[],
): Promise<boolean> {
  const { sign_up_again_after_months, sign_up_once_per_family } = await readPlanRules(tx)
  const isRecent = ownSubscriptions.some(
    ({ lastDay, starts_on, ends_on }) =>
      (ends_on === null || ends_on >= starts_on) &&
      (lastDay === null || addMonthsToDay(lastDay, sign_up_again_after_months) >= startsOn),
  )
  return isRecent || (sign_up_once_per_family && (await hasFamilyPaidSignUp(tx, studentId)))
}

/** A plan that starts later counts, too: its fee is due on its first day. */
async function hasFamilyPaidSignUp(tx: Tx, studentId: string): Promise<boolean> {
  const isPayer = and(eq(guardianships.pays, true), isNull(guardianships.ended_at))
  const payers = await tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(eq(guardianships.student_id, studentId), isPayer))
  if (payers.length === 0) return false
  const family = await tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(and(equalsAny(guardianships.guardian_id, pluck(payers, 'id')), isPayer))
  const [plan] = await tx
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.version_id))
    .where(
      and(
        equalsAny(subscriptions.student_id, pluck(family, 'id')),
        eq(subscriptions.sign_up_waived, false),
        gt(planVersions.sign_up_fee, 0),
        or(isNull(subscriptions.ends_on), gte(subscriptions.ends_on, subscriptions.starts_on)),
      ),
    )
    .limit(1)
  return plan !== undefined
}
