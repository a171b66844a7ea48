import { toDollars } from '@tatami/contract/lib/money'
import { chargeName } from '@tatami/contract/ledger/charge-words'
import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels, todayOf } from '../dojos/dojos.ts'
import { chargesOfStudent, owedOf } from '../ledger/charges.ts'
import { currentPrices, debtsOf, NO_DEBT } from './balances.ts'

type UsedCredit = { pays_now: { name: string; amount: number }[]; free_credit: number }

/** What a student's credit pays right now, and what is left of it, in dollars. */
export async function readUsedCredit(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<UsedCredit> {
  const debt = (await debtsOf(tx, dojoId, [studentId])).get(studentId) ?? NO_DEBT
  const owedCents = new Map(debt.charges.map(({ id, owed }) => [id, owed]))
  const charges = (await chargesOfStudent(tx, studentId)).map((charge) => ({
    ...charge,
    cents: owedOf(charge),
  }))
  const today = await todayOf(tx, dojoId)
  const price = (await currentPrices(tx, dojoId, today, [studentId])).get(studentId)
  const unchargedMonth = { id: null, kind: 'month' as const, ...monthOfDate(today), note: null }
  const beltTest = await readBeltTestLabels(tx)
  const pays_now = [...charges, { ...unchargedMonth, cents: price?.cents ?? 0 }].flatMap(
    ({ cents, ...charge }) => {
      const coveredCents = Math.max(0, cents) - (owedCents.get(charge.id) ?? 0)
      const name = chargeName(charge, beltTest)
      return coveredCents > 0 ? [{ name, amount: toDollars(coveredCents) }] : []
    },
  )
  return { pays_now, free_credit: toDollars(debt.credit) }
}
