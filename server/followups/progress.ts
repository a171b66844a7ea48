import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'
import { MAX_DATE } from '@tatami/contract/lib/fields'
import { type Pause, planDay } from '@tatami/contract/followups/plan-day'
import { AWAY_DAYS, FEW_CLASSES } from '@tatami/contract/followups/steps'
import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { holidays } from '../calendar/timetable/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { formatShortDay } from '../lib/format-day.ts'
import { groupRows, pick, pluck } from '../lib/rows.ts'
import { isCurrentStudent, pastVacations, students } from '../students/tables.ts'
import { followups } from './tables.ts'

export type FollowupRow = typeof followups.$inferSelect

/** A student in the first 90 days. */
export type Progress = {
  student_id: string
  student_name: string
  started_on: string
  day: number
  /** True during a vacation or hold. Nothing is due then. */
  is_paused: boolean
  /** Since the start of the plan. */
  classes: number
  last_class_on: string | null
  steps: FollowupRow[]
}

type StudentRow = {
  name: string
  on_vacation: boolean
  vacation_from: string | null
  vacation_until: string | null
}

/** Reads the current students with steps to which the condition applies, oldest start first. */
export async function readProgress(
  tx: Tx,
  today: string,
  condition: SQL | undefined,
): Promise<Progress[]> {
  const steps = await tx
    .select()
    .from(followups)
    .where(condition)
    .orderBy(asc(followups.started_on), asc(followups.student_id), asc(followups.position))
  if (steps.length === 0) return []
  const studentIds = [...new Set(pluck(steps, 'student_id'))]
  const studentsById = await readCurrentStudents(tx, studentIds)
  const pausesByStudent = await readPauses(tx, studentIds, today)
  const holidayPauses = await readHolidays(tx, today)
  const runs = [...groupRows(steps, runKey).values()]
  const classesByRun = await countClasses(
    tx,
    runs.map(([firstStep]) => firstStep),
    today,
  )
  return runs.flatMap((run) => {
    const [{ student_id, started_on }] = run
    const student = studentsById.get(student_id)
    if (!student) return []
    const vacations = [
      ...(pausesByStudent.get(student_id) ?? []),
      ...currentVacation(student, today),
    ]
    const attendedClasses = classesByRun.get(runKey(run[0]))
    return {
      student_id,
      started_on,
      student_name: student.name,
      day: planDay(started_on, today, [...vacations, ...holidayPauses]),
      is_paused: vacations.some(({ first, last }) => first <= today && today <= last),
      classes: attendedClasses?.classes ?? 0,
      last_class_on: attendedClasses?.last_class_on ?? null,
      steps: run,
    }
  })
}

/** A student who starts again has another run of steps. */
type Run = Pick<FollowupRow, 'student_id' | 'started_on'>
const runKey = ({ student_id, started_on }: Run): string => `${student_id} ${started_on}`

async function readCurrentStudents(tx: Tx, ids: string[]): Promise<Map<string, StudentRow>> {
  const rows = await tx
    .select(pick(students, 'id', 'name', 'on_vacation', 'vacation_from', 'vacation_until'))
    .from(students)
    .where(and(equalsAny(students.id, ids), isCurrentStudent))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The start of a vacation is unknown if somebody only ticked that the student is away. */
function currentVacation(student: StudentRow, today: string): Pause[] {
  const { on_vacation, vacation_from, vacation_until } = student
  const first = vacation_from ?? (on_vacation ? today : null)
  return first === null ? [] : [{ first, last: vacation_until ?? MAX_DATE }]
}

async function readPauses(
  tx: Tx,
  studentIds: string[],
  today: string,
): Promise<Map<string, Pause[]>> {
  const rows = await tx
    .select({
      student_id: pastVacations.student_id,
      first: pastVacations.vacation_from,
      last: pastVacations.vacation_until,
    })
    .from(pastVacations)
    .where(
      and(equalsAny(pastVacations.student_id, studentIds), lte(pastVacations.vacation_from, today)),
    )
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

const readHolidays = (tx: Tx, today: string): Promise<Pause[]> =>
  tx
    .select({ first: holidays.first_day, last: holidays.last_day })
    .from(holidays)
    .where(lte(holidays.first_day, today))

type ClassCount = { classes: number; last_class_on: string | null }

async function countClasses(
  tx: Tx,
  runs: readonly Run[],
  today: string,
): Promise<Map<string, ClassCount>> {
  const { rows } = await tx.execute<Run & ClassCount>(sql`
    select start.student_id, start.started_on::text, count(mark.id)::int as classes,
      max(mark.class_date)::text as last_class_on
    from unnest(${sql.param(pluck(runs, 'student_id'))}::uuid[],
      ${sql.param(pluck(runs, 'started_on'))}::date[]) as start(student_id, started_on)
    left join ${attendance} mark on mark.dojo_id = current_setting('app.dojo_id')::uuid
      and mark.student_id = start.student_id and mark.present
      and mark.class_date between start.started_on and ${today}::date
    group by start.student_id, start.started_on`)
  return new Map(rows.map((row) => [runKey(row), row]))
}

/** After so many days, a text would only confuse. */
const LATE_TEXT_DAYS = 3
/** After so many days, nobody will do the step any more. */
const FORGOTTEN_DAYS = 30

/** Why an open step is no longer needed, or null. */
export function findSkipReason(step: FollowupRow, progress: Progress, today: string) {
  const lateDays = progress.day - step.day
  if (step.condition === 'few_classes' && progress.classes >= FEW_CLASSES)
    return `Came ${progress.classes} times`
  const { last_class_on } = progress
  if (step.condition === 'away' && last_class_on !== null)
    if (daysBetween(last_class_on, today) < AWAY_DAYS)
      return describeLastClass(last_class_on, today)
  if (step.kind === 'text' && lateDays > LATE_TEXT_DAYS) return 'Too late for a text'
  return lateDays > FORGOTTEN_DAYS ? `Not done within ${FORGOTTEN_DAYS} days` : null
}

function describeLastClass(lastClassOn: string, today: string): string {
  if (lastClassOn === today) return 'Came today'
  if (lastClassOn === addDays(today, -1)) return 'Came yesterday'
  return `Came on ${formatShortDay(lastClassOn)}`
}

export const hasBegun = (step: FollowupRow, { day, is_paused }: Progress): boolean =>
  step.state === 'open' && !is_paused && step.day <= day

/** A step that a person should do now. */
export const isDue = (step: FollowupRow, progress: Progress, today: string): boolean =>
  hasBegun(step, progress) && step.kind !== 'text' && findSkipReason(step, progress, today) === null

export const isOpenStep = eq(followups.state, 'open')

/** The day on which a step became due, at the latest. Sorts the oldest first. */
export const dueSince = (step: FollowupRow, { day }: Progress, today: string): string =>
  addDays(today, step.day - day)
