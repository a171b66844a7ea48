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

/** The charges of these months by `keyOfMonth`. Creates those that are missing; a charge without lines owes nothing. */
export async function ensureMonths(
  tx: Tx,
  months: StudentMonth[],
  existingCharges?: Map<string, Charge>,
): Promise<Map<string, Charge>> {
  const chargeByMonth = new Map(existingCharges ?? (await chargesOfMonths(tx, months)))
  const missingMonths = months.filter((month) => !chargeByMonth.has(keyOfMonth(month)))
  const dueDayOf = await dueDaysOf(tx, missingMonths)
  const newCharges = missingMonths.map((month) => ({
    id: newId(),
    kind: 'month' as const,
    note: null,
    charged_on: dueDayOf(month),
    ...month,
  }))
  await inChunks(newCharges, (chunk) => tx.insert(charges).values(chunk))
  for (const charge of newCharges) chargeByMonth.set(keyOfMonth(charge), { ...charge, lines: [] })
  return chargeByMonth
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
  const distinctMonths = [
    ...new Map(
      months.map(({ month, year }) => [firstDayOf({ month, year }), { month, year }]),
    ).values(),
  ]
  const reduced = await reducedPricesIn(tx, dojoId, distinctMonths, asOf)
  const prices = new Map(
    distinctMonths.flatMap((month, index) =>
      reduced[index]!.map(({ student_id, amount, reason }) => [
        `${student_id} ${firstDayOf(month)}`,
        { cents: toCents(amount), reason },
      ]),
    ),
  )
  return (student, month) =>
    prices.get(`${student.id} ${firstDayOf(month)}`) ?? {
      cents: feeCents(student),
      reason: null,
    }
}
