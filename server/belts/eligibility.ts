import { daysBetween, addDays, addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import type { MissingRule, RankRule } from '@tatami/contract/belts/eligibility'
import type { Readiness } from '@tatami/contract/belts/readiness'
import { computeLadderAge } from './rank-for-belt.ts'
import { findDayOfAge } from './next-rank.ts'
import type { LadderRow, RankRow } from './styles.ts'
import { type VacationPeriod, addVacations, subtractVacations } from './time-in-rank.ts'

type RequirementColumn =
  | 'min_months'
  | 'min_classes'
  | 'min_age'
  | 'max_age'
  | 'min_stripes'
  | 'needs_approval'
  | 'needs_fee'
export type Requirements = Pick<RankRow, RequirementColumn> &
  Pick<LadderRow, 'age_counts'> & { required_skills: readonly string[] }

export type RankProgress = {
  since: string
  /** False if the rank was only assumed at enrollment. */
  wasPromoted: boolean
  classes: number
  stripes: number
  excludedVacations: readonly VacationPeriod[]
  date_of_birth: string | null
  checked_skills: readonly string[]
  is_approved: boolean
  has_paid: boolean
}

const createMissingRule = (
  rule: RankRule,
  short_by: number | null = null,
  reachedOn: string | null = null,
): MissingRule => ({ rule, short_by, until: reachedOn })

/** Ignores `max_classes_a_day`, because it only limits how classes are counted. */
export const hasNoRequirements = (requirements: Requirements): boolean =>
  !requirements.min_classes &&
  !requirements.min_months &&
  requirements.min_age === null &&
  requirements.max_age === null &&
  !requirements.min_stripes &&
  !requirements.needs_approval &&
  !requirements.needs_fee &&
  requirements.required_skills.length === 0

export function findMissingRules(
  requirements: Requirements,
  progress: RankProgress,
  day: string,
): MissingRule[] {
  const findMissingCount = (rule: RankRule, requiredCount: number, actualCount: number) =>
    actualCount < requiredCount ? [createMissingRule(rule, requiredCount - actualCount)] : []
  if (hasNoRequirements(requirements)) return []
  const uncheckedSkills = requirements.required_skills.filter(
    (id) => !progress.checked_skills.includes(id),
  )
  return [
    ...findMissingCount('classes', requirements.min_classes ?? 0, progress.classes),
    ...findMissingTime(requirements.min_months, progress, day),
    ...findMissingAge(requirements, progress.date_of_birth, day),
    ...findMissingCount('stripes', requirements.min_stripes ?? 0, progress.stripes),
    ...findMissingCount('skills', uncheckedSkills.length, 0),
    ...(requirements.needs_approval && !progress.is_approved
      ? [createMissingRule('approval')]
      : []),
    ...(requirements.needs_fee && !progress.has_paid ? [createMissingRule('fee')] : []),
  ]
}

/** On the day of a promotion, one day is always missing, so that nobody is ready again on that day.
 *  A future vacation changes only `until`. */
function findMissingTime(
  min_months: number | null,
  { since, excludedVacations, wasPromoted }: RankProgress,
  day: string,
): MissingRule[] {
  const goal = addMonthsToDay(since, min_months ?? 0)
  const countedDay = subtractVacations(excludedVacations, since, day)
  if (min_months !== null && countedDay < goal) {
    const reachedOn = addVacations(excludedVacations, since, goal)
    return [createMissingRule('months', daysBetween(countedDay, goal), reachedOn)]
  }
  return wasPromoted && day === since ? [createMissingRule('months', 1, addDays(since, 1))] : []
}

function findMissingAge(
  { min_age, max_age, age_counts }: Requirements,
  dateOfBirth: string | null,
  day: string,
): MissingRule[] {
  if (min_age === null && max_age === null) return []
  if (dateOfBirth === null) return [createMissingRule('age_unknown')]
  const age = computeLadderAge(age_counts, day, dateOfBirth)
  if (min_age !== null && age < min_age)
    return [createMissingRule('min_age', null, findDayOfAge(age_counts, dateOfBirth, min_age))]
  return max_age !== null && age > max_age ? [createMissingRule('max_age')] : []
}

/** Adds up the missing classes, days, stripes and skills. Returns Infinity if the student is too
 *  old. */
export function measureDistanceToReady(rules: readonly MissingRule[], day: string): number {
  const distances = rules.map((missingRule) => measureDistance(missingRule, day))
  return distances.reduce((sum, distance) => sum + distance, 0)
}

function measureDistance({ rule, short_by, until }: MissingRule, day: string): number {
  if (rule === 'max_age') return Infinity
  if (short_by !== null) return short_by
  return until === null ? 1 : daysBetween(day, until)
}

export function determineReadiness(
  next: object | 'top' | 'outgrown',
  student: {
    isTrial: boolean
    isOnVacation: boolean
    wasPromotedThatDay: boolean
    instructorDecides: boolean
    missingRules: readonly MissingRule[]
  },
): Readiness {
  if (next === 'top' || next === 'outgrown') return next
  if (student.isTrial) return 'trial'
  if (student.isOnVacation) return 'vacation'
  if (student.wasPromotedThatDay) return 'promoted'
  if (student.instructorDecides) return 'instructor_decides'
  return student.missingRules.length === 0 ? 'ready' : 'short'
}
