import type { PlanKind } from '@tatami/contract/plans/plans'
import { movedEnd } from '@tatami/contract/plans/billed-holds'
import type { BilledHold, BilledSubscription } from '@tatami/contract/plans/periods'
import { toCents } from '@tatami/contract/lib/money'
import { asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { getOrThrow, pick, pluck } from '../lib/rows.ts'
import { enrolledOn, students } from '../students/tables.ts'
import {
  holds,
  planVersions,
  plans,
  priceAnnouncements,
  subscriptionPrices,
  subscriptions,
} from './tables.ts'

type SubscriptionRow = typeof subscriptions.$inferSelect
export type PlanTerms = typeof planVersions.$inferSelect

export type StudentSubscription = SubscriptionRow & {
  plan_name: string
  kind: PlanKind
  terms: PlanTerms
  billing: BilledSubscription
  /** The last day, after holds have moved it. */
  lastDay: string | null
  /** The monthly fee that the student pays for the days of the first month before the plan. */
  feeBeforeCents: number
  /** The monthly fee as it is stored, in dollars. */
  storedFee: number | null
}

const studentColumns = {
  ...pick(students, 'is_trial', 'awaits_approval', 'monthly_payment_amount'),
  enrolled_on: sql<string>`${enrolledOn}::text`,
}

/** With the prices and holds that decide what each costs. The first to start comes first. */
export async function findSubscriptions(tx: Tx, condition: SQL): Promise<StudentSubscription[]> {
  const rows = await tx
    .select({ subscription: getTableColumns(subscriptions), student: studentColumns })
    .from(subscriptions)
    .innerJoin(students, eq(students.id, subscriptions.student_id))
    .where(condition)
    .orderBy(asc(subscriptions.starts_on), asc(subscriptions.id))
  if (rows.length === 0) return []
  const versions = await findVersions(tx, pluck(pluck(rows, 'subscription'), 'version_id'))
  const ownPrices = await findOwnPrices(
    tx,
    rows.map(({ subscription }) => subscription.id),
  )
  const announcedPrices = await findAnnouncedPrices(
    tx,
    pluck(pluck(rows, 'subscription'), 'plan_id'),
  )
  const holdsOf = await findHolds(tx, pluck(pluck(rows, 'subscription'), 'student_id'))
  return rows.map(({ subscription, student }) => {
    const { terms, plan } = getOrThrow(versions, subscription.version_id)
    const billing = billedSubscription(subscription, terms, {
      ownPrices: ownPrices.get(subscription.id) ?? [],
      announcedPrices: announcedPrices.get(subscription.plan_id) ?? [],
      holds: holdsOf(subscription),
    })
    return {
      ...subscription,
      ...{ plan_name: plan.name, kind: plan.kind, terms, billing },
      lastDay: movedEnd(billing),
      storedFee: student.monthly_payment_amount,
      feeBeforeCents: toCents(subscription.fee_before ?? feeBefore(subscription, student)),
    }
  })
}

/** Apart from the subscriptions, because many have the same version. */
async function findVersions(tx: Tx, ids: string[]) {
  const rows = await tx
    .select({ terms: getTableColumns(planVersions), plan: pick(plans, 'name', 'kind') })
    .from(planVersions)
    .innerJoin(plans, eq(plans.id, planVersions.plan_id))
    .where(equalsAny(planVersions.id, [...new Set(ids)]))
  return new Map(rows.map((row) => [row.terms.id, row]))
}

type PaidBefore = Pick<
  typeof students.$inferSelect,
  'is_trial' | 'awaits_approval' | 'monthly_payment_amount'
> & { enrolled_on: string }

/** What a student pays without a plan until one begins. */
export const feeBefore = (
  { starts_on, is_add_on }: Pick<SubscriptionRow, 'starts_on' | 'is_add_on'>,
  { is_trial, awaits_approval, enrolled_on, monthly_payment_amount }: PaidBefore,
): number => {
  const paysFee = !is_add_on && !is_trial && !awaits_approval && enrolled_on < starts_on
  return paysFee ? (monthly_payment_amount ?? 0) : 0
}

type OwnPrice = Pick<typeof subscriptionPrices.$inferSelect, 'starts_on' | 'price'>

async function findOwnPrices(tx: Tx, subscriptionIds: string[]): Promise<Map<string, OwnPrice[]>> {
  const rows = await tx
    .select(pick(subscriptionPrices, 'subscription_id', 'starts_on', 'price'))
    .from(subscriptionPrices)
    .where(equalsAny(subscriptionPrices.subscription_id, subscriptionIds))
    .orderBy(asc(subscriptionPrices.starts_on))
  return Map.groupBy(rows, ({ subscription_id }) => subscription_id)
}

type AnnouncedPrice = { effective_on: string; n: number; price: number }

async function findAnnouncedPrices(
  tx: Tx,
  planIds: string[],
): Promise<Map<string, AnnouncedPrice[]>> {
  const rows = await tx
    .select({
      ...pick(priceAnnouncements, 'plan_id', 'effective_on'),
      ...pick(planVersions, 'n', 'price'),
    })
    .from(priceAnnouncements)
    .innerJoin(planVersions, eq(planVersions.id, priceAnnouncements.version_id))
    .where(equalsAny(priceAnnouncements.plan_id, planIds))
    .orderBy(asc(priceAnnouncements.effective_on), asc(priceAnnouncements.created_at))
  return Map.groupBy(rows, ({ plan_id }) => plan_id)
}

async function findHolds(
  tx: Tx,
  studentIds: string[],
): Promise<(subscription: SubscriptionRow) => BilledHold[]> {
  const rows = await tx
    .select()
    .from(holds)
    .where(equalsAny(holds.student_id, studentIds))
    .orderBy(asc(holds.starts_on), asc(holds.id))
  return ({ id, student_id, cancelled_at }) =>
    rows
      .filter(
        (hold) =>
          hold.student_id === student_id &&
          (hold.subscription_id === null || hold.subscription_id === id),
      )
      .map(({ starts_on, ends_on, billing, fee, moves_end }) => ({
        ...{ from: starts_on, until: ends_on, billing, fee_cents: toCents(fee) },
        // An end that was asked for is final.
        moves_end: moves_end && cancelled_at === null,
      }))
}

type PricesAndHolds = {
  ownPrices: readonly OwnPrice[]
  announcedPrices: readonly AnnouncedPrice[]
  holds: readonly BilledHold[]
}

const billedSubscription = (
  subscription: SubscriptionRow,
  terms: PlanTerms,
  { ownPrices, announcedPrices, holds: billedHolds }: PricesAndHolds,
): BilledSubscription => ({
  ...pick(subscription, 'starts_on', 'ends_on', 'billing_day', 'first_period'),
  cycle: { unit: terms.cycle_unit, count: terms.cycle_count },
  prices: pricesByDay(subscription, terms, ownPrices, announcedPrices),
  holds: billedHolds,
})

/** A student's own price applies until it is taken back. A new price of the plan reaches everybody
 *  who had not asked to end it before that day. */
function pricesByDay(
  { starts_on, cancel_asked_on }: SubscriptionRow,
  { n, price }: PlanTerms,
  ownPrices: readonly OwnPrice[],
  announcedPrices: readonly AnnouncedPrice[],
): { from: string; cents: number }[] {
  const planPrices = [
    { from: starts_on, price },
    ...announcedPrices
      .filter(
        (announcement) =>
          announcement.n > n &&
          announcement.effective_on > starts_on &&
          (cancel_asked_on === null || announcement.effective_on <= cancel_asked_on),
      )
      .map((announcement) => ({ from: announcement.effective_on, price: announcement.price })),
  ]
  const days = new Set([
    ...planPrices.map(({ from }) => from),
    ...ownPrices.map((ownPrice) => ownPrice.starts_on),
  ])
  return [...days].toSorted().map((day) => {
    const ownPrice = ownPrices.findLast((row) => row.starts_on <= day)?.price ?? null
    const planPrice = planPrices.findLast(({ from }) => from <= day)?.price ?? price
    return { from: day, cents: toCents(ownPrice ?? planPrice) }
  })
}
