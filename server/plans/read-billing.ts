import { addDays, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { agreedEnd, lastBoundDay } from '@tatami/contract/plans/ends'
import type { BillingAnchor } from '@tatami/contract/plans/period-days'
import type { BilledHold, BilledSubscription } from '@tatami/contract/plans/periods'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/database.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'
import {
  holds,
  planVersions,
  plans,
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
  | 'version_id'
  | 'starts_on'
  | 'ends_on'
  | 'billing_day'
  | 'first_period'
  | 'cancel_asked_on'
  | 'cancelled_at'
  | 'billing_month'
  | 'billing_date'
  | 'charges_from'
  | 'bound_until'
  | 'told_renewals'
>
/** The terms of a version that decide what it costs. */
type PriceTerms = Pick<
  typeof planVersions.$inferSelect,
  'id' | 'n' | 'cycle_unit' | 'cycle_count' | 'minimum_months' | 'renews_for_months'
> &
  Pick<typeof plans.$inferSelect, 'kind'> & { plan_name: string; cents: number }

export type Billing = { plan_name: string; billing: BilledSubscription }

type OwnPrice = { subscription_id: string; starts_on: string; cents: number | null }
type AnnouncedPrice = { plan_id: string; effective_on: string; n: number; cents: number }
type Hold = BilledHold & { student_id: string; subscription_id: string | null }
type PricesAndHolds = {
  versions: PriceTerms[]
  own_prices: OwnPrice[]
  announced_prices: AnnouncedPrice[]
  holds: Hold[]
}

/** PostgreSQL needs longer to plan a query with many ids than to read the rows of all students. */
const MAX_IDS = 50

/** Selects the rows of the students, or of everybody if there are many ids. */
export const matchesStudents = (column: PgColumn, studentIds: readonly string[]): SQL =>
  studentIds.length > MAX_IDS ? sql`true` : sql`${column} = any(${sql.param(studentIds)}::uuid[])`

/** One query for all, because lists of students need them, and most are empty. */
const findPricesAndHolds = (studentIds: string[], planIds: string[], versionIds: string[]) => sql`
  select
    (select json_agg(json_build_object('id', v.id, 'n', v.n, 'cents', v.price,
        'cycle_unit', v.cycle_unit, 'cycle_count', v.cycle_count,
        'minimum_months', v.minimum_months, 'renews_for_months', v.renews_for_months, 'kind', p.kind, 'plan_name', p.name))
      from ${planVersions} v join ${plans} p on p.dojo_id = v.dojo_id and p.id = v.plan_id
      where v.id = any(${sql.param(versionIds)}::uuid[])
    ) as versions,
    (select coalesce(json_agg(json_build_object('subscription_id', subscription_id,
        'starts_on', starts_on, 'cents', price) order by starts_on), '[]')
      from ${subscriptionPrices} where ${matchesStudents(subscriptionPrices.student_id, studentIds)}
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
      from ${holds} where ${matchesStudents(holds.student_id, studentIds)}
    ) as holds`

/** Returns a function that says how a subscription is billed. */
export async function readBilling(
  tx: Tx,
  rows: readonly BilledRow[],
): Promise<(row: BilledRow) => Billing> {
  const idsOf = (column: 'student_id' | 'plan_id' | 'version_id') => [
    ...new Set(pluck(rows, column)),
  ]
  const query = findPricesAndHolds(idsOf('student_id'), idsOf('plan_id'), idsOf('version_id'))
  const {
    versions,
    own_prices,
    announced_prices,
    holds: allHolds,
  } = firstRow((await tx.execute<PricesAndHolds>(query)).rows)
  const termsById = new Map(versions.map((version) => [version.id, version]))
  const ownPrices = Map.groupBy(own_prices, ({ subscription_id }) => subscription_id)
  const announcedPrices = Map.groupBy(announced_prices, ({ plan_id }) => plan_id)
  const holdsByStudent = Map.groupBy(allHolds, ({ student_id }) => student_id)
  return (row) => {
    const terms = getOrThrow(termsById, row.version_id)
    const ownHolds = holdsOf(row, holdsByStudent.get(row.student_id) ?? [])
    const newPrices = (announcedPrices.get(row.plan_id) ?? [])
      .filter(({ n, effective_on }) => n > terms.n && effective_on > row.starts_on)
      .map((price) => ({
        from: firstDayOfPrice(row, terms, ownHolds, price),
        cents: price.cents,
      }))
    const prices = pricesByDay(row, terms, ownPrices.get(row.id) ?? [], newPrices)
    return {
      plan_name: terms.plan_name,
      billing: toBilledSubscription(row, terms, prices, ownHolds),
    }
  }
}

const toBilledSubscription = (
  row: BilledRow,
  terms: PriceTerms,
  prices: BilledSubscription['prices'],
  ownHolds: readonly BilledHold[],
): BilledSubscription => ({
  starts_on: row.starts_on,
  ends_on: row.ends_on,
  billing_day: row.billing_day,
  first_period: row.first_period,
  charges_from: row.charges_from,
  end_is_final: row.cancelled_at !== null,
  ends_with_term: row.cancelled_at === null && row.ends_on !== null,
  agreed_end: agreedEndOf(row, terms),
  anchor: readAnchor(row),
  cycle: { unit: terms.cycle_unit, count: terms.cycle_count },
  prices,
  holds: ownHolds,
})

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

/** A plan that replaces another one can keep its billing periods. */
export const readAnchor = ({
  billing_month,
  billing_date,
}: Pick<BilledRow, 'billing_month' | 'billing_date'>): BillingAnchor | null =>
  billing_month === null || billing_date === null
    ? null
    : { month: monthOfDate(billing_month), date: billing_date }

const holdsOf = ({ id }: BilledRow, studentHolds: readonly Hold[]): readonly BilledHold[] =>
  studentHolds.filter(({ subscription_id }) => subscription_id === null || subscription_id === id)

type DatedPrice = { from: string; cents: number }

/** A member who is bound to a term keeps its price to the end. A lower price comes as announced. */
function firstDayOfPrice(
  { starts_on, bound_until, told_renewals, billing_date }: BilledRow,
  terms: PriceTerms,
  ownHolds: readonly BilledHold[],
  { effective_on, cents }: Pick<AnnouncedPrice, 'effective_on' | 'cents'>,
): string {
  const { kind, minimum_months, renews_for_months, cycle_unit, cycle_count } = terms
  if (cents <= terms.cents || kind === 'pack' || kind === 'drop_in') return effective_on
  const cycle = { unit: cycle_unit, count: cycle_count }
  const boundThrough = lastBoundDay(
    {
      ...{ kind, starts_on, cycle, minimum_months, renews_for_months, told_renewals },
      ...{ holds: ownHolds, bound_until, billing_date },
    },
    effective_on,
  )
  return boundThrough === null ? effective_on : addDays(boundThrough, 1)
}

/** A student's own price applies until it is taken back. A new price of the plan reaches everybody
 *  who had not asked to end it before that day. */
function pricesByDay(
  { starts_on, cancel_asked_on }: BilledRow,
  { cents }: PriceTerms,
  ownPrices: readonly OwnPrice[],
  newPrices: readonly DatedPrice[],
): DatedPrice[] {
  const firstPrice = { from: starts_on, cents }
  if (ownPrices.length === 0 && newPrices.length === 0) return [firstPrice]
  const planPrices = [
    firstPrice,
    ...newPrices
      .filter(({ from: firstDay }) => cancel_asked_on === null || firstDay <= cancel_asked_on)
      .toSorted((a, b) => (a.from < b.from ? -1 : 1)),
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
