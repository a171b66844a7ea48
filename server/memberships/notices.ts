/** Each morning, payers are told about renewals and holds that end. New prices are told at once,
 *  and in the morning if the server stopped before. Everything is told once. After some time
 *  without a server, only what is still to come is told. */

import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'
import { toDollars } from '@tatami/contract/lib/money'
import {
  HOLD_NOTICE_DAYS,
  nextAnniversary,
  nextHoldQuestion,
  nextRenewal,
  noticeDay,
} from '@tatami/contract/plans/ends'
import {
  anniversaryNotice,
  holdEndNotice,
  keptPriceNotice,
  openHoldQuestion,
  priceNotice,
  renewalNotice,
} from '@tatami/contract/plans/notices'
import { describePrice } from '@tatami/contract/plans/plan-words'
import type { PlanKind } from '@tatami/contract/plans/plans'
import { and, asc, eq, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Email } from '../lib/mail.ts'
import { pick } from '../lib/rows.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { findSubscriptions, readPlanRules, type StudentSubscription } from '../plans/plans.ts'
import { dojos } from '../dojos/tables.ts'
import { holds, priceAnnouncements, subscriptions } from '../plans/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { nextChargeOf } from './show.ts'
import { type StudentNotice, tellPlanReaders } from './tell.ts'
import { findUpcomingCharges } from './upcoming-charges.ts'

/** A shorter notice does not bind anybody to another term. */
const SHORTEST_RENEWAL_NOTICE_DAYS = 15

/** Whether somebody in a dojo may have to be told something. The limits make PostgreSQL look up
 *  each dojo instead of reading all plans and holds. */
export const hasPlanNotices = (today: string): SQL => sql`coalesce(
  (select true from ${subscriptions} where ${subscriptions.dojo_id} = ${dojos.id}
    and ${subscriptions.closed_on} is null limit 1),
  (select true from ${holds} where ${holds.dojo_id} = ${dojos.id}
    and (${holds.ends_on} is null or ${holds.ends_on} >= ${today}) limit 1), false)`

export async function sendPlanNotices(tx: Tx, dojoId: string, today: string): Promise<Email[]> {
  await askAboutOpenHolds(tx, dojoId, today)
  const runningPlans = await findRunningPlans(tx, today)
  const notices = [
    ...(await noticesOfHolds(tx, dojoId, runningPlans, today)),
    ...(await noticesOfRenewals(tx, runningPlans, today)),
    ...(await noticesOfPrices(tx, runningPlans, today)),
  ]
  return tellPlanReaders(tx, dojoId, notices)
}

type RunningPlan = StudentSubscription & { student_name: string }

/** Plans of current students that have not ended, and whose end nobody asked for. */
async function findRunningPlans(tx: Tx, today: string): Promise<RunningPlan[]> {
  const rows = await findSubscriptions(
    tx,
    sql`${and(isNull(subscriptions.cancelled_at), isNull(subscriptions.closed_on))}`,
  )
  const currentStudents = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(and(eq(students.has_subscription, true), isCurrentStudent))
  const names = new Map(currentStudents.map(({ id, name }) => [id, name]))
  return rows.flatMap((row) => {
    const student_name = names.get(row.student_id)
    const hasEnded = row.lastDay !== null && row.lastDay < today
    return student_name === undefined || hasEnded ? [] : [{ ...row, student_name }]
  })
}

async function askAboutOpenHolds(tx: Tx, dojoId: string, today: string): Promise<void> {
  const rows = await tx
    .select({ ...pick(holds, 'id', 'student_id', 'starts_on', 'told_on'), name: students.name })
    .from(holds)
    .innerJoin(students, eq(students.id, holds.student_id))
    .where(and(isNull(holds.ends_on), lte(holds.starts_on, today), isCurrentStudent))
    .orderBy(asc(holds.starts_on), asc(holds.id))
  for (const { id, student_id, starts_on, told_on, name } of rows) {
    if (nextHoldQuestion(starts_on, told_on) > today) continue
    const question = openHoldQuestion({ name, firstDay: starts_on }, today)
    await notifyStaff(tx, dojoId, 'students.edit', { ...question, student_id })
    await tx.update(holds).set({ told_on: today }).where(eq(holds.id, id))
  }
}

async function noticesOfHolds(
  tx: Tx,
  dojoId: string,
  runningPlans: readonly RunningPlan[],
  today: string,
): Promise<StudentNotice[]> {
  const endingHolds = await tx
    .update(holds)
    .set({ told_on: today })
    .where(
      and(
        isNull(holds.told_on),
        gte(holds.ends_on, today),
        lte(holds.ends_on, addDays(today, HOLD_NOTICE_DAYS)),
        lte(holds.starts_on, today),
      ),
    )
    .returning(pick(holds, 'student_id', 'subscription_id', 'ends_on'))
  const notices: StudentNotice[] = []
  for (const { student_id, subscription_id, ends_on } of endingHolds) {
    const heldPlan = runningPlans.find(
      (plan) =>
        plan.student_id === student_id && (subscription_id === null || plan.id === subscription_id),
    )
    if (!heldPlan || ends_on === null) continue
    const charges = await findUpcomingCharges(tx, dojoId, student_id, today)
    const payment = nextChargeOf(
      heldPlan,
      charges.filter(({ due_on }) => due_on >= today),
    )
    const ending = { name: heldPlan.student_name, lastDay: ends_on }
    notices.push({
      ...{ student_id, ...holdEndNotice({ ...ending, payment }, today) },
      messageWithoutSums: holdEndNotice({ ...ending, payment: null }, today).message,
    })
  }
  return notices
}

async function noticesOfRenewals(
  tx: Tx,
  runningPlans: readonly RunningPlan[],
  today: string,
): Promise<StudentNotice[]> {
  const { renewal_notice_days } = await readPlanRules(tx)
  const notices: StudentNotice[] = []
  for (const plan of runningPlans) {
    const day = nextRenewalOf(plan, today)
    const isDue = day !== null && noticeDay(day, renewal_notice_days) <= today && day > today
    if (!isDue || plan.told_renewals.includes(day)) continue
    const isTooLate = daysBetween(today, day) < SHORTEST_RENEWAL_NOTICE_DAYS
    if (plan.kind === 'renewing' && isTooLate) continue
    await tx
      .update(subscriptions)
      .set({ told_renewals: [...plan.told_renewals, day] })
      .where(eq(subscriptions.id, plan.id))
    notices.push(noticeOfRenewal(plan, day))
  }
  return notices
}

function nextRenewalOf(plan: StudentSubscription, today: string): string | null {
  const { kind, starts_on, terms, billing, told_renewals } = plan
  if (kind === 'open') return nextAnniversary(starts_on, addDays(today, 1))
  if (kind !== 'renewing') return null
  return nextRenewal(
    {
      ...{ kind, starts_on, told_renewals, cycle: billing.cycle, holds: billing.holds },
      ...pick(terms, 'minimum_months', 'renews_for_months', 'notice_days'),
    },
    today,
  )
}

function noticeOfRenewal(plan: RunningPlan, day: string): StudentNotice {
  const { student_id, student_name: name, plan_name, kind, terms, billing } = plan
  if (kind === 'renewing') {
    const months = terms.renews_for_months
    const notice = renewalNotice({ name, plan_name, renewsOn: day, months })
    return { student_id, ...notice, messageWithoutSums: notice.message }
  }
  const price = priceWords(kind, toDollars(centsOn(plan, day)), billing.cycle)
  return {
    ...{ student_id, ...anniversaryNotice({ name, plan_name, price }) },
    messageWithoutSums: null,
  }
}

const centsOn = ({ billing }: StudentSubscription, day: string): number =>
  (billing.prices.findLast(({ from }) => from <= day) ?? billing.prices[0])?.cents ?? 0

function priceWords(kind: PlanKind, price: number, cycle: StudentSubscription['billing']['cycle']) {
  if (kind === 'pack' || kind === 'drop_in') return describePrice({ kind: 'drop_in', price })
  return describePrice({ kind, price, cycle })
}

/** Tells members about a new price as soon as it is announced. If it replaces another price of
 *  which they were told, those who keep their price are told, too. */
export async function sendPriceNotices(
  tx: Tx,
  dojoId: string,
  replacesPrice: boolean,
): Promise<Email[]> {
  const today = await todayOf(tx, dojoId)
  const runningPlans = await findRunningPlans(tx, today)
  const notices = await noticesOfPrices(tx, runningPlans, today, { replacesPrice })
  return tellPlanReaders(tx, dojoId, notices)
}

/** Of several announcements for a plan, only the newest is told. */
async function noticesOfPrices(
  tx: Tx,
  runningPlans: readonly RunningPlan[],
  today: string,
  { replacesPrice = false } = {},
): Promise<StudentNotice[]> {
  const announcements = await tx
    .update(priceAnnouncements)
    .set({ told_on: today })
    .where(and(isNull(priceAnnouncements.told_on), gt(priceAnnouncements.effective_on, today)))
    .returning()
  const newestByPlan = new Map(
    announcements
      .toSorted((a, b) => (a.effective_on < b.effective_on ? -1 : 1))
      .map((announcement) => [announcement.plan_id, announcement]),
  )
  return runningPlans.flatMap((plan) => {
    const announcement = newestByPlan.get(plan.plan_id)
    if (!announcement) return []
    const { effective_on } = announcement
    const centsBefore = centsOn(plan, addDays(effective_on, -1))
    // A member who is bound to a term keeps its price to the end.
    const newPrice = plan.billing.prices.find(
      (price) => price.from >= effective_on && price.cents !== centsBefore,
    )
    const effectiveOn = newPrice?.from ?? effective_on
    const hasEnded = plan.lastDay !== null && plan.lastDay < effectiveOn
    const hasSamePrice = newPrice === undefined
    if (hasEnded || (hasSamePrice && !replacesPrice)) return []
    const words = (cents: number) => priceWords(plan.kind, toDollars(cents), plan.billing.cycle)
    const namedPlan = { name: plan.student_name, plan_name: plan.plan_name }
    const notice = hasSamePrice
      ? keptPriceNotice({ ...namedPlan, price: words(centsBefore) })
      : priceNotice({
          ...namedPlan,
          effectiveOn,
          priceBefore: words(centsBefore),
          priceAfter: words(newPrice.cents),
        })
    return [{ student_id: plan.student_id, ...notice, messageWithoutSums: null }]
  })
}
