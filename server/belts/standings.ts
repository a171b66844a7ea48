import { wholeMonthsBetween } from '@tatami/contract/lib/calendar-day'
import type { MissingRule } from '@tatami/contract/belts/eligibility'
import type { Readiness } from '@tatami/contract/belts/readiness'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { and, asc, isNull, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { enrolledOn, pastVacations, students } from '../students/tables.ts'
import {
  type ClassCounts,
  type Climber,
  countClasses,
  findMetRequirements,
  type MetRequirements,
  projectClasses,
} from './counting.ts'
import { requiresNothing, eligibilityOf, readinessOf, type Requirements } from './eligibility.ts'
import { type CurrentRank, heldRanks } from './held-ranks.ts'
import { type Next, nextOf } from './next-rank.ts'
import { type LadderWithRanks, laddersOf, type StyleRow } from './styles.ts'
import { skills } from './tables.ts'
import { getOrThrow, pick, pluck } from '../lib/rows.ts'
import { type AwayDays, dayWithout } from './time-in-rank.ts'

type Days = { today: string; on: string }

type StudentRow = Awaited<ReturnType<typeof findStudents>>[number]
type SkillRow = { id: string; rank_id: string; name: string; required: boolean }

export type StudentProgress = {
  student: StudentRow
  held: CurrentRank
  next: Next
  classes: number
  months: number
  missing: MissingRule[]
  instructor_decides: boolean
  readiness: Readiness
  skills: { id: string; name: string; required: boolean; checked: boolean }[]
  is_approved: boolean
}

/** Where students stand in a style: these, or all of the dojo. Students without a rank in it are
 *  left out. A few statements read everything. */
export async function readProgress(
  tx: Tx,
  style: StyleRow,
  studentIds: string[] | null,
  days: Days,
): Promise<StudentProgress[]> {
  const ranksByStudent = await heldRanks(tx, style, studentIds)
  if (ranksByStudent.size === 0) return []
  const [studentRows, ladders] = [
    await findStudents(tx, [...ranksByStudent.keys()]),
    await laddersOf(tx, style.id),
  ]
  const people = studentRows.map((student) => {
    const currentRank = getOrThrow(ranksByStudent, student.id)
    return {
      student,
      held: currentRank,
      next: nextOf(ladders, currentRank.rank, days.on, student.date_of_birth),
    }
  })
  const climbers = people.map(climberOf)
  const counts = await countClasses(
    tx,
    style.id,
    climbers,
    days.on < days.today ? days.on : days.today,
  )
  const metRequirements = await findMetRequirements(tx, climbers)
  const away = style.vacation_counts
    ? new Map<string, AwayDays[]>()
    : await findAwayDays(tx, studentRows)
  const checklists = await findChecklists(tx, ladders)
  return people.map(({ student, ...person }) =>
    progressOf(student, person, days, {
      counts: getOrThrow(counts, student.id),
      noted: metRequirements.get(student.id),
      away: away.get(student.id) ?? [],
      checklist: typeof person.next === 'string' ? [] : (checklists.get(person.next.rank.id) ?? []),
    }),
  )
}

const climberOf = ({
  student,
  held,
  next,
}: Pick<StudentProgress, 'student' | 'held' | 'next'>): Climber => ({
  student_id: student.id,
  since: held.since,
  next_rank_id: typeof next === 'string' ? null : next.rank.id,
  max_classes_a_day: typeof next === 'string' ? null : next.rank.max_classes_a_day,
})

type ProgressInputs = {
  counts: ClassCounts
  noted: MetRequirements | undefined
  away: AwayDays[]
  checklist: SkillRow[]
}

function progressOf(
  student: StudentRow,
  { held, next }: { held: CurrentRank; next: Next },
  { today, on }: Days,
  inputs: ProgressInputs,
): StudentProgress {
  const { counts, noted, away, checklist } = inputs
  const checked_skills = noted?.checked_skills ?? []
  const is_approved = noted?.is_approved ?? false
  const has_paid = noted?.has_paid ?? false
  const classes = held.classes_before + projectClasses(counts, today, on)
  const requirements = requirementsOf(next, checklist)
  const instructor_decides = requirements !== null && requiresNothing(requirements)
  const inRank = {
    ...held,
    was_promoted: held.kind !== null && held.kind !== 'start',
    classes,
    away,
    date_of_birth: student.date_of_birth,
    checked_skills,
    is_approved,
    has_paid,
  }
  const missingRules = requirements ? eligibilityOf(requirements, inRank, on) : []
  return {
    student,
    held,
    next,
    classes,
    months: wholeMonthsBetween(held.since, dayWithout(away, held.since, on)),
    missing: missingRules,
    instructor_decides,
    readiness: readinessOf(next, {
      is_trial: student.is_trial,
      is_away: isAwayOn(on, student),
      was_promoted_then: inRank.was_promoted && held.since === on,
      instructor_decides,
      missing: missingRules,
    }),
    skills: checklist.map((skill) => ({
      ...pick(skill, 'id', 'name', 'required'),
      checked: checked_skills.includes(skill.id),
    })),
    is_approved,
  }
}

const requirementsOf = (next: Next, checklist: SkillRow[]): Requirements | null =>
  typeof next === 'string'
    ? null
    : {
        ...next.rank,
        age_counts: next.ladder.age_counts,
        required_skills: checklist.filter(({ required }) => required).map(({ id }) => id),
      }

const findStudents = (tx: Tx, ids: string[]) =>
  tx
    .select({
      ...pick(students, 'id', 'name', 'belt_level', 'belt_size', 'date_of_birth', 'is_trial'),
      ...pick(students, 'awaits_approval', 'on_vacation', 'vacation_from', 'vacation_until'),
      enrolled_on: sql<string>`${enrolledOn}::text`,
    })
    .from(students)
    .where(equalsAny(students.id, ids))

/** A vacation started by hand may have no first day. */
const isAwayOn = (day: string, { on_vacation, ...dates }: StudentRow) =>
  dates.vacation_from === null ? on_vacation : isVacationOn(day, dates)

/** Past, current and planned vacations. One without a first day counts from enrollment. */
async function findAwayDays(tx: Tx, studentRows: StudentRow[]): Promise<Map<string, AwayDays[]>> {
  const pastRows = await tx
    .select({
      student_id: pastVacations.student_id,
      from: pastVacations.vacation_from,
      until: pastVacations.vacation_until,
    })
    .from(pastVacations)
    .where(equalsAny(pastVacations.student_id, pluck(studentRows, 'id')))
  const currentVacations = studentRows
    .filter(({ on_vacation, vacation_from }) => on_vacation || vacation_from !== null)
    .map(({ id, vacation_from, vacation_until, enrolled_on }) => ({
      student_id: id,
      from: vacation_from ?? enrolled_on,
      until: vacation_until,
    }))
  return Map.groupBy<string, AwayDays & { student_id: string }>(
    [...pastRows, ...currentVacations],
    ({ student_id }) => student_id,
  )
}

async function findChecklists(
  tx: Tx,
  ladders: LadderWithRanks[],
): Promise<Map<string, SkillRow[]>> {
  const rankIds = ladders.flatMap(({ ranks }) => pluck(ranks, 'id'))
  const rows = await tx
    .select(pick(skills, 'id', 'rank_id', 'name', 'required'))
    .from(skills)
    .where(and(equalsAny(skills.rank_id, rankIds), isNull(skills.retired_at)))
    .orderBy(asc(skills.place), asc(skills.id))
  return Map.groupBy(rows, ({ rank_id }) => rank_id)
}
