import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import { sumCents, toDollars } from '@tatami/contract/lib/money'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { chargesOfStudent, findOrCreateMonthCharges, owedOf } from '../ledger/charges.ts'
import { creditLines, creditsOf } from '../ledger/credit.ts'
import { lockStudent, type NewLine, systemAct } from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { pluck } from '../lib/rows.ts'
import { currentPrices, debtsOf, NO_DEBT, owedCents } from './balances.ts'
import { monthOfStudent } from './month-prices.ts'
import { writeOffAll } from './payment-acts.ts'

type LeavingDebts = { owed: number; owed_this_month: number; credit: number }

/** In dollars, after credit has paid its part. `owed` leaves out the uncharged current month. */
export async function debtsOnLeaving(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<LeavingDebts> {
  const debt = (await debtsOf(tx, dojoId, [studentId])).get(studentId) ?? NO_DEBT
  // The current month has no id until it is charged.
  const unchargedMonths = debt.charges.filter(({ id }) => id === null)
  const calculateMonthSum = sumCents(pluck(unchargedMonths, 'owed'))
  return {
    owed: toDollars(owedCents(debt) - calculateMonthSum),
    owed_this_month: toDollars(calculateMonthSum),
    credit: toDollars(debt.credit),
  }
}

type Settlement = { chargesMonth: boolean; writesOff: boolean }

/**
 * Settles what a student owes when they leave. No month is charged after that, so the current one is
 * charged now, if it is owed. Then credit pays what it can.
 */
export async function settleOnLeaving(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  studentId: string,
  { chargesMonth, writesOff }: Settlement,
): Promise<void> {
  const today = await todayOf(tx, caller.dojoId)
  if (chargesMonth) await chargeCurrentMonth(tx, caller.dojoId, studentId, today)
  await payWithCredit(tx, studentId, today)
  if (writesOff) {
    const owedCharges = await findOwedCharges(tx, studentId)
    await writeOffAll(tx, caller, pluck(owedCharges, 'id'), { note: null })
  }
}

async function chargeCurrentMonth(tx: Tx, dojoId: string, studentId: string, today: string) {
  const price = (await currentPrices(tx, dojoId, today, [studentId])).get(studentId)
  if (!price) return
  const student = await lockStudent(tx, studentId)
  const studentMonth = monthOfStudent(student, monthOfDate(today))
  const [charge] = (await findOrCreateMonthCharges(tx, [studentMonth])).values()
  if (!charge) return
  const { cents, reason } = price
  const line: NewLine = {
    student_id: studentId,
    charge_id: charge.id,
    kind: 'charge',
    cents,
    reason,
  }
  await writeLines(tx, systemAct(today), [line])
}

async function payWithCredit(tx: Tx, studentId: string, today: string): Promise<void> {
  const credit = (await creditsOf(tx, [studentId])).get(studentId) ?? 0
  const lines = creditLines(credit, await findOwedCharges(tx, studentId))
  if (lines.length > 0) await writeLines(tx, systemAct(today), lines)
}

const findOwedCharges = async (tx: Tx, studentId: string) =>
  (await chargesOfStudent(tx, studentId)).filter((charge) => owedOf(charge) > 0)
