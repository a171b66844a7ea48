import { toCents } from '@tatami/contract/lib/money'
import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import type { PriceInMonth } from '@tatami/contract/dues/prices'
import { sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { guardianships } from '../guardians/tables.ts'
import { feeIn, reducedPricesIn } from '../dues/prices/prices.ts'
import { pick } from '../lib/rows.ts'
import { planMonthOf, withBasePlans } from '../plans/plans.ts'
import { students } from './tables.ts'

async function findSiblingIds(tx: Tx, studentIds: string[]): Promise<string[]> {
  const ids = sql.param(studentIds)
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select distinct sibling.student_id from ${guardianships} own
    join ${guardianships} sibling on sibling.guardian_id = own.guardian_id
      and sibling.pays and sibling.ended_at is null and sibling.student_id <> all(${ids})
    where own.student_id = any(${ids}) and own.pays and own.ended_at is null`)
  return rows.map(({ student_id }) => student_id)
}

/** Calls `removeStudents`, and lets the siblings keep their old price until the month ends. */
export async function keepSiblingPrices<Result>(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
  removeStudents: () => Promise<Result>,
): Promise<Result> {
  const siblingIds = await findSiblingIds(tx, studentIds)
  if (siblingIds.length === 0) return removeStudents()
  const month = await currentMonthOf(tx, dojoId)
  const oldPrices = await findReducedPrices(tx, dojoId, month)
  const result = await removeStudents()
  const newPrices = await findReducedPrices(tx, dojoId, month)
  const changedIds = siblingIds.filter(
    (id) => oldPrices.get(id)?.amount !== newPrices.get(id)?.amount,
  )
  const fullPrices = await findFullPrices(tx, month, changedIds)
  const pricesToKeep = changedIds.map((id) => {
    const oldPrice = oldPrices.get(id)
    const regularFee = newPrices.get(id)?.list_fee
    const keptPrice = oldPrice?.amount ?? regularFee
    return {
      id,
      kept_price: keptPrice === undefined ? null : toCents(keptPrice),
      kept_price_of: fullPrices.get(id) ?? null,
      kept_price_reason: oldPrice?.reason ?? null,
    }
  })
  if (pricesToKeep.length > 0) await storePrices(tx, month, pricesToKeep)
  return result
}

async function findReducedPrices(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, PriceInMonth>> {
  const [prices = []] = await reducedPricesIn(tx, dojoId, [month])
  return new Map(prices.map((price) => [price.student_id, price]))
}

/** What a month costs these students without a discount, in cents. */
async function findFullPrices(tx: Tx, month: Month, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({
      ...pick(students, 'id', 'has_subscription', 'monthly_payment_amount'),
      ...pick(students, 'former_fee', 'former_fee_month'),
    })
    .from(students)
    .where(equalsAny(students.id, ids))
  return new Map(
    (await withBasePlans(tx, rows)).map((row) => [
      row.id,
      planMonthOf(row.base_plans, month)?.cents ?? toCents(feeIn(month, row) ?? 0),
    ]),
  )
}

type KeptPrice = {
  id: string
  kept_price: number | null
  kept_price_of: number | null
  kept_price_reason: string | null
}

const storePrices = (tx: Tx, month: Month, prices: readonly KeptPrice[]) =>
  tx.execute(sql`
    update ${students} s set kept_price = price.kept_price, kept_price_of = price.kept_price_of,
      kept_price_reason = price.kept_price_reason, kept_price_month = ${firstDayOf(month)}
    from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb)
      as price(id uuid, kept_price int, kept_price_of int, kept_price_reason text)
    where s.id = price.id`)
