import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type { HoldPreviewForm } from '@tatami/contract/memberships/holds'
import { isVacationOn, VACATION_IS_OVER } from '@tatami/contract/students/student-page'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent, requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { invalid } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { previewOf } from './acts.ts'
import { describeHoldChange } from './hold-preview.ts'
import { addHold } from './holds.ts'
import { followVacationOf } from './memberships.ts'

/** What a new hold would change, or other days of the student's vacation. */
export const previewHold = (
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  form: HoldPreviewForm,
): Promise<ActPreview> =>
  previewOf(tx, async () => {
    if (form.changes_vacation) return changeVacation(tx, caller, studentId, form)
    const reply = await addHold(tx, caller, studentId, form)
    return pick(reply, 'sentences', 'charges', 'last_day', 'last_sum')
  })

/** Changes as much of a vacation as decides what is paid. */
async function changeVacation(
  tx: Tx,
  caller: DojoCaller,
  studentId: string,
  { subscription_id, starts_on, ends_on = null }: HoldPreviewForm,
): Promise<ActPreview> {
  if (subscription_id) throw invalid('subscription_id', 'A vacation is for all plans')
  const today = await todayOf(tx, caller.dojoId)
  if (ends_on !== null && ends_on < today) throw invalid('ends_on', VACATION_IS_OVER)
  requireCurrent(await requireStudent(tx, studentId))
  const [oldVacation] = await tx
    .select(pick(students, 'vacation_from', 'vacation_until'))
    .from(students)
    .where(eq(students.id, studentId))
  const oldDays = oldVacation?.vacation_from
    ? { from: oldVacation.vacation_from, until: oldVacation.vacation_until }
    : null
  const days = { from: starts_on, until: ends_on }
  const changedHold = { student_id: studentId, subscription_id: null, oldDays, days }
  const dates = { vacation_from: starts_on, vacation_until: ends_on }
  return describeHoldChange(tx, caller.dojoId, changedHold, async () => {
    await tx
      .update(students)
      .set({ ...dates, on_vacation: isVacationOn(today, dates) })
      .where(eq(students.id, studentId))
    return followVacationOf(tx, caller, studentId, today)
  })
}
