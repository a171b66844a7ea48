import { type Month, monthKey, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { PaymentMethod } from '@tatami/contract/ledger/ledger'
import type { Student } from '@tatami/contract/students/students'
import { and, eq } from 'drizzle-orm'
import { issueReceipt } from '../bookkeeping/receipts.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { balancesOf } from '../dues/balances.ts'
import { markMonths } from '../dues/marks.ts'
import { chargeEndedMonths } from '../dues/month-charges.ts'
import { chargeStudents, pay } from '../dues/payment-acts.ts'
import { firstRow } from '../lib/rows.ts'

const LATE_PAYERS = ['Ethan Brooks', 'Aiden Clark'],
  HALF_PAYER = 'Olivia Hughes',
  HALF_FEE = 120 / 2,
  PREPAYER = 'Keiko Mori',
  PREPAID_FEES = 3 * 110
const MONTHS_LATE = 2
const METHODS: Exclude<PaymentMethod, 'online'>[] = ['card', 'transfer', 'cash', 'cheque']
const GRADED_STUDENTS = ['Noah Bennett', 'Hana Kim', 'Victor Dubois'],
  GRADING_FEE = 40
const GI = { student: 'Sofia Rossi', price: 65 }

type PaymentContext = {
  sensei: DojoCaller
  students: Student[]
  monthsAgo: number
  isRandomlyTrue: (probability: number) => boolean
}

/** Most students pay for the month on the 5th. On the 12th, they pay what they still owe. */
export async function simulatePayments(
  tx: Tx,
  day: string,
  month: Month,
  context: PaymentContext,
): Promise<void> {
  const { sensei, students, monthsAgo } = context
  const findStudentId = (name: string) => students.find((student) => student.name === name)?.id
  const payFor = async (
    name: string,
    amount: number,
    method: (typeof METHODS)[number] = 'cash',
  ) => {
    const student_id = findStudentId(name)
    if (student_id) await pay(tx, sensei, { student_id, amount, method })
  }
  if (day.endsWith('-01')) await chargeEndedMonths(tx, sensei.dojoId, day)
  if (day.endsWith('-05')) await payMonth(tx, month, context)
  if (day.endsWith('-05')) await payFor(HALF_PAYER, HALF_FEE)
  if (day.endsWith('-12')) await payDebts(tx, day, context)
  if (day.endsWith('-19') && monthsAgo > 0) await payFor(HALF_PAYER, HALF_FEE, 'transfer')
  if (monthsAgo === 1 && day.endsWith('-06')) await payFor(PREPAYER, PREPAID_FEES, 'cheque')
  if (monthsAgo === 1 && day.endsWith('-16')) {
    const student_ids = GRADED_STUDENTS.flatMap((name) => findStudentId(name) ?? [])
    await chargeStudents(tx, sensei, {
      student_ids,
      kind: 'grading',
      amount: GRADING_FEE,
      note: 'Belt test',
    })
    const firstGradedId = findStudentId(firstRow(GRADED_STUDENTS))
    if (firstGradedId)
      await pay(tx, sensei, { student_id: firstGradedId, amount: GRADING_FEE, method: 'cash' })
  }
  const buyer = findStudentId(GI.student)
  if (monthsAgo === 1 && day.endsWith('-18') && buyer)
    await chargeStudents(tx, sensei, {
      student_ids: [buyer],
      kind: 'equipment',
      amount: GI.price,
      note: 'Gi',
    })
}

const isLate = ({ name }: Student, monthsAgo: number) =>
  LATE_PAYERS.includes(name) && monthsAgo <= MONTHS_LATE

async function payMonth(
  tx: Tx,
  { month, year }: Month,
  { sensei, students, monthsAgo, isRandomlyTrue }: PaymentContext,
) {
  const payingStudents = students.filter(
    (student) =>
      !student.is_trial &&
      !student.on_vacation &&
      (isRandomlyTrue(0.86) || student.name === PREPAYER || LATE_PAYERS.includes(student.name)),
  )
  const markedStudents = payingStudents.filter(
    (student) =>
      student.name !== HALF_PAYER &&
      !isLate(student, monthsAgo) &&
      !(student.name === PREPAYER && monthsAgo < 2),
  )
  const studentsByMethod = Map.groupBy(
    markedStudents,
    ({ name }) => METHODS[(name.length + monthsAgo) % METHODS.length]!,
  )
  for (const [method, methodStudents] of studentsByMethod) {
    const marks = methodStudents.map(({ id }) => ({
      student_id: id,
      payment_month: month,
      payment_year: year,
      payment_status: 'paid' as const,
    }))
    await markMonths(tx, sensei, { marks, method })
  }
}

async function payDebts(tx: Tx, day: string, { sensei, students, monthsAgo }: PaymentContext) {
  for (const { student_id, owed, owed_since } of await balancesOf(tx, sensei.dojoId)) {
    const student = students.find(({ id }) => id === student_id)
    if (
      !student ||
      student.name === HALF_PAYER ||
      isLate(student, monthsAgo) ||
      owed_since === null ||
      monthKey(monthOfDate(owed_since)) === monthKey(monthOfDate(day))
    )
      continue
    await pay(tx, sensei, { student_id, amount: owed, method: 'cash' })
  }
}

/** Issues a receipt to the family for each payment of the day. */
export async function issueReceipts(
  tx: Tx,
  sensei: DojoCaller,
  day: string,
  guardianIds: string[],
): Promise<void> {
  const paidLines = await tx
    .selectDistinct({ act_id: ledgerLines.act_id, student_id: guardianships.student_id })
    .from(ledgerLines)
    .innerJoin(guardianships, eq(guardianships.student_id, ledgerLines.student_id))
    .where(
      and(
        eq(ledgerLines.kind, 'payment'),
        eq(ledgerLines.made_on, day),
        equalsAny(guardianships.guardian_id, guardianIds),
      ),
    )
  for (const line of paidLines) await issueReceipt(tx, sensei, line)
}
