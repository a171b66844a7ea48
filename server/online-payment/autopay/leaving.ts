import type { LeavingImpact } from '@tatami/contract/students/leaving'
import type { Tx } from '../../db/database.ts'
import type { Email } from '../../lib/mail.ts'
import { findPayer, payerPersonOf } from '../payers.ts'
import { endAutopay, findOpenAgreement } from './agreements.ts'
import { findCoveredStudents } from './covered-lines.ts'

/** What becomes of autopay when a student leaves. */
export async function readAutopayOnLeaving(
  tx: Tx,
  studentId: string,
): Promise<LeavingImpact['autopay']> {
  const payer = await findPayer(tx, await payerPersonOf(tx, studentId))
  const agreement = payer && (await findOpenAgreement(tx, payer.id))
  if (!agreement || agreement.covers_former_students) return 'none'
  const coveredStudents = await findCoveredStudents(tx, payer, agreement)
  if (!coveredStudents.some(({ id }) => id === studentId)) return 'none'
  return coveredStudents.length === 1 ? 'ends' : 'goes_on'
}

/** Ends the autopay of a payer whose last student has left. Returns the mails to send. */
export async function endAutopayAfterLeaving(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<Email[]> {
  const payer = await findPayer(tx, await payerPersonOf(tx, studentId))
  const agreement = payer && (await findOpenAgreement(tx, payer.id))
  if (!agreement || (await findCoveredStudents(tx, payer, agreement)).length > 0) return []
  const { emails } = await endAutopay(tx, dojoId, payer, { reason: 'no_students', way: 'server' })
  return emails
}
