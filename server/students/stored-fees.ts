import { MONEY_RIGHTS } from '@tatami/contract/rights'
import type { StudentUpdate } from '@tatami/contract/students/student-form'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { readStudentById } from './student-list.ts'

/** Staff who may not see fees send a form without fees. This adds the stored fees to the form, so
 *  that they do not change. */
export async function fillInStoredFees(
  tx: Tx,
  { dojoId, staff }: DojoCaller,
  id: string,
  form: StudentUpdate,
): Promise<StudentUpdate> {
  if (MONEY_RIGHTS.some((right) => staff?.rights.has(right))) return form
  const { monthly_payment_amount, payment_method, price_note, sibling_exempt } =
    await readStudentById(tx, dojoId, id)
  return {
    ...form,
    monthly_payment_amount: monthly_payment_amount ?? 0,
    fee_from: undefined,
    payment_method,
    price_note,
    sibling_exempt,
  }
}
