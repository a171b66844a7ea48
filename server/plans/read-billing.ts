import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import { agreedEnd } from '@tatami/contract/plans/ends'
import type { BillingAnchor } from '@tatami/contract/plans/period-days'
import type { BilledHold, BilledSubscription } from '@tatami/contract/plans/periods'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import {
  holds,
  planVersions,
  type plans,
  priceAnnouncements,
  subscriptionPrices,
  type subscriptions,
} from './tables.ts'

/** What decides the price of a subscription, besides the prices and holds that are read here. */
export type BilledRow = Pick<
  typeof subscriptions.$inferSelect,
  | 'id'
  | 'student_id'
  | 'plan_id'
  | 'starts_on'
  | 'ends_on'
  | 'billing_day'
  | 'first_period'
  | 'cancel_asked_on'
  | 'cancelled_at'
  | 'billing_month'
  | 'billing_date'
  | 'charges_from'
>
export type PriceTerms = Pick<
  typeof planVersions.$inferSelect,
  'n' | 'price' | 'cycle_unit' | 'cycle_count' | 'minimum_months'
> &
  Pick<typeof plans.$inferSelect, 'kind'>

type OwnPrice = { subscription_id: string; starts_on: string; cents: number | null }
type AnnouncedPrice = { plan_id: string; effective_on: string; n: number; cents: number }
type Hold = BilledHold & { student_id: string; subscription_id: string | null }
type PricesAndHolds = {
  own_prices: OwnPrice[]
  announced_prices: AnnouncedPrice[]
  holds: Hold[]
}

/** One query for all three, because lists of students need them, and most are empty. */
const findPricesAndHolds = (studentIds: string[], planIds: string[]) => sql`
  select
    (select coalesce(json_agg(json_build_object('subscription_id', subscription_id,
        'starts_on', starts_on, 'cents', price) order by starts_on), '[]')
      from ${subscriptionPrices} where student_id = any(${sql.param(studentIds)}::uuid[])
    ) as own_prices,
    (select coalesce(json_agg(json_build_object('plan_id', a.plan_id,
        'effective_on', a.effective_on, 'n', v.n, 'cents', v.price)
        order by a.effective_on, a.created_at), '[]')
      from ${priceAnnouncements} a
      join ${planVersions} v on v.dojo_id = a.dojo_id and v.id = a.version_id
      where a.plan_id = any(${sql.param(planIds)}::uuid[])
    ) as announced_prices,
    (select coalesce(json_agg(json_build_object('student_id', student_id,
        'subscription_id', subscription_id, 'from', starts_on, 'until', ends_on,
        'billing', billing, 'fee_cents', fee, 'moves_end', moves_end) order by starts_on, id), '[]')
      from ${holds} where student_id = any(${sql.param(studentIds)}::uuid[])
    ) as holds`

/** Returns a function that says how a subscription is billed. */
export async function readBilling(
  tx: Tx,
  rows: readonly BilledRow[],
): Promise<(row: BilledRow, terms: PriceTerms) => BilledSubscription> {
  const studentIds = [...new Set(pluck(rows, 'student_id'))]
  const planIds = [...new Set(pluck(rows, 'plan_id'))]
  const result = await tx.execute<PricesAndHolds>(findPricesAndHolds(studentIds, planIds))
  const { own_prices, announced_prices, holds: allHolds } = firstRow(result.rows)
  const ownPrices = Map.groupBy(own_prices, ({ subscription_id }) => subscription_id)
  const announcedPrices = Map.groupBy(announced_prices, ({ plan_id }) => plan_id)
  const holdsByStudent = Map.groupBy(allHolds, ({ student_id }) => student_id)
  return (row, terms) => ({
    ...pick(row, 'starts_on', 'ends_on', 'billing_day', 'first_period', 'charges_from'),
    end_is_final: row.cancelled_at !== null,
    ends_with_term: row.cancelled_at === null && row.ends_on !== null,
    agreed_end: agreedEndOf(row, terms),
    anchor: readAnchor(row),
    cycle: { unit: terms.cycle_unit, count: terms.cycle_count },
    prices: pricesByDay(
      row,
      terms,
      ownPrices.get(row.id) ?? [],
      announcedPrices.get(row.plan_id) ?? [],
    ),
    holds: holdsOf(row, holdsByStudent.get(row.student_id) ?? []),
  })
}

/** The last day of a term that somebody asked to end, as it was agreed before. A change of plans
 *  asks for no end. */
function agreedEndOf(
  { starts_on, cancel_asked_on, billing_date }: BilledRow,
  { kind, minimum_months, cycle_unit, cycle_count }: PriceTerms,
): string | null {
  if (cancel_asked_on === null || kind !== 'term') return null
  const cycle = { unit: cycle_unit, count: cycle_count }
  return agreedEnd({ kind, starts_on, cycle, minimum_months, billing_date })
}

/** The billing periods of a plan before a change go on. */
export const readAnchor = ({
  billing_month,
  billing_date,
}: Pick<BilledRow, 'billing_month' | 'billing_date'>): BillingAnchor | null =>
  billing_month === null || billing_date === null
    ? null
    : { month: monthOfDate(billing_month), date: billing_date }

const holdsOf = ({ id }: BilledRow, studentHolds: readonly Hold[]): readonly BilledHold[] =>
  studentHolds
    .filter(({ subscription_id }) => subscription_id === null || subscription_id === id)
    .map((hold) => pick(hold, 'from', 'until', 'billing', 'fee_cents', 'moves_end'))

/** A student's own price applies until it is taken back. A new price of the plan reaches everybody
 *  who had not asked to end it before that day. */
function pricesByDay(
  { starts_on, cancel_asked_on }: BilledRow,
  { n, price }: PriceTerms,
  ownPrices: readonly OwnPrice[],
  announcedPrices: readonly AnnouncedPrice[],
): { from: string; cents: number }[] {
  const firstPrice = { from: starts_on, cents: toCents(price) }
  if (ownPrices.length === 0 && announcedPrices.length === 0) return [firstPrice]
  const planPrices = [
    firstPrice,
    ...announcedPrices
      .filter(
        (announcement) =>
          announcement.n > n &&
          announcement.effective_on > starts_on &&
          (cancel_asked_on === null || announcement.effective_on <= cancel_asked_on),
      )
      .map(({ effective_on, cents }) => ({ from: effective_on, cents })),
  ]
  const days = new Set([
    ...pluck(planPrices, 'from'),
    ...ownPrices.map((ownPrice) => ownPrice.starts_on),
  ])
  return [...days].toSorted().map((day) => {
    const ownCents = ownPrices.findLast((row) => row.starts_on <= day)?.cents ?? null
    const planCents = planPrices.findLast(({ from }) => from <= day)?.cents ?? firstPrice.cents
    return { from: day, cents: ownCents ?? planCents }
  })
}
