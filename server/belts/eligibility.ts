import { daysBetween, addDays, addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import type { MissingRule, RankRule } from '@tatami/contract/belts/eligibility'
import type { Readiness } from '@tatami/contract/belts/readiness'
import { ageAs } from './rank-of-level.ts'
import { ageReachedOn } from './next-rank.ts'
import type { LadderRow, RankRow } from './styles.ts'
import { type AwayDays, dayReached, dayWithout } from './time-in-rank.ts'

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

/** `away` are days on vacation that do not count as time. */
type InRank = {
  since: string
  was_promoted: boolean
  classes: number
  stripes: number
  away: readonly AwayDays[]
  date_of_birth: string | null
  checked_skills: readonly string[]
  is_approved: boolean
  has_paid: boolean
}

const missingRule = (
  rule: RankRule,
  short_by: number | null = null,
  reachedOn: string | null = null,
): MissingRule => ({ rule, short_by, until: reachedOn })

/** True for a rank without requirements. `max_classes_a_day` alone requires nothing. */
export const requiresNothing = (requirements: Requirements): boolean =>
  !requirements.min_classes &&
  !requirements.min_months &&
  requirements.min_age === null &&
  requirements.max_age === null &&
  !requirements.min_stripes &&
  !requirements.needs_approval &&
  !requirements.needs_fee &&
  requirements.required_skills.length === 0

export function eligibilityOf(
  requirements: Requirements,
  inRank: InRank,
  day: string,
): MissingRule[] {
  const shortfall = (rule: RankRule, goal: number | null, got: number) =>
    got < (goal ?? 0) ? [missingRule(rule, goal! - got)] : []
  if (requiresNothing(requirements)) return []
  const uncheckedSkills = requirements.required_skills.filter(
    (id) => !inRank.checked_skills.includes(id),
  )
  return [
    ...shortfall('classes', requirements.min_classes, inRank.classes),
    ...timeMissing(requirements.min_months, inRank, day),
    ...ageMissing(requirements, inRank.date_of_birth, day),
    ...shortfall('stripes', requirements.min_stripes, inRank.stripes),
    ...shortfall(
      'skills',
      requirements.required_skills.length,
      requirements.required_skills.length - uncheckedSkills.length,
    ),
    ...(requirements.needs_approval && !inRank.is_approved ? [missingRule('approval')] : []),
    ...(requirements.needs_fee && !inRank.has_paid ? [missingRule('fee')] : []),
  ]
}

/** Vacation comes on top of `short_by`. On the day of a promotion one day is always missing. */
function timeMissing(
  min_months: number | null,
  { since, away, was_promoted }: InRank,
  day: string,
): MissingRule[] {
  const goal = addMonthsToDay(since, min_months ?? 0)
  const countedDay = dayWithout(away, since, day)
  if (min_months !== null && countedDay < goal)
    return [missingRule('months', daysBetween(countedDay, goal), dayReached(away, since, goal))]
  return was_promoted && day === since ? [missingRule('months', 1, addDays(since, 1))] : []
}

function ageMissing(
  { min_age, max_age, age_counts }: Requirements,
  dateOfBirth: string | null,
  day: string,
): MissingRule[] {
  if (min_age === null && max_age === null) return []
  if (dateOfBirth === null) return [missingRule('age_unknown')]
  const age = ageAs(age_counts, day, dateOfBirth)
  if (min_age !== null && age < min_age)
    return [missingRule('min_age', null, ageReachedOn(age_counts, dateOfBirth, min_age))]
  return max_age !== null && age > max_age ? [missingRule('max_age')] : []
}

/** Orders a list by how little is missing: each class, day, stripe and skill is one. Somebody
 *  who is too old is infinitely far away. */
export function distanceTo(rules: readonly MissingRule[], day: string): number {
  const distances = rules.map(({ rule, short_by, until }) =>
    rule === 'max_age' ? Infinity : (short_by ?? (until === null ? 1 : daysBetween(day, until))),
  )
  return distances.reduce((sum, distance) => sum + distance, 0)
}

export function readinessOf(
  next: object | 'top' | 'outgrown',
  student: {
    is_trial: boolean
    is_away: boolean
    was_promoted_then: boolean
    instructor_decides: boolean
    missing: readonly MissingRule[]
  },
): Readiness {
  if (next === 'top' || next === 'outgrown') return next
  if (student.is_trial) return 'trial'
  if (student.is_away) return 'vacation'
  if (student.was_promoted_then) return 'promoted'
  if (student.instructor_decides) return 'instructor_decides'
  return student.missing.length === 0 ? 'ready' : 'short'
}
