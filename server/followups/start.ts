import type { PlanStep } from '@tatami/contract/followups/steps'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { acrossClasses, type Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { students } from '../students/tables.ts'
import { readPlan } from './plans.ts'
import { followups } from './tables.ts'

/** Who enrolled longer before the plan was turned on is not new, even if no class was marked. */
const NEW_STUDENT_DAYS = 30

/** Starts the plan of students who came to their first class. Call it when students were marked
 *  present. Students who returned start only by hand. */
export async function startFollowups(
  tx: Tx,
  dojoId: string,
  studentIds: readonly string[],
): Promise<void> {
  if (studentIds.length === 0) return
  const { is_on, starts_from, steps, version } = await readPlan(tx)
  if (!is_on || starts_from === null) return
  const firstClasses = await acrossClasses(tx, () =>
    findFirstClasses(tx, dojoId, studentIds, starts_from),
  )
  for (const { student_id, day } of firstClasses)
    await addSteps(tx, { student_id, started_on: day, plan_version: version }, steps)
}

type FirstClass = { student_id: string; day: string }

async function findFirstClasses(
  tx: Tx,
  dojoId: string,
  studentIds: readonly string[],
  startsFrom: string,
): Promise<FirstClass[]> {
  const { time_zone } = await dojoById(tx, dojoId)
  const { rows } = await tx.execute<FirstClass>(sql`
    select student.id as student_id, min(mark.class_date)::text as day
    from ${students} student
    join ${attendance} mark on mark.dojo_id = student.dojo_id and mark.student_id = student.id
      and mark.present
    where student.id = any(${sql.param([...studentIds])}::uuid[])
      and student.left_on is null and student.returned_on is null and not student.awaits_approval
      and coalesce(student.joined_on, (student.created_at at time zone ${time_zone})::date)
        >= ${addDays(startsFrom, -NEW_STUDENT_DAYS)}::date
      and not exists (select from ${followups} step
        where step.dojo_id = student.dojo_id and step.student_id = student.id)
    group by student.id having min(mark.class_date) >= ${startsFrom}::date`)
  return rows
}

type Start = Pick<typeof followups.$inferInsert, 'student_id' | 'started_on' | 'plan_version'>

export const addSteps = (tx: Tx, start: Start, steps: readonly PlanStep[]) =>
  tx
    .insert(followups)
    .values(steps.map((step, position) => ({ ...start, ...step, position })))
    .onConflictDoNothing()

/** A mark on the roll was a mistake: forgets the start of students who have never come, unless a
 *  step was done. Call it when marks were removed or changed to absent. */
export async function forgetStarts(
  tx: Tx,
  studentIds: readonly string[],
  classDate: string,
): Promise<void> {
  if (studentIds.length === 0) return
  await acrossClasses(tx, () =>
    tx.execute(sql`
      delete from ${followups} step
      where step.student_id = any(${sql.param([...studentIds])}::uuid[])
        and step.started_on = ${classDate}::date
        and not exists (select from ${attendance} mark
          where mark.dojo_id = step.dojo_id and mark.student_id = step.student_id and mark.present)
        and not exists (select from ${followups} closed
          where closed.dojo_id = step.dojo_id and closed.student_id = step.student_id
            and closed.state <> 'open')`),
  )
}
