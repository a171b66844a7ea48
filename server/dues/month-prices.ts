import { toCents } from '@tatami/contract/lib/money'
import { type Month, monthKey } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import type { DueMonth } from '../ledger/charges.ts'
import type { LockedStudent } from '../ledger/ledger.ts'
import { reducedPricesIn } from './prices/prices.ts'
import { dueDay } from './who-pays.ts'

export const monthOfStudent = (student: LockedStudent, month: Month): DueMonth => ({
  student_id: student.id,
  year: month.year,
  month: month.month,
  charged_on: dueDay(student, month),
})

export type Price = { cents: number; reason: string | null }

type PricedStudent = Pick<LockedStudent, 'id' | 'monthly_payment_amount'>
export type PriceFinder = (student: PricedStudent, month: Month) => Price

export const feeCents = ({ monthly_payment_amount: fee }: PricedStudent): number =>
  toCents(fee ?? 0)

/** The months' reduced prices, or else the fee. `reducedPricesIn` explains `asOf`. */
export async function pricesIn(
  tx: Tx,
  dojoId: string,
  months: readonly Month[],
  asOf?: Month,
): Promise<PriceFinder> {
  const distinctMonths = [...new Map(months.map((month) => [monthKey(month), month])).values()]
  const reducedPrices = await reducedPricesIn(tx, dojoId, distinctMonths, asOf)
  const prices = new Map<string, Price>()
  for (const [index, month] of distinctMonths.entries())
    for (const { student_id, amount, reason } of reducedPrices[index] ?? [])
      prices.set(`${student_id} ${monthKey(month)}`, { cents: toCents(amount), reason })
  return (student, month) =>
    prices.get(`${student.id} ${monthKey(month)}`) ?? { cents: feeCents(student), reason: null }
}
