import { toDollars } from '@tatami/contract/lib/money'
import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { debtsOf, NO_DEBT } from './balances.ts'
import { monthDues } from './month-dues.ts'

/**
 * What is left to pay of a month, in dollars, of those who have something left: the part of what they still have to pay
 * that is of this month. Credit that is left over pays a month to come.
 */
export async function amountsLeft(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, number>> {
  const dues = await monthDues(tx, dojoId, month)
  const debts = await debtsOf(tx, dojoId)
  const isToCome = firstDayOf(month) > firstDayOf(monthOfDate(await todayOf(tx, dojoId)))
  const amounts = new Map<string, number>()
  for (const [id, due] of dues) {
    if (due.owed <= 0) continue
    const debt = debts.get(id) ?? NO_DEBT
    const charge = debt.charges.find(
      (owed) => owed.kind === 'month' && owed.year === month.year && owed.month === month.month,
    )
    const left = isToCome && !due.isCharged ? due.owed - debt.credit : (charge?.owed ?? 0)
    if (left > 0) amounts.set(id, toDollars(left))
  }
  return amounts
}

/** Who is late with a month on a day, or was until it was paid: it is owed since an earlier day. */
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

/**
 * What a text about a month's fee asks of everybody who has one, paid or not, in dollars: what is left to pay, else what
 * the month costs. A fee of 0 asks for nothing.
 */
export async function feeAmounts(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, number>> {
  const left = await amountsLeft(tx, dojoId, month)
  const priced = [...(await monthDues(tx, dojoId, month))].filter(([, { price }]) => price > 0)
  return new Map(priced.map(([id, { price }]) => [id, left.get(id) ?? toDollars(price)]))
}
