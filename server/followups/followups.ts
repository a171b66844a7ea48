import {
  type DueSteps,
  type NewStudent,
  SHOWN_STEPS,
  type StudentFollowups,
} from '@tatami/contract/followups/followups'
import { PLAN_DAYS } from '@tatami/contract/followups/plan-day'
import { and, desc, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { requireStudent } from '../guardians/guardianships.ts'
import { pick } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { readPlan } from './plans.ts'
import { dueSince, isDue, isOpenStep, type Progress, readProgress } from './progress.ts'
import { followups } from './tables.ts'

export { forgetStarts, startFollowups } from './start.ts'

/** The steps that a person should do now, oldest first. Texts are sent without anybody. */
export async function readDueSteps(
  tx: Tx,
  today: string,
  limit: number = SHOWN_STEPS,
): Promise<DueSteps> {
  if (!(await readPlan(tx)).is_on) return { steps: [], total: 0 }
  const newStudents = await readProgress(tx, today, isOpenStep)
  const steps = newStudents.flatMap((progress) =>
    progress.steps
      .filter((step) => isDue(step, progress, today))
      .map((step) => ({
        ...pick(step, 'id', 'student_id', 'kind', 'words'),
        student_name: progress.student_name,
        plan_day: visibleDay(progress),
        due_since: dueSince(step, progress, today),
      })),
  )
  const sortedSteps = steps.toSorted((a, b) => a.due_since.localeCompare(b.due_since))
  return { steps: sortedSteps.slice(0, limit), total: steps.length }
}

/** Steps of the last day may still be open a few days later. */
const visibleDay = ({ day }: Progress): number => Math.min(day, PLAN_DAYS)

export async function listNewStudents(tx: Tx, today: string): Promise<NewStudent[]> {
  if (!(await readPlan(tx)).is_on) return []
  const newStudents = await readProgress(tx, today, isOpenStep)
  return newStudents.map((progress) => {
    const [nextStep] = progress.steps
    return {
      ...pick(progress, 'student_id', 'student_name', 'is_paused'),
      plan_day: visibleDay(progress),
      next_step: nextStep?.words ?? null,
      next_step_day: nextStep?.day ?? null,
    }
  })
}

/** The plan of a student since the last start, for the student's page. */
export async function readStudentFollowups(
  tx: Tx,
  studentId: string,
  today: string,
): Promise<StudentFollowups> {
  await requireStudent(tx, studentId)
  const { is_on } = await readPlan(tx)
  const [lastStep] = await tx
    .select({ started_on: followups.started_on, left_on: students.left_on })
    .from(students)
    .leftJoin(followups, eq(followups.student_id, students.id))
    .where(eq(students.id, studentId))
    .orderBy(desc(followups.started_on))
    .limit(1)
  const startedOn = lastStep?.started_on ?? null
  const [progress] = startedOn === null ? [] : await readRun(tx, studentId, startedOn, today)
  const isUnderWay = progress?.steps.some(({ state }) => state === 'open') ?? false
  return {
    started_on: startedOn,
    plan_day: is_on && progress && isUnderWay ? visibleDay(progress) : null,
    is_paused: progress?.is_paused ?? false,
    may_start: is_on && !isUnderWay && lastStep?.left_on === null && startedOn !== today,
    steps: progress ? await describeSteps(tx, progress, today) : [],
  }
}

/** The day of the plan on which a student is, or null. */
export async function readPlanDay(
  tx: Tx,
  studentId: string,
  today: string,
): Promise<number | null> {
  if (!(await readPlan(tx)).is_on) return null
  const [progress] = await readProgress(
    tx,
    today,
    and(eq(followups.student_id, studentId), isOpenStep),
  )
  return progress ? visibleDay(progress) : null
}

/** Former students have no progress, but their steps are kept. */
const readRun = (tx: Tx, studentId: string, startedOn: string, today: string) =>
  readProgress(
    tx,
    today,
    and(eq(followups.student_id, studentId), eq(followups.started_on, startedOn)),
  )

async function describeSteps(
  tx: Tx,
  progress: Progress,
  today: string,
): Promise<StudentFollowups['steps']> {
  const staffIds = [...new Set(progress.steps.flatMap(({ closed_by }) => closed_by ?? []))]
  const staff = await tx
    .select(pick(instructors, 'id', 'name'))
    .from(instructors)
    .where(equalsAny(instructors.id, staffIds))
  const staffNames = new Map(staff.map(({ id, name }) => [id, name]))
  return progress.steps.map((step) => ({
    ...pick(step, 'id', 'day', 'kind', 'words', 'condition', 'state', 'closed_on', 'skipped_why'),
    is_due: isDue(step, progress, today),
    closed_by_name: step.closed_by === null ? null : (staffNames.get(step.closed_by) ?? null),
  }))
}
