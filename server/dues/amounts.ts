import { toDollars } from '@tatami/contract/lib/money'
import { firstDayOf, type Month, monthKey, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { debtsOf, debtsWithPrices, NO_DEBT, unchargedPrices } from './balances.ts'
import { type Dues, monthDues } from './month-dues.ts'

/** In dollars. `dues` are those of the month, if the caller has read them. */
export async function amountsLeftToPay(
  tx: Tx,
  dojoId: string,
  month: Month,
  dues?: Dues,
): Promise<Map<string, number>> {
  const monthsDues = dues ?? (await monthDues(tx, dojoId, month))
  const today = await todayOf(tx, dojoId)
  const isCurrent = monthKey(month) === monthKey(monthOfDate(today))
  const debts = isCurrent
    ? await debtsWithPrices(tx, today, unchargedPrices(monthsDues))
    : await debtsOf(tx, dojoId)
  const isFuture = firstDayOf(month) > today
  const amounts = new Map<string, number>()
  for (const [id, due] of monthsDues) {
    if (due.owed <= 0) continue
    const debt = debts.get(id) ?? NO_DEBT
    const owedCharge = debt.charges.find(
      (charge) =>
        charge.kind === 'month' && charge.year === month.year && charge.month === month.month,
    )
    const cents = isFuture && !due.isCharged ? due.owed - debt.credit : (owedCharge?.owed ?? 0)
    if (cents > 0) amounts.set(id, toDollars(cents))
  }
  return amounts
}

/** The students whose month was already due before `day`. */
export async function lateStudents(
  tx: Tx,
  dojoId: string,
  month: Month,
  day: string,
): Promise<Set<string>> {
  const dues = [...(await monthDues(tx, dojoId, month))]
  const lateDues = dues.filter(([, { cost, since }]) => cost > 0 && since < day)
  return new Set(lateDues.map(([id]) => id))
}

/** In dollars: what is left to pay, or else the month's price. Skips students without a fee. */
export async function feeAmounts(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, number>> {
  const dues = await monthDues(tx, dojoId, month)
  const amountsToPay = await amountsLeftToPay(tx, dojoId, month, dues)
  const amounts = new Map<string, number>()
  for (const [id, { price }] of dues)
    if (price > 0) amounts.set(id, amountsToPay.get(id) ?? toDollars(price))
  return amounts
}
