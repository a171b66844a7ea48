import { toCents } from '@tatami/contract/lib/money'
import { type Month, monthKey } from '@tatami/contract/lib/calendar-day'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import {
  type Charge,
  findMonthCharges,
  type StudentMonth,
  studentMonthKey,
} from '../ledger/charges.ts'
import type { LockedStudent } from '../ledger/ledger.ts'
import { charges } from '../ledger/tables.ts'
import { reducedPricesIn } from './prices/prices.ts'
import { dueDay } from './who-pays.ts'

/**
 * Returns the month charges of locked students by `studentMonthKey`, creating the missing ones.
 * A charge without lines owes nothing.
 */
export async function findOrCreateMonthCharges(
  tx: Tx,
  students: readonly LockedStudent[],
  months: readonly StudentMonth[],
): Promise<Map<string, Charge>> {
  const chargeByMonth = await findMonthCharges(tx, months)
  const studentById = new Map(students.map((student) => [student.id, student]))
  const newCharges = months.flatMap((month) => {
    const student = studentById.get(month.student_id)
    if (!student || chargeByMonth.has(studentMonthKey(month))) return []
    const charged_on = dueDay(student, month)
    return [{ id: newId(), kind: 'month' as const, note: null, charged_on, ...month }]
  })
  await inChunks(newCharges, (chunk) => tx.insert(charges).values(chunk))
  for (const charge of newCharges)
    chargeByMonth.set(studentMonthKey(charge), { ...charge, lines: [] })
  return chargeByMonth
}

export type Price = { cents: number; reason: string | null }

type PricedStudent = Pick<LockedStudent, 'id' | 'monthly_payment_amount'>
export type PriceFinder = (student: PricedStudent, month: Month) => Price

export const feeCents = ({ monthly_payment_amount: fee }: PricedStudent): number =>
  toCents(fee ?? 0)

/** What these months cost: the reduced price, else the fee. `asOf` as in `reducedPricesIn`. */
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
