import { addMonthsToDay, daysBetween } from '@tatami/contract/lib/calendar-day'
import { findMissingRules, type RankProgress, type Requirements } from './eligibility.ts'
import { subtractVacations } from './time-in-rank.ts'

/** The limit while a requirement is missing, because a full ring means that the student is
 *  ready. */
const MAX_INCOMPLETE = 0.99

/** Returns how much of a rank's requirements is met, from 0 to 1, for the ring around a face.
 *  Leaves out the fee, because everybody at the kiosk can see the ring. Returns null if there is no
 *  other requirement. */
export function findCompletion(
  requirements: Requirements,
  progress: RankProgress,
  day: string,
): number | null {
  const requirementsWithoutFee = { ...requirements, needs_fee: false }
  const shares = computeShares(requirementsWithoutFee, progress, day)
  if (shares.length === 0) return null
  if (findMissingRules(requirementsWithoutFee, progress, day).length === 0) return 1
  const average = shares.reduce((sum, share) => sum + share, 0) / shares.length
  return Math.min(MAX_INCOMPLETE, average)
}

/** Returns how much of each requirement is met, from 0 to 1. */
function computeShares(requirements: Requirements, progress: RankProgress, day: string): number[] {
  const { min_classes, min_months, min_stripes, required_skills, needs_approval } = requirements
  const checkedSkills = required_skills.filter((id) => progress.checked_skills.includes(id))
  const isAgeRequired = requirements.min_age !== null || requirements.max_age !== null
  const isAgeMissing = findMissingRules(requirements, progress, day).some(({ rule }) =>
    ['min_age', 'max_age', 'age_unknown'].includes(rule),
  )
  const shares = [
    computeCountShare(progress.classes, min_classes ?? 0),
    min_months ? computeTimeShare(min_months, progress, day) : null,
    isAgeRequired ? Number(!isAgeMissing) : null,
    computeCountShare(progress.stripes, min_stripes ?? 0),
    computeCountShare(checkedSkills.length, required_skills.length),
    needs_approval ? Number(progress.is_approved) : null,
  ]
  return shares.filter((share) => share !== null)
}

/** Returns null if the rank does not have this requirement. */
const computeCountShare = (count: number, requiredCount: number): number | null =>
  requiredCount > 0 ? Math.min(1, count / requiredCount) : null

function computeTimeShare(
  months: number,
  { since, excludedVacations }: RankProgress,
  day: string,
): number {
  const requiredDays = daysBetween(since, addMonthsToDay(since, months))
  const countedDays = daysBetween(since, subtractVacations(excludedVacations, since, day))
  return Math.min(1, Math.max(0, countedDays / requiredDays))
}
