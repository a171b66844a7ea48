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

/** Finds students who have the same payer as one of these students. */
async function findSiblingIds(tx: Tx, studentIds: string[]): Promise<string[]> {
  const ids = sql.param(studentIds)
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select distinct sibling_link.student_id from ${guardianships} link
    join ${guardianships} sibling_link on sibling_link.guardian_id = link.guardian_id
      and sibling_link.pays and sibling_link.ended_at is null
      and sibling_link.student_id <> all(${ids})
    where link.student_id = any(${ids}) and link.pays and link.ended_at is null`)
  return rows.map(({ student_id }) => student_id)
}

/** Calls `removeStudents`, and lets siblings of the removed students keep their old price until the
 *  month ends. */
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
  const keptPrices = changedIds.map((id) => {
    const oldPrice = oldPrices.get(id)
    const listFee = newPrices.get(id)?.list_fee
    const keptPrice = oldPrice?.amount ?? listFee
    return {
      id,
      kept_price: keptPrice === undefined ? null : toCents(keptPrice),
      kept_price_of: fullPrices.get(id) ?? null,
      kept_price_reason: oldPrice?.reason ?? null,
    }
  })
  if (keptPrices.length > 0) await storeKeptPrices(tx, month, keptPrices)
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

/** Student id → what the month costs without a discount, in cents. */
async function findFullPrices(tx: Tx, month: Month, ids: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({
      ...pick(students, 'id', 'has_subscription', 'monthly_payment_amount'),
      ...pick(students, 'former_fee', 'former_fee_month'),
    })
    .from(students)
    .where(equalsAny(students.id, ids))
  const fullPrices = new Map<string, number>()
  for (const row of await withBasePlans(tx, rows)) {
    const planCents = planMonthOf(row.base_plans, month)?.cents
    fullPrices.set(row.id, planCents ?? toCents(feeIn(month, row) ?? 0))
  }
  return fullPrices
}

type KeptPrice = {
  id: string
  kept_price: number | null
  kept_price_of: number | null
  kept_price_reason: string | null
}

const storeKeptPrices = (tx: Tx, month: Month, prices: readonly KeptPrice[]) =>
  tx.execute(sql`
    update ${students} s set kept_price = price.kept_price, kept_price_of = price.kept_price_of,
      kept_price_reason = price.kept_price_reason, kept_price_month = ${firstDayOf(month)}
    from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb)
      as price(id uuid, kept_price int, kept_price_of int, kept_price_reason text)
    where s.id = price.id`)
