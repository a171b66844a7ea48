import { toCents } from '@tatami/contract/lib/money'
import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dueDaysOf } from './due-days.ts'
import { reducedPricesIn } from './prices/prices.ts'
import { type LockedStudent } from '../ledger/ledger.ts'
import { charges } from '../ledger/tables.ts'
import { type Charge, type StudentMonth, keyOfMonth, chargesOfMonths } from '../ledger/charges.ts'

/** The same, with a new charge for each month that has none among those `found`. A charge without lines asks for nothing. */
export async function ensureMonths(
  tx: Tx,
  months: StudentMonth[],
  found?: Map<string, Charge>,
): Promise<Map<string, Charge>> {
  const known = new Map(found ?? (await chargesOfMonths(tx, months)))
  const missingMonths = months.filter((month) => !known.has(keyOfMonth(month)))
  const dueDayOf = await dueDaysOf(tx, missingMonths)
  const missing = missingMonths.map((month) => ({
    id: newId(),
    kind: 'month' as const,
    note: null,
    charged_on: dueDayOf(month),
    ...month,
  }))
  await inChunks(missing, (some) => tx.insert(charges).values(some))
  for (const charge of missing) known.set(keyOfMonth(charge), { ...charge, lines: [] })
  return known
}

export type Price = { cents: number; reason: string | null }

/** A student's price in a month, as `priceOf` of these says it. */
type Prices = (student: Pick<LockedStudent, 'id' | 'monthly_payment_amount'>, month: Month) => Price

/** The fee that stands with the student; without one 0. */
export const feeCents = ({
  monthly_payment_amount: fee,
}: Pick<LockedStudent, 'monthly_payment_amount'>): number => toCents(fee ?? 0)

/**
 * What these months cost: the reduced price (for siblings, or before a raise counts), else the fee; 0
 * without one. `asOf` as in `reducedPricesIn`.
 */
export async function pricesIn(
  tx: Tx,
  dojoId: string,
  months: Month[],
  asOf?: Month,
): Promise<Prices> {
  const distinct = [
    ...new Map(
      months.map((one) => [firstDayOf(one), { month: one.month, year: one.year }]),
    ).values(),
  ]
  const reduced = await reducedPricesIn(tx, dojoId, distinct, asOf)
  const prices = new Map(
    distinct.flatMap((one, index) =>
      reduced[index]!.map(({ student_id, amount, reason }) => [
        `${student_id} ${firstDayOf(one)}`,
        { cents: toCents(amount), reason },
      ]),
    ),
  )
  return (student, one) =>
    prices.get(`${student.id} ${firstDayOf(one)}`) ?? {
      cents: feeCents(student),
      reason: null,
    }
}
