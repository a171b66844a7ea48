import type { Receipt, ReceiptLine } from '@tatami/contract/bookkeeping/receipts'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { findStudentsOfGuardian } from '../guardians/readers.ts'
import type { DojoCaller } from '../http/serve.ts'
import type { PaymentLine } from './receipt-lines.ts'
import { receiptLines, receipts } from './tables.ts'

export type Reader = Pick<DojoCaller, 'id' | 'role'>

/** Includes former students, because the guardian may still see what was paid for them. */
export const findStudentsWithVisibleFees = (tx: Tx, guardianId: string) =>
  findStudentsOfGuardian(tx, guardianId, { fees: true, withFormer: true })

/** Guardians may read a receipt if they see the fees of every student on it. */
export async function whereReadable(tx: Tx, { id, role }: Reader): Promise<SQL | undefined> {
  if (role === 'instructor') return undefined
  const studentIds = sql.param(await findStudentsWithVisibleFees(tx, id))
  return sql`${receipts.id} in (
      select receipt_id from ${receiptLines} where student_id = any(${studentIds})
    ) and not exists (
      select from ${receiptLines} where ${receiptLines.receipt_id} = ${receipts.id}
        and student_id = any(${studentIds}) is not true
    )`
}

const composeFamilyName = (studentName: string) => `Family of ${studentName}`

/** Prepares a receipt for a guardian. The ledger does not record who paid, so the receipt names the
 *  family if a student has several guardians, or if the payer was linked after the payment. Notes
 *  are left out, because they are only for instructors. */
export function hideUncertainPayer(lines: PaymentLine[]): PaymentLine[] {
  const isPayerCertain = lines.every(({ is_sole_guardian }) => is_sole_guardian)
  return lines.map((line) => ({
    ...line,
    ...(!isPayerCertain && { payer_id: null, payer_name: composeFamilyName(line.student_name) }),
    note: null,
  }))
}

type StoredReceipt = Omit<Receipt, 'lines'> & {
  lines: (ReceiptLine & { payer_id: string | null })[]
}

/** Guardians of the same child must not see each other's names. */
export function hideOtherPayer(receipt: StoredReceipt, { id, role }: Reader): Receipt {
  const { lines, payer_name } = receipt
  const isPayer = lines.some(({ payer_id }) => payer_id === id)
  const isPaidByGuardian = lines.some(({ payer_id }) => payer_id !== null)
  const hasPayerOutsideFamily = payer_name !== null && !isPaidByGuardian
  if (role === 'instructor' || isPayer || hasPayerOutsideFamily) return receipt
  const studentName = lines.find(({ student_name }) => student_name)?.student_name
  return { ...receipt, payer_name: studentName ? composeFamilyName(studentName) : null }
}
