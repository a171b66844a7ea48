import { addMonths, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { sumCents } from '@tatami/contract/lib/money'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { debtsOf } from '../dues/balances.ts'
import { monthDues } from '../dues/month-dues.ts'
import { pluck } from '../lib/rows.ts'
import { type PayerPerson, studentsOfPayer } from './payers.ts'

export type NextDue = { cents: number; dueOn: string }

/** What the payer will owe next month, and from which day on. Reminders are sent before that day.
 *  Null if it is nothing. */
export async function readNextMonth(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
): Promise<NextDue | null> {
  const nextMonth = addMonths(monthOfDate(await todayOf(tx, dojoId)), 1)
  const studentIds = await studentsOfPayer(tx, person)
  const dues = await monthDues(tx, dojoId, nextMonth, studentIds)
  const debts = await debtsOf(tx, dojoId, studentIds)
  // Credit that is left over pays the coming month first.
  const openDues = [...dues]
    .map(([id, { owed, since }]) => ({ since, owed: owed - (debts.get(id)?.credit ?? 0) }))
    .filter(({ owed }) => owed > 0)
  const [dueOn] = pluck(openDues, 'since').toSorted()
  return dueOn === undefined ? null : { cents: sumCents(pluck(openDues, 'owed')), dueOn }
}
