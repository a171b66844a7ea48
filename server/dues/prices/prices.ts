import { firstDayOf, type Month, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import { newFeeReason } from '@tatami/contract/dues/price-words'
import {
  type PriceInMonth,
  type SiblingPriceRule,
  siblingPricesOf,
} from '@tatami/contract/dues/prices'
import { and, asc, eq, gte, isNull, or } from 'drizzle-orm'
import { auditAct } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { monthIn, todayIn } from '../../dojos/calendar.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { dojos } from '../../dojos/tables.ts'
import { guardianships } from '../../guardians/tables.ts'
import type { Member } from '../../http/serve.ts'
import { students } from '../../students/tables.ts'
import { siblingPrices } from './tables.ts'
import { isAwayAllOf } from '../who-pays.ts'

export async function siblingPriceRuleOf(tx: Tx): Promise<SiblingPriceRule> {
  const rows = await tx.select().from(siblingPrices).orderBy(asc(siblingPrices.nth))
  return {
    ordered_by: rows[0]?.ordered_by ?? 'highest_fee',
    prices: rows.map(({ nth, percent, amount_off }) => ({ nth, percent, amount_off })),
  }
}

/** Replaces the rule. Recorded months keep what they say. */
export async function setSiblingPriceRule(
  tx: Tx,
  caller: Member,
  { ordered_by, prices }: SiblingPriceRule,
): Promise<SiblingPriceRule> {
  // Of two that are saved at once the later replaces the earlier.
  await tx
    .select({ id: dojos.id })
    .from(dojos)
    .where(eq(dojos.id, caller.dojoId))
    .for('no key update')
  await tx.delete(siblingPrices)
  if (prices.length > 0)
    await tx.insert(siblingPrices).values(
      prices.map(({ nth, percent, amount_off }) => ({
        nth,
        percent: percent ?? null,
        amount_off: amount_off ?? null,
        ordered_by,
      })),
    )
  await auditAct(tx, caller, 'sibling prices set', {
    details: { places: prices.length, ordered_by },
  })
  return siblingPriceRuleOf(tx)
}

const orderOf = ({ month, year }: Month) => year * 12 + month

type FeeColumns = Pick<
  typeof students.$inferSelect,
  'monthly_payment_amount' | 'former_fee' | 'former_fee_month'
>

/** The fee of a month in dollars: one that was raised may count from a later month. */
export const feeIn = (
  month: Month,
  { monthly_payment_amount, former_fee, former_fee_month }: FeeColumns,
): number | null =>
  former_fee_month !== null && firstDayOf(month) <= former_fee_month
    ? former_fee
    : monthly_payment_amount

/** "new fee from December 2026" */
const raiseReason = (former_fee_month: string): string => {
  const firstDay = new Date(firstDayOf(nextMonth(monthOfDate(former_fee_month))))
  const month = firstDay.toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
  return newFeeReason(month)
}

/**
 * Who pays less than their fee in each of these months: because of siblings with the same payer, because the
 * fee was raised and counts later, or because the month keeps the price that it had before a sibling was deleted.
 * Of siblings those who enrolled later do not count, nor does
 * somebody who is on vacation for the whole month: a vacation that begins or ends within one changes the next, so that nobody is asked for
 * more than when the month began. In the months before the current one everybody counts: no past month becomes dearer. `asOf` is a month to count
 * as the current one: that which is just over is charged as it was.
 */
export async function reducedPricesIn(
  tx: Tx,
  dojoId: string,
  months: Month[],
  asOf?: Month,
): Promise<PriceInMonth[][]> {
  if (months.length === 0) return []
  const siblingPricesOfMonth = await siblingPricesIn(tx, dojoId, asOf)
  const exceptions = await findPriceExceptions(tx, months)
  return months.map((month) => {
    const kept = exceptions.filter((student) => student.kept_price_month === firstDayOf(month))
    const keptIds = new Set(kept.map(({ id }) => id))
    const ofSiblings = siblingPricesOfMonth(month).filter(
      ({ student_id }) => !keptIds.has(student_id),
    )
    const prices = [...ofSiblings, ...kept.flatMap((student) => keptPriceIn(month, student) ?? [])]
    const pricedIds = new Set(prices.map(({ student_id }) => student_id))
    const unpriced = exceptions.filter(({ id }) => !pricedIds.has(id))
    return [...prices, ...unpriced.flatMap((student) => formerFeeIn(month, student) ?? [])]
  })
}

type PriceException = FeeColumns &
  Pick<typeof students.$inferSelect, 'id' | 'kept_price' | 'kept_price_reason' | 'kept_price_month'>

/** The students whose fee was raised and does not count yet in one of these months, or whose price was kept in one. */
const findPriceExceptions = (tx: Tx, months: Month[]): Promise<PriceException[]> => {
  const firstDay = months.map(firstDayOf).toSorted()[0]!
  return tx
    .select({
      id: students.id,
      monthly_payment_amount: students.monthly_payment_amount,
      former_fee: students.former_fee,
      former_fee_month: students.former_fee_month,
      kept_price: students.kept_price,
      kept_price_reason: students.kept_price_reason,
      kept_price_month: students.kept_price_month,
    })
    .from(students)
    .where(or(gte(students.former_fee_month, firstDay), gte(students.kept_price_month, firstDay)))
}

/** The price that the month keeps, if that is less than the fee. */
function keptPriceIn(month: Month, student: PriceException): PriceInMonth | undefined {
  const { id, kept_price, kept_price_reason: reason } = student
  const fee = feeIn(month, student) ?? 0
  if (kept_price === null || reason === null || kept_price >= fee) return undefined
  return {
    student_id: id,
    list_fee: student.monthly_payment_amount ?? 0,
    amount: kept_price,
    reason,
  }
}

/** The fee before a raise that counts later. */
function formerFeeIn(month: Month, student: PriceException): PriceInMonth | undefined {
  const { id, former_fee_month } = student
  const fee = feeIn(month, student) ?? 0
  const list_fee = student.monthly_payment_amount ?? 0
  if (former_fee_month === null || fee >= list_fee) return undefined
  return { student_id: id, list_fee, amount: fee, reason: raiseReason(former_fee_month) }
}

async function siblingPricesIn(
  tx: Tx,
  dojoId: string,
  asOf: Month | undefined,
): Promise<(month: Month) => PriceInMonth[]> {
  const rule = await siblingPriceRuleOf(tx)
  if (rule.prices.length === 0) return () => []
  const { time_zone } = await dojoById(tx, dojoId)
  const current = orderOf(asOf ?? monthIn(time_zone))
  const families = Map.groupBy(await paidFor(tx), ({ payer_id }) => payer_id)
  return (month) =>
    [...families.values()].flatMap((family) => {
      const siblings = family
        .map((student) => ({
          id: student.id,
          fee: feeIn(month, student),
          is_trial: student.is_trial,
          is_exempt: student.is_exempt,
          enrolled_at: todayIn(time_zone, new Date(student.created_at)),
          on_vacation: orderOf(month) >= current && isAwayAllOf(month, student),
        }))
        .filter(({ enrolled_at }) => orderOf(monthOfDate(enrolled_at)) <= orderOf(month))
      if (siblings.length < 2) return []
      const listFees = new Map(
        family.map((student) => [student.id, student.monthly_payment_amount]),
      )
      return siblingPricesOf(siblings, rule).map((price) => ({
        ...price,
        list_fee: listFees.get(price.student_id) ?? price.list_fee,
      }))
    })
}

/** The students for whom a guardian pays. */
const paidFor = (tx: Tx) =>
  tx
    .select({
      payer_id: guardianships.guardian_id,
      id: students.id,
      monthly_payment_amount: students.monthly_payment_amount,
      former_fee: students.former_fee,
      former_fee_month: students.former_fee_month,
      created_at: students.created_at,
      is_trial: students.is_trial,
      on_vacation: students.on_vacation,
      vacation_from: students.vacation_from,
      vacation_until: students.vacation_until,
      is_exempt: students.sibling_exempt,
    })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(eq(guardianships.pays, true), isNull(guardianships.ended_at)))
