import { daysBetween, addDays, addMonthsToDay } from '@tatami/contract/lib/calendar-day'
import type { MissingRule, RankRule } from '@tatami/contract/belts/eligibility'
import type { Readiness } from '@tatami/contract/belts/readiness'
import { ageAs } from './rank-of-level.ts'
import { ageReachedOn } from './next-rank.ts'
import type { LadderRow, RankRow } from './styles.ts'
import { type AwayDays, dayReached, dayWithout } from './time-in-rank.ts'

type Asked =
  | 'min_months'
  | 'min_classes'
  | 'min_age'
  | 'max_age'
  | 'min_stripes'
  | 'needs_approval'
  | 'needs_fee'
/** What a rank asks for; `required_skills` are ids. */
export type Requirements = Pick<RankRow, Asked> &
  Pick<LadderRow, 'age_counts'> & { required_skills: readonly string[] }

/** What somebody has in the rank that they hold. `away` are days on vacation that do not count as time; none where they do. */
type InRank = {
  since: string
  /** False for what somebody started with. */
  was_promoted: boolean
  classes: number
  stripes: number
  away: readonly AwayDays[]
  date_of_birth: string | null
  checked_skills: readonly string[]
  is_approved: boolean
  has_paid: boolean
}

const missing = (
  rule: RankRule,
  short_by: number | null = null,
  until: string | null = null,
): MissingRule => ({ rule, short_by, until })

/** True for a rank without requirements. The limits of a rank that count classes only (`max_classes_a_day`) ask for nothing by themselves. */
export const asksForNothing = (asked: Requirements): boolean =>
  !asked.min_classes &&
  !asked.min_months &&
  asked.min_age === null &&
  asked.max_age === null &&
  !asked.min_stripes &&
  !asked.needs_approval &&
  !asked.needs_fee &&
  asked.required_skills.length === 0

/** The rules of a rank that are not met on a day, in the order of RANK_RULES; none for somebody who is ready. */
export function eligibilityOf(asked: Requirements, has: InRank, day: string): MissingRule[] {
  const few = (rule: RankRule, wanted: number | null, got: number) =>
    got < (wanted ?? 0) ? [missing(rule, wanted! - got)] : []
  if (asksForNothing(asked)) return []
  const unchecked = asked.required_skills.filter((id) => !has.checked_skills.includes(id))
  return [
    ...few('classes', asked.min_classes, has.classes),
    ...timeMissing(asked.min_months, has, day),
    ...ageMissing(asked, has.date_of_birth, day),
    ...few('stripes', asked.min_stripes, has.stripes),
    ...few('skills', asked.required_skills.length, asked.required_skills.length - unchecked.length),
    ...(asked.needs_approval && !has.is_approved ? [missing('approval')] : []),
    ...(asked.needs_fee && !has.has_paid ? [missing('fee')] : []),
  ]
}

/** `short_by` are days that count: those on vacation come on top. On the day of a promotion a day is missing, whatever the rank asks for. */
function timeMissing(
  min_months: number | null,
  { since, away, was_promoted }: InRank,
  day: string,
): MissingRule[] {
  const goal = addMonthsToDay(since, min_months ?? 0)
  const counted = dayWithout(away, since, day)
  if (min_months !== null && counted < goal)
    return [missing('months', daysBetween(counted, goal), dayReached(away, since, goal))]
  return was_promoted && day === since ? [missing('months', 1, addDays(since, 1))] : []
}

function ageMissing(
  { min_age, max_age, age_counts }: Requirements,
  dateOfBirth: string | null,
  day: string,
): MissingRule[] {
  if (min_age === null && max_age === null) return []
  if (dateOfBirth === null) return [missing('age_unknown')]
  const age = ageAs(age_counts, day, dateOfBirth)
  if (min_age !== null && age < min_age)
    return [missing('min_age', null, ageReachedOn(age_counts, dateOfBirth, min_age))]
  return max_age !== null && age > max_age ? [missing('max_age')] : []
}

/** How far somebody is from being ready, for the order of a list: each class, day, stripe and skill is one, and so is whatever is not counted. An
 *  age that is still to come is as many days, and one that is past is out of reach. */
export function distanceTo(rules: readonly MissingRule[], day: string): number {
  const distances = rules.map(({ rule, short_by, until }) =>
    rule === 'max_age' ? Infinity : (short_by ?? (until === null ? 1 : daysBetween(day, until))),
  )
  return distances.reduce((sum, one) => sum + one, 0)
}

/** Whoever has no next rank is neither ready nor short; trial students and those on vacation are listed apart. */
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
