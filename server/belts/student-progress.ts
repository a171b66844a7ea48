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
  type RankHolder,
  countClasses,
  findMetRequirements,
  type MetRequirements,
  projectClasses,
} from './counting.ts'
import { findCompletion } from './completion.ts'
import {
  hasNoRequirements,
  findMissingRules,
  determineReadiness,
  type Requirements,
} from './eligibility.ts'
import { type CurrentRank, findCurrentRanks, findRanksOfCurrentStudents } from './current-ranks.ts'
import { findNextRank, type NextRank, getNextRank } from './next-rank.ts'
import { type LadderWithRanks, findLadders, type StyleRow } from './styles.ts'
import { skills } from './tables.ts'
import { getOrThrow, pick, pluck } from '../lib/rows.ts'
import { type VacationPeriod, subtractVacations } from './time-in-rank.ts'

/** A `day` after `today` is a forecast. */
type Days = { today: string; day: string }

type StudentRow = Awaited<ReturnType<typeof findStudents>>[number]
type SkillRow = { id: string; rank_id: string; name: string; required: boolean }

export type StudentProgress = {
  student: StudentRow
  currentRank: CurrentRank
  next: NextRank
  classes: number
  months: number
  missing: MissingRule[]
  completion: number | null
  instructor_decides: boolean
  readiness: Readiness
  skills: { id: string; name: string; required: boolean; checked: boolean }[]
  is_approved: boolean
}

/** Reads the progress of students, or of all current students if `studentIds` is null. Leaves out
 *  students without a rank. */
export async function readProgress(
  tx: Tx,
  style: StyleRow,
  studentIds: string[] | null,
  days: Days,
): Promise<StudentProgress[]> {
  const ranksByStudent = studentIds
    ? await findCurrentRanks(tx, style, studentIds)
    : await findRanksOfCurrentStudents(tx, style)
  if (ranksByStudent.size === 0) return []
  const studentRows = await findStudents(tx, [...ranksByStudent.keys()])
  const ladders = await findLadders(tx, style.id)
  const studentsWithRank = studentRows.map((student) => {
    const currentRank = getOrThrow(ranksByStudent, student.id)
    const next = findNextRank(ladders, currentRank.rank, days.day, student.date_of_birth)
    return { student, currentRank, next }
  })
  const rankHolders = studentsWithRank.map(toRankHolder)
  const lastCountedDay = days.day < days.today ? days.day : days.today
  const counts = await countClasses(tx, style.id, rankHolders, lastCountedDay)
  const metRequirements = await findMetRequirements(tx, rankHolders)
  const excludedVacations = style.vacation_counts
    ? new Map<string, VacationPeriod[]>()
    : await findVacations(tx, studentRows)
  const checklists = await findChecklists(tx, ladders)
  return studentsWithRank.map((studentWithRank) => {
    const studentId = studentWithRank.student.id
    const nextRankId = getNextRank(studentWithRank.next)?.id
    return toProgress(studentWithRank, days, {
      counts: getOrThrow(counts, studentId),
      metRequirements: metRequirements.get(studentId),
      excludedVacations: excludedVacations.get(studentId) ?? [],
      checklist: (nextRankId && checklists.get(nextRankId)) || [],
    })
  })
}

type StudentWithRank = Pick<StudentProgress, 'student' | 'currentRank' | 'next'>

function toRankHolder({ student, currentRank, next }: StudentWithRank): RankHolder {
  const nextRank = getNextRank(next)
  return {
    student_id: student.id,
    since: currentRank.since,
    next_rank_id: nextRank?.id ?? null,
    max_classes_a_day: nextRank?.max_classes_a_day ?? null,
  }
}

type ProgressInputs = {
  counts: ClassCounts
  metRequirements: MetRequirements | undefined
  excludedVacations: VacationPeriod[]
  checklist: SkillRow[]
}

function toProgress(
  { student, currentRank, next }: StudentWithRank,
  { today, day }: Days,
  { counts, metRequirements, excludedVacations, checklist }: ProgressInputs,
): StudentProgress {
  const checked_skills = metRequirements?.checked_skills ?? []
  const is_approved = metRequirements?.is_approved ?? false
  const has_paid = metRequirements?.has_paid ?? false
  const { since } = currentRank
  const classes = currentRank.classes_before + projectClasses(counts, today, day)
  const requirements = toRequirements(next, checklist)
  const instructorDecides = requirements !== null && hasNoRequirements(requirements)
  const wasPromoted = currentRank.kind !== null && currentRank.kind !== 'start'
  const rankProgress = {
    since,
    wasPromoted,
    classes,
    stripes: currentRank.stripes,
    excludedVacations,
    date_of_birth: student.date_of_birth,
    checked_skills,
    is_approved,
    has_paid,
  }
  const missingRules = requirements ? findMissingRules(requirements, rankProgress, day) : []
  return {
    student,
    currentRank,
    next,
    classes,
    is_approved,
    months: wholeMonthsBetween(since, subtractVacations(excludedVacations, since, day)),
    missing: missingRules,
    completion: requirements && findCompletion(requirements, rankProgress, day),
    instructor_decides: instructorDecides,
    readiness: determineReadiness(next, {
      isTrial: student.is_trial,
      isOnVacation: isOnVacation(day, student),
      wasPromotedThatDay: wasPromoted && since === day,
      instructorDecides,
      missingRules,
    }),
    skills: checklist.map((skill) => ({
      ...pick(skill, 'id', 'name', 'required'),
      checked: checked_skills.includes(skill.id),
    })),
  }
}

function toRequirements(next: NextRank, checklist: SkillRow[]): Requirements | null {
  if (next === 'top' || next === 'outgrown') return null
  const requiredSkills = checklist.filter(({ required }) => required)
  return {
    ...next.rank,
    age_counts: next.ladder.age_counts,
    required_skills: pluck(requiredSkills, 'id'),
  }
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

/** A vacation that an instructor started by hand may have no first day. */
const isOnVacation = (day: string, { on_vacation, ...dates }: StudentRow) =>
  dates.vacation_from === null ? on_vacation : isVacationOn(day, dates)

/** A vacation without a first day counts from the day the student was enrolled. */
async function findVacations(
  tx: Tx,
  studentRows: StudentRow[],
): Promise<Map<string, VacationPeriod[]>> {
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
  return Map.groupBy<string, VacationPeriod & { student_id: string }>(
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
