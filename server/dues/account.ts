import { toDollars } from '@tatami/contract/lib/money'
import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { Account, AccountCharge } from '@tatami/contract/ledger/ledger'
import { describeTax } from '@tatami/contract/ledger/sales-tax'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { notFound } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { type Charge, chargedOf, chargesOfStudent, owedOf } from '../ledger/charges.ts'
import { effectiveLines, linesOfStudents } from '../ledger/ledger.ts'
import { taxOfCharge } from '../ledger/line-taxes.ts'
import { oldestFirst } from '../ledger/oldest-first.ts'
import { monthTaxOf } from '../ledger/sales-taxes.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import {
  type CurrentPrice,
  currentPrices,
  debtsWithPrices,
  NO_DEBT,
  owedCents,
} from './balances.ts'
import { isFromBank, readOnlineLines, sumOnlineCents } from './money-on-its-way.ts'

const accountCharge = (charge: Charge): AccountCharge => {
  const reducedLine = effectiveLines(charge.lines).find(
    ({ kind, reason }) => kind === 'charge' && reason !== null,
  )
  return {
    ...pick(charge, 'id', 'kind', 'month', 'year', 'note', 'charged_on'),
    amount: toDollars(chargedOf(charge)),
    owed: toDollars(owedOf(charge)),
    reason: reducedLine?.reason ?? null,
    ...taxOfCharge(charge),
  }
}

async function currentCharge(
  tx: Tx,
  today: string,
  price: CurrentPrice | undefined,
): Promise<AccountCharge[]> {
  if (!price) return []
  const amount = toDollars(price.cents)
  const { reason, since: charged_on } = price
  const charge = { id: null, kind: 'month' as const, ...monthOfDate(today), note: null }
  const tax = await monthTaxOf(tx, monthOfDate(today))
  return [
    {
      ...charge,
      amount,
      owed: amount,
      reason,
      charged_on,
      ...describeTax(price.cents, tax?.percent),
    },
  ]
}

export async function accountOf(tx: Tx, dojoId: string, studentId: string): Promise<Account> {
  if ((await tx.$count(students, eq(students.id, studentId))) === 0) throw notFound('Student')
  const instructorRows = await tx.select(pick(instructors, 'id', 'name')).from(instructors)
  const nameById = new Map(instructorRows.map(({ id, name }) => [id, name]))
  const lines = await linesOfStudents(tx, [studentId])
  const charges = (await chargesOfStudent(tx, studentId)).filter((charge) => chargedOf(charge) > 0)
  const today = await todayOf(tx, dojoId)
  const prices = await currentPrices(tx, dojoId, today, [studentId])
  const debts = await debtsWithPrices(tx, today, prices, [studentId])
  const debt = debts.get(studentId) ?? NO_DEBT
  const onlineLines = await readOnlineLines(tx, [studentId])
  return {
    student_id: studentId,
    balance: toDollars(owedCents(debt) - debt.credit),
    credit: toDollars(debt.unusedCredit),
    on_its_way: toDollars(sumOnlineCents(onlineLines.filter(isFromBank))),
    owed_since: debt.charges[0]?.charged_on ?? null,
    charges: [
      ...charges.map(accountCharge),
      ...(await currentCharge(tx, today, prices.get(studentId))),
    ].toSorted(oldestFirst),
    lines: lines.toReversed().map(({ cents, taxCents, created_by, ...line }) => ({
      ...line,
      amount: toDollars(cents),
      tax: taxCents === null ? null : toDollars(taxCents),
      created_by: nameById.get(created_by ?? '') ?? null,
    })),
  }
}
