import {
  firstDayOf,
  lastDayOf,
  type Month,
  monthOfDate,
  nextMonth,
} from '@tatami/contract/lib/calendar-day'
import { type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import {
  findCharges,
  findMonthCharges,
  findOrCreateMonthCharges,
  hasAmount,
  owedOf,
  studentMonthKey,
} from '../ledger/charges.ts'
import { creditLines, creditsOf } from '../ledger/credit.ts'
import {
  lockExistingStudents,
  type LockedStudent,
  type NewLine,
  openMonthOf,
  systemAct,
} from '../ledger/ledger.ts'
import { charges, openMonths } from '../ledger/tables.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { monthOfStudent, pricesIn } from './month-prices.ts'
import { isChargedForMonth, paysToday } from './who-pays.ts'

export async function startLedger(tx: Tx, dojoId: string): Promise<void> {
  const month = firstDayOf(await currentMonthOf(tx, dojoId))
  await tx.insert(openMonths).values({ month, since: month })
}

export const hasEndedMonth = (today: string): SQL => sql`
  (select ${openMonths.month} from ${openMonths} where ${openMonths.dojo_id} = ${dojos.id})
  < ${firstDayOf(monthOfDate(today))}`

/** Also applies credit. Runs before vacations change, because it asks who was away last month. */
export async function chargeEndedMonths(tx: Tx, dojoId: string, today: string): Promise<void> {
  const currentMonth = firstDayOf(monthOfDate(today))
  const openMonth = await openMonthOf(tx)
  if (openMonth.month >= currentMonth) return
  await tx.update(openMonths).set({ month: currentMonth })
  const studentIds = await tx.select({ id: students.id }).from(students).where(isCurrentStudent)
  const lockedStudents = await lockExistingStudents(
    tx,
    studentIds.map(({ id }) => id),
  )
  let month = monthOfDate(openMonth.month)
  for (; firstDayOf(month) < currentMonth; month = nextMonth(month))
    await chargeMonth(tx, dojoId, lockedStudents, month)
  await applyCredit(tx, dojoId, lockedStudents, today)
}

async function chargeMonth(
  tx: Tx,
  dojoId: string,
  lockedStudents: LockedStudent[],
  month: Month,
): Promise<void> {
  const payingStudents = lockedStudents.filter((student) => isChargedForMonth(student, month))
  const chargeByMonth = await findMonthCharges(
    tx,
    payingStudents.map((student) => monthOfStudent(student, month)),
  )
  const priceOf = await pricesIn(tx, dojoId, [month], month)
  const unchargedStudents = payingStudents.filter((student) => {
    const charge = chargeByMonth.get(studentMonthKey(monthOfStudent(student, month)))
    return !(charge && hasAmount(charge)) && priceOf(student, month).cents > 0
  })
  const newCharges = await findOrCreateMonthCharges(
    tx,
    unchargedStudents.map((student) => monthOfStudent(student, month)),
  )
  const lines = unchargedStudents.flatMap((student): NewLine[] => {
    const charge = newCharges.get(studentMonthKey(monthOfStudent(student, month)))
    if (!charge) return []
    const line = { student_id: student.id, charge_id: charge.id, kind: 'charge' as const }
    const { cents, reason } = priceOf(student, month)
    return [{ ...line, cents, reason }]
  })
  await writeLines(tx, systemAct(lastDayOf(month)), lines)
}

/** Credit first pays what is owed, then the current month, in separate acts. */
async function applyCredit(
  tx: Tx,
  dojoId: string,
  lockedStudents: LockedStudent[],
  today: string,
): Promise<void> {
  const credits = new Map([...(await creditsOf(tx))].filter(([, cents]) => cents > 0))
  if (credits.size === 0) return
  const chargesWithCredit = await findCharges(
    tx,
    equalsAny(charges.student_id, [...credits.keys()]),
  )
  const owedByStudent = Map.groupBy(
    chargesWithCredit.filter((charge) => owedOf(charge) > 0),
    ({ student_id }) => student_id,
  )
  const coveringLines = [...credits].flatMap(([id, cents]) =>
    creditLines(cents, owedByStudent.get(id) ?? []),
  )
  const remainingCredits = new Map(credits)
  for (const { student_id, cents } of coveringLines)
    remainingCredits.set(student_id, (remainingCredits.get(student_id) ?? 0) + cents)
  const payingStudents = lockedStudents.filter((student) => paysToday(student, today))
  const monthLines = await coverMonth(
    tx,
    dojoId,
    payingStudents,
    monthOfDate(today),
    remainingCredits,
  )
  await writeLines(tx, systemAct(today), coveringLines)
  await writeLines(tx, systemAct(today), monthLines)
}

async function coverMonth(
  tx: Tx,
  dojoId: string,
  payingStudents: LockedStudent[],
  month: Month,
  credits: ReadonlyMap<string, number>,
): Promise<NewLine[]> {
  const priceOf = await pricesIn(tx, dojoId, [month])
  const coveredStudents = payingStudents.filter(
    (student) => (credits.get(student.id) ?? 0) > 0 && priceOf(student, month).cents > 0,
  )
  const chargeByMonth = await findOrCreateMonthCharges(
    tx,
    coveredStudents.map((student) => monthOfStudent(student, month)),
  )
  return coveredStudents.flatMap((student): NewLine[] => {
    const charge = chargeByMonth.get(studentMonthKey(monthOfStudent(student, month)))
    if (!charge || hasAmount(charge)) return []
    const line = { student_id: student.id, charge_id: charge.id }
    const { cents, reason } = priceOf(student, month)
    const coveredCents = Math.min(cents, credits.get(student.id) ?? 0)
    return [
      { ...line, kind: 'charge', cents, reason },
      { ...line, kind: 'credit', cents: 0 - coveredCents },
    ]
  })
}
