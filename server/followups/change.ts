import type { FollowupState } from '@tatami/contract/followups/followups'
import { and, eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { readStudentFollowups } from './followups.ts'
import { readPlan } from './plans.ts'
import { isOpenStep } from './progress.ts'
import { addSteps } from './start.ts'
import { followups } from './tables.ts'

/** Throws 409 for a text that was sent: it cannot be taken back. */
export async function setState(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  state: FollowupState,
): Promise<void> {
  const [step] = await tx.select().from(followups).where(eq(followups.id, id)).for('update')
  if (!step) throw notFound('Step')
  if (step.state === state) return
  if (step.kind === 'text' && step.state === 'done')
    throw new Refusal(409, 'This text was sent already.')
  await tx
    .update(followups)
    .set(
      state === 'open'
        ? { state, closed_on: null, closed_at: null, closed_by: null, skipped_why: null }
        : {
            state,
            closed_on: await todayOf(tx, caller.dojoId),
            closed_at: nowIso(),
            closed_by: caller.id,
            skipped_why: null,
          },
    )
    .where(eq(followups.id, id))
}

/** Throws 409 if the plan is off, or if the student is in it or has left. */
export async function startByHand(tx: Tx, caller: DojoCaller, studentId: string): Promise<void> {
  const today = await todayOf(tx, caller.dojoId)
  const { may_start, plan_day } = await readStudentFollowups(tx, studentId, today)
  if (plan_day !== null) throw new Refusal(409, 'The first 90 days of this student have begun.')
  if (!may_start) throw new Refusal(409, 'The first 90 days are off, or the student has left.')
  const { steps, version } = await readPlan(tx)
  await addSteps(tx, { student_id: studentId, started_on: today, plan_version: version }, steps)
  await auditAction(tx, caller, 'first 90 days started', { subject_id: studentId })
}

/** Skips all open steps. */
export async function stopByHand(tx: Tx, caller: DojoCaller, studentId: string): Promise<void> {
  const today = await todayOf(tx, caller.dojoId)
  await readStudentFollowups(tx, studentId, today)
  const skippedSteps = await tx
    .update(followups)
    .set({
      state: 'skipped',
      closed_on: today,
      closed_at: nowIso(),
      closed_by: caller.id,
      skipped_why: 'Stopped',
    })
    .where(and(eq(followups.student_id, studentId), isOpenStep))
    .returning({ id: followups.id })
  if (skippedSteps.length === 0) throw new Refusal(409, 'There are no open steps.')
  await auditAction(tx, caller, 'first 90 days stopped', { subject_id: studentId })
}

/** Closes steps without a person. Skipped steps keep the reason. */
export async function closeSteps(
  tx: Tx,
  ids: readonly string[],
  today: string,
  skippedWhy: string | null,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(followups)
    .set({
      state: skippedWhy === null ? 'done' : 'skipped',
      closed_on: today,
      closed_at: nowIso(),
      skipped_why: skippedWhy,
    })
    .where(and(equalsAny(followups.id, [...ids]), isOpenStep))
}
