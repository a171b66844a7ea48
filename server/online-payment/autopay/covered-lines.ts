import {
  addDays,
  firstDayOf,
  type Month,
  monthKey,
  monthOfDate,
} from '@tatami/contract/lib/calendar-day'
import { chargeName } from '@tatami/contract/ledger/charge-words'
import { firstName } from '@tatami/contract/lib/name-parts'
import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import { readBeltTestLabels } from '../../dojos/dojos.ts'
import { debtsOf } from '../../dues/balances.ts'
import { openPromises } from '../../dues/promises.ts'
import { monthDues } from '../../dues/month-dues.ts'
import { pick } from '../../lib/rows.ts'
import { students } from '../../students/tables.ts'
import { lineKey } from '../live-lines.ts'
import { type OwedLine, readOwedLines } from '../owed-lines.ts'
import { type PayerPerson, studentsOfPayer } from '../payers.ts'
import { onlinePaymentLines } from '../tables.ts'
import type { Agreement } from './agreements.ts'
import { findLeftOutCharges } from './left-out.ts'

type CoveredStudent = { id: string; name: string; vacation_until: string | null }

/** For whom autopay pays: never for somebody whom another guardian pays for now. */
export async function findCoveredStudents(
  tx: Tx,
  person: PayerPerson,
  agreement: Agreement,
): Promise<CoveredStudent[]> {
  const rows = await tx
    .select(pick(students, 'id', 'name', 'left_on', 'vacation_until'))
    .from(students)
    .where(equalsAny(students.id, await studentsOfPayer(tx, person)))
  return rows.filter((student) => isCovered(agreement, student))
}

/** Whether an agreement of the student's payer is for the student, too. */
export const isCovered = (
  { covers_former_students, covers_new_students, student_ids }: Agreement,
  { id, left_on }: { id: string; left_on: string | null },
): boolean =>
  (left_on === null || covers_former_students) && (covers_new_students || student_ids.includes(id))

export type CoveredLines = {
  lines: OwedLine[]
  /** What autopay leaves out, because it was paid once (`left-out.ts`). */
  leftOutLines: OwedLine[]
  /** A payer is paying some of it in a checkout at this moment. */
  isBeingPaid: boolean
}

/** What autopay may take today. It reads what is owed, and never whether a month is marked. */
export async function readCoveredLines(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
  agreement: Agreement,
  today: string,
): Promise<CoveredLines> {
  const coveredStudents = await findCoveredStudents(tx, person, agreement)
  const coveredIds = new Set(coveredStudents.map(({ id }) => id))
  const promisedIds = new Set(
    (await openPromises(tx))
      .filter(({ promised_on }) => promised_on > today)
      .map(({ student_id }) => student_id),
  )
  const owedLines = (await readOwedLines(tx, dojoId, person)).filter(
    ({ student_id }) => coveredIds.has(student_id) && !promisedIds.has(student_id),
  )
  const liveKeys = await findLiveKeys(tx, [...coveredIds])
  const payableLines = owedLines.filter((line) => !liveKeys.has(lineKey(line)))
  const leftOutCharges = await findLeftOutCharges(tx, [...coveredIds])
  return {
    lines: payableLines.filter((line) => !leftOutCharges.has(lineKey(line))),
    leftOutLines: payableLines.filter((line) => leftOutCharges.has(lineKey(line))),
    isBeingPaid: payableLines.length < owedLines.length,
  }
}

/** Another payment may take this money at this moment, of this payer or of anybody else. */
async function findLiveKeys(tx: Tx, studentIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select(pick(onlinePaymentLines, 'student_id', 'pays_for'))
    .from(onlinePaymentLines)
    .where(
      and(
        equalsAny(onlinePaymentLines.student_id, studentIds),
        eq(onlinePaymentLines.is_live, true),
      ),
    )
  return new Set(rows.map(lineKey))
}

/** What autopay will probably take on a day: what is owed now, and the month that begins until
 *  then. */
export async function expectLines(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
  agreement: Agreement,
  { today, debitDay }: { today: string; debitDay: string },
): Promise<Omit<CoveredLines, 'isBeingPaid'>> {
  const { lines, leftOutLines } = await readCoveredLines(tx, dojoId, person, agreement, debitDay)
  const month = monthOfDate(debitDay)
  if (monthKey(month) === monthKey(monthOfDate(today))) return { lines, leftOutLines }
  const monthLines = await expectMonth(tx, dojoId, person, agreement, { month, debitDay })
  return { lines: [...lines, ...monthLines], leftOutLines }
}

async function expectMonth(
  tx: Tx,
  dojoId: string,
  person: PayerPerson,
  agreement: Agreement,
  { month, debitDay }: { month: Month; debitDay: string },
): Promise<OwedLine[]> {
  const coveredStudents = await findCoveredStudents(tx, person, agreement)
  const ids = coveredStudents.map(({ id }) => id)
  const dues = await monthDues(tx, dojoId, month, ids)
  const leftOutCharges = await findLeftOutCharges(tx, ids)
  const debts = await debtsOf(tx, dojoId, ids)
  const beltTest = await readBeltTestLabels(tx)
  return coveredStudents.flatMap(({ id, name, vacation_until }): OwedLine[] => {
    const due = dues.get(id)
    // Somebody who is still away then owes nothing that day.
    const isAway = vacation_until !== null && due?.since === addDays(vacation_until, 1)
    if (!due || due.isCharged || due.owed === 0 || (isAway && due.since > debitDay)) return []
    const charge = { kind: 'month' as const, ...month, charged_on: firstDayOf(month), note: null }
    const line = {
      student_id: id,
      charge_id: null,
      pays_for: `${month.year}-${month.month}`,
      name: `${firstName(name)}: ${chargeName(charge, beltTest)}`,
      // Credit that is left over pays the coming month first.
      cents: due.owed - (debts.get(id)?.credit ?? 0),
    }
    return line.cents <= 0 || leftOutCharges.has(lineKey(line)) ? [] : [line]
  })
}

export const totalCents = (lines: readonly OwedLine[]): number =>
  lines.reduce((sum, { cents }) => sum + cents, 0)

const MONTH = /^\d{4}-\d{1,2}$/

/** Whether somebody's debt has more than one month, which a notice must name first. */
export function hasSeveralMonths(lines: readonly OwedLine[]): boolean {
  const months = lines.filter(({ pays_for }) => MONTH.test(pays_for))
  return new Set(months.map(({ student_id }) => student_id)).size < months.length
}
