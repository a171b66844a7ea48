import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import type { NewSubscription } from '@tatami/contract/memberships/memberships'
import type { Approval } from '@tatami/contract/students/students'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { students } from '../students/tables.ts'
import { noticesOfChange } from './act-notices.ts'
import { previewOf, startFor } from './acts.ts'
import type { StaffCaller } from './start.ts'
import type { StudentNotice } from './tell.ts'

/** A student who awaits approval pays nothing yet, but will when the plan starts. */
export const previewStart = (
  tx: Tx,
  caller: StaffCaller,
  studentId: string,
  form: NewSubscription,
): Promise<ActPreview> =>
  previewOf(tx, async () => {
    await tx
      .update(students)
      .set({ awaits_approval: false, pays_since: await todayOf(tx, caller.dojoId) })
      .where(and(eq(students.id, studentId), eq(students.awaits_approval, true)))
    return startFor(tx, caller, studentId, form)
  })

/** Starts the plan that a student chose on the join page, unless staff decided against it. Returns
 *  what the payers and the student are told. Throws 409 if the plan is no longer sold. */
export async function startRequestedPlan(
  tx: Tx,
  caller: StaffCaller,
  { id, requested_plan_id }: Pick<typeof students.$inferSelect, 'id' | 'requested_plan_id'>,
  { without_plan, quoted }: Approval,
): Promise<StudentNotice[]> {
  if (requested_plan_id === null) return []
  const reply = without_plan
    ? null
    : await startFor(tx, caller, id, {
        plan_id: requested_plan_id,
        starts_on: await todayOf(tx, caller.dojoId),
        quoted,
      })
  await tx.update(students).set({ requested_plan_id: null }).where(eq(students.id, id))
  return reply ? noticesOfChange(tx, caller.dojoId, reply) : []
}
