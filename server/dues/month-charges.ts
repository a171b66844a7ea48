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
import { currentMonthOf, dojoById } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import { owesMonth, paysToday } from './who-pays.ts'
import { students } from '../students/tables.ts'
import { chargesOfMonths, findCharges, isMade, keyOfMonth, owedOf } from '../ledger/charges.ts'
import { ensureMonths, pricesIn } from './month-prices.ts'
import { creditLines, creditsOf } from '../ledger/credit.ts'
import { actOfNobody, type LockedStudent, lockThere, type NewLine } from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { charges, openMonths } from '../ledger/tables.ts'

/** Starts the ledger of a new dojo with the month in which it is made. */
export async function startLedger(tx: Tx, dojoId: string): Promise<void> {
  const month = firstDayOf(await currentMonthOf(tx, dojoId))
  await tx.insert(openMonths).values({ month, since: month })
}

/** A condition for the overseer: the dojos whose month has ended, and those without a ledger. */
export const hasEndedMonth = (today: string): SQL =>
  sql`coalesce((select ${openMonths.month} from ${openMonths} where ${openMonths.dojo_id} = ${dojos.id}) < ${firstDayOf(monthOfDate(today))}, true)`

/**
 * Charges the months that are over for everybody who was to pay them and has not, then lets credit pay what is owed, and the month that has
 * begun. Runs before the vacations of the new month turn: who was away for all of a month is still said to be. A dojo that a server of
 * version 1.0.0 has made gets its ledger here, which charges nothing of the past.
 */
export async function chargeEndedMonths(tx: Tx, dojoId: string, today: string): Promise<void> {
  const current = firstDayOf(monthOfDate(today))
  const [open] = await tx.select({ month: openMonths.month }).from(openMonths)
  if (!open) await tx.insert(openMonths).values({ month: current, since: current })
  if (!open || open.month >= current) return
  await tx.update(openMonths).set({ month: current })
  const everybody = await tx.select({ id: students.id }).from(students)
  const locked = await lockThere(
    tx,
    everybody.map(({ id }) => id),
  )
  for (let month = monthOfDate(open.month); firstDayOf(month) < current; month = nextMonth(month))
    await chargeMonthOfAll(tx, dojoId, locked, month)
  await applyCredit(tx, dojoId, locked, today)
}

async function chargeMonthOfAll(tx: Tx, dojoId: string, all: LockedStudent[], month: Month) {
  const { time_zone } = await dojoById(tx, dojoId)
  const owing = all.filter((student) => owesMonth(student, month, time_zone))
  const monthOf = ({ id: student_id }: LockedStudent) => ({ ...month, student_id })
  const months = owing.map(monthOf)
  const existingCharges = await chargesOfMonths(tx, months)
  const priceOf = await pricesIn(tx, dojoId, [month], month)
  const due = owing.filter((student) => {
    const charge = existingCharges.get(keyOfMonth(monthOf(student)))
    return !(charge && isMade(charge)) && priceOf(student, month).cents > 0
  })
  const chargeByMonth = await ensureMonths(tx, due.map(monthOf))
  const lines = due.map((student): NewLine => {
    const { id: charge_id, student_id } = chargeByMonth.get(keyOfMonth(monthOf(student)))!
    return { student_id, charge_id, kind: 'charge', ...priceOf(student, month) }
  })
  await writeLines(tx, actOfNobody(lastDayOf(month)), lines)
}

/** What is owed is covered first, by one act; the month in progress is made and covered by another, as a mark would. */
async function applyCredit(tx: Tx, dojoId: string, all: LockedStudent[], today: string) {
  const credits = new Map([...(await creditsOf(tx))].filter(([, cents]) => cents > 0))
  if (credits.size === 0) return
  const owed = (await findCharges(tx, equalsAny(charges.student_id, [...credits.keys()]))).filter(
    (charge) => owedOf(charge) > 0,
  )
  const ofStudent = Map.groupBy(owed, ({ student_id }) => student_id)
  const covering = [...credits].flatMap(([id, cents]) =>
    creditLines(cents, ofStudent.get(id) ?? []),
  )
  const rest = new Map(credits)
  for (const { student_id, cents } of covering) rest.set(student_id, rest.get(student_id)! + cents)
  const month = monthOfDate(today)
  const paying = all.filter(
    (student) => (rest.get(student.id) ?? 0) > 0 && paysToday(student, today),
  )
  const advance = await coverMonth(tx, dojoId, paying, month, rest)
  await writeLines(tx, actOfNobody(today), covering)
  await writeLines(tx, actOfNobody(today), advance)
}

async function coverMonth(
  tx: Tx,
  dojoId: string,
  paying: LockedStudent[],
  month: Month,
  credits: Map<string, number>,
): Promise<NewLine[]> {
  const monthOf = ({ id: student_id }: LockedStudent) => ({ ...month, student_id })
  const priceOf = await pricesIn(tx, dojoId, [month])
  const priced = paying.filter((student) => priceOf(student, month).cents > 0)
  const chargeByMonth = await ensureMonths(tx, priced.map(monthOf))
  return priced.flatMap((student): NewLine[] => {
    const charge = chargeByMonth.get(keyOfMonth(monthOf(student)))!
    if (isMade(charge)) return []
    const { id: charge_id, student_id } = charge
    const price = priceOf(student, month)
    const covered = Math.min(price.cents, credits.get(student_id)!)
    return [
      { student_id, charge_id, kind: 'charge', ...price },
      { student_id, charge_id, kind: 'credit', cents: 0 - covered },
    ]
  })
}
