import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { toCents } from '@tatami/contract/lib/money'
import { desc, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { debtsOf, NO_DEBT, owedCents } from '../../dues/balances.ts'
import { pick, pluck } from '../../lib/rows.ts'
import { students } from '../../students/tables.ts'
import { findPayers, type Payer } from '../payers.ts'
import { readStripeAccount } from '../stripe-account.ts'
import type { Agreement } from './agreements.ts'
import { isCovered } from './covered-lines.ts'
import { findLeftOutCharges } from './left-out.ts'
import { isTrouble } from './payer-home.ts'
import { autopayAgreements, autopayDebits, savedMethods } from './tables.ts'

type Request = {
  /** Student id → what the student is asked to pay, in dollars. */
  amounts: ReadonlyMap<string, number>
  month: Month
}

/**
 * The students whose payers need no reminder, because autopay will take what they owe. Leaves out
 * payers who owe more than their limit, or whose last payment did not work, and charges that autopay
 * leaves out. With a test key, autopay takes no money.
 */
export async function findAutopaidStudents(
  tx: Tx,
  dojoId: string,
  { amounts, month }: Request,
): Promise<ReadonlySet<string>> {
  const account = await readStripeAccount(tx)
  if (!account?.is_live) return new Set()
  const agreements = await findWorkingAgreements(tx)
  if (agreements.size === 0) return new Set()
  const coveredStudents = await findCoveredStudents(tx, agreements)
  const ids = coveredStudents.map(({ id }) => id)
  const leftOutStudents = await findStudentsLeftOut(tx, ids)
  const debts = await debtsOf(tx, dojoId, ids)
  const isFuture = firstDayOf(month) > (await todayOf(tx, dojoId))
  const centsOf = (id: string): number =>
    owedCents(debts.get(id) ?? NO_DEBT) + (isFuture ? toCents(amounts.get(id) ?? 0) : 0)
  const studentsByPayer = Map.groupBy(coveredStudents, ({ payer }) => payer.id)
  const autopaidStudents = [...studentsByPayer].flatMap(([payerId, payersStudents]) => {
    const limit = agreements.get(payerId)?.limit_amount ?? null
    const totalCents = payersStudents.reduce((sum, { id }) => sum + centsOf(id), 0)
    return limit !== null && totalCents > toCents(limit) ? [] : pluck(payersStudents, 'id')
  })
  return new Set(autopaidStudents.filter((id) => amounts.has(id) && !leftOutStudents.has(id)))
}

type CoveredStudent = { id: string; payer: Payer }

async function findCoveredStudents(
  tx: Tx,
  agreements: ReadonlyMap<string, Agreement>,
): Promise<CoveredStudent[]> {
  const rows = await tx.select(pick(students, 'id', 'is_trial', 'left_on')).from(students)
  const payerByStudent = await findPayers(tx, pluck(rows, 'id'))
  return rows.flatMap((student) => {
    const payer = payerByStudent.get(student.id)
    const agreement = agreements.get(payer?.id ?? '')
    const isAutopaid = agreement && !student.is_trial && isCovered(agreement, student)
    return payer && isAutopaid ? [{ id: student.id, payer }] : []
  })
}

/** Open agreements with a method that can be charged and no payment that did not work, by the id of
 *  the payer. */
async function findWorkingAgreements(tx: Tx): Promise<Map<string, Agreement>> {
  const agreements = await tx
    .select()
    .from(autopayAgreements)
    .where(isNull(autopayAgreements.ended_at))
  const methods = await tx
    .select(pick(savedMethods, 'payer_id'))
    .from(savedMethods)
    .where(isNull(savedMethods.stopped_at))
  const payersWithMethod = new Set(pluck(methods, 'payer_id'))
  const debits = await tx
    .selectDistinctOn(
      [autopayDebits.agreement_id],
      pick(autopayDebits, 'agreement_id', 'state', 'decline_code'),
    )
    .from(autopayDebits)
    .where(inArray(autopayDebits.agreement_id, pluck(agreements, 'id')))
    .orderBy(autopayDebits.agreement_id, desc(autopayDebits.due_on))
  const troubledIds = new Set(pluck(debits.filter(isTrouble), 'agreement_id'))
  return new Map(
    agreements
      .filter(({ id, payer_id }) => payersWithMethod.has(payer_id) && !troubledIds.has(id))
      .map((agreement) => [agreement.payer_id, agreement]),
  )
}

async function findStudentsLeftOut(tx: Tx, studentIds: string[]): Promise<ReadonlySet<string>> {
  const leftOutCharges = await findLeftOutCharges(tx, studentIds)
  return new Set([...leftOutCharges.keys()].map((key) => key.split(' ', 1)[0] ?? ''))
}
