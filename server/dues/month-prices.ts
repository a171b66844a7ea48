import { toCents } from '@tatami/contract/lib/money'
import { firstDayOf, type Month, monthKey } from '@tatami/contract/lib/calendar-day'
import { findSalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import type { Tx } from '../db/database.ts'
import type { DueMonth } from '../ledger/charges.ts'
import type { LockedStudent } from '../ledger/ledger.ts'
import { pluck } from '../lib/rows.ts'
import { readTaxSettings } from '../ledger/sales-taxes.ts'
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
type StudentWithPlans = PricedStudent & Pick<LockedStudent, 'base_plans'>
/** Also says what the month would cost without a reduction, before and after added sales tax. */
export type MonthPrice = Price & {
  untaxedCents: number
  listFee: number
  listFeeWithTax: number
}
export type PriceFinder = (student: PricedStudent, month: Month) => MonthPrice

const feeCents = ({ monthly_payment_amount: fee }: PricedStudent): number => toCents(fee ?? 0)

/**
 * The months' reduced prices, or else the fee, including a sales tax that is added to the price. Of
 * all students, or of those that the caller has read. `reducedPricesIn` explains `asOf`.
 */
export async function pricesIn(
  tx: Tx,
  dojoId: string,
  months: readonly Month[],
  asOf?: Month,
  students?: readonly StudentWithPlans[],
): Promise<PriceFinder> {
  const distinctMonths = [...new Map(months.map((month) => [monthKey(month), month])).values()]
  const reducedPrices = await reducedPricesIn(
    tx,
    dojoId,
    distinctMonths,
    asOf,
    students && { studentIds: pluck(students, 'id'), studentsWithPlans: students },
  )
  const prices = new Map<string, Price>()
  for (const [index, month] of distinctMonths.entries())
    for (const { student_id, amount, reason } of reducedPrices[index] ?? [])
      prices.set(`${student_id} ${monthKey(month)}`, { cents: toCents(amount), reason })
  const { taxes } = await readTaxSettings(tx)
  return (student, month) => {
    const price = prices.get(`${student.id} ${monthKey(month)}`)
    const listFee = feeCents(student)
    const tax = findSalesTax(taxes, 'month', firstDayOf(month))
    const untaxedCents = price?.cents ?? listFee
    return {
      untaxedCents,
      cents: withAddedTax(untaxedCents, tax),
      reason: price?.reason ?? null,
      listFee,
      listFeeWithTax: withAddedTax(listFee, tax),
    }
  }
}
