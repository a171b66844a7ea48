import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent, requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { documentPasses } from './tables.ts'

/** The first reason of a day is kept. */
export async function letStudentPass(
  tx: Tx,
  caller: DojoCaller,
  student_id: string,
  reason: string,
): Promise<void> {
  requireCurrent(await requireStudent(tx, student_id))
  const rows = await tx
    .insert(documentPasses)
    .values({ student_id, day: await todayOf(tx, caller.dojoId), reason, created_by: caller.id })
    .onConflictDoNothing()
    .returning({ day: documentPasses.day })
  if (rows.length > 0)
    await auditAction(tx, caller, 'let pass without signature', { subject_id: student_id })
}
