/** A second, plain implementation of the rules for promotions. A test compares its results with
 *  those of the server for random students and ladders. */
import { addDays } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import { mustExist } from '@tatami/contract/lib/must-exist'
import fc from 'fast-check'

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 })
const integerBetween = (min: number, max: number) => fc.integer({ min, max })
const integerUpTo = (max: number) => integerBetween(0, max)
/** True once in `count` times on average. */
const oneIn = (count: number) => fc.nat(count - 1).map((number) => number === 0)

const rankWithRequirements = fc.record({
  min_months: orNull(integerUpTo(7)),
  min_classes: orNull(integerUpTo(14)),
  max_classes_a_day: orNull(integerBetween(1, 2)),
  min_age: orNull(integerBetween(8, 13)),
  max_age: orNull(integerBetween(13, 17)),
  min_stripes: orNull(integerUpTo(3)),
  needs_approval: fc.boolean(),
  needs_fee: fc.boolean(),
  skills: fc.array(fc.record({ required: fc.boolean(), retired: oneIn(5) }), {
    maxLength: 4,
  }),
  retired: oneIn(5),
})
const rankWithoutRequirements = fc.constant({
  min_months: null,
  min_classes: null,
  max_classes_a_day: null,
  min_age: null,
  max_age: null,
  min_stripes: null,
  needs_approval: false,
  needs_fee: false,
  skills: [],
  retired: false,
})
export const randomLadder = fc.record({
  max_age: orNull(integerBetween(10, 16)),
  age_counts: fc.constantFrom('birthday' as const, 'calendar_year' as const),
  // Retired ranks are at the end of a ladder.
  ranks: fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: rankWithRequirements },
        { weight: 1, arbitrary: rankWithoutRequirements },
      ),
      {
        minLength: 2,
        maxLength: 4,
      },
    )
    .map((ranks) =>
      ranks.toSorted((first, second) => Number(first.retired) - Number(second.retired)),
    ),
})
export type RandomLadder = typeof randomLadder extends fc.Arbitrary<infer Ladder> ? Ladder : never

/** The styles that an attended class counts for. */
export const CLASSES = ['own', 'other', 'both', 'none', 'deleted'] as const
export const FEES = [
  'none',
  'owed',
  'paid',
  'forgiven',
  'taken back',
  'paid before',
  'waived',
] as const

/** Days are numbers: how many days before today, so days after today are negative. From the numbers
 *  `ladder` and `place`, a test chooses a ladder and a rank. The student got the rank on the day
 *  `since`, and `classes_before` earlier classes count toward the next one. `current` and `past`
 *  are vacations. */
export const randomStudent = fc.record({
  ladder: integerUpTo(1000),
  place: integerUpTo(1000),
  style: integerUpTo(1),
  since: fc.oneof(integerUpTo(230), integerUpTo(70), integerUpTo(3)),
  classes_before: fc.oneof(fc.constant(0), integerUpTo(5)),
  stripes: integerUpTo(3),
  date_of_birth: orNull(
    fc.oneof(
      fc.constantFrom('2012-02-29', '2016-02-29', '2014-02-28', '2014-03-01', '2014-03-02'),
      integerUpTo(3000).map((n) => addDays('2009-03-01', n)),
    ),
  ),
  is_trial: oneIn(10),
  current: orNull(fc.record({ from: integerBetween(-40, 40), length: orNull(integerUpTo(60)) })),
  past: fc.array(fc.record({ from: integerBetween(2, 220), length: integerUpTo(40) }), {
    maxLength: 3,
  }),
  marks: fc.uniqueArray(
    fc.record({
      ago: integerBetween(-3, 230),
      class: fc.constantFrom(...CLASSES),
      present: integerUpTo(5).map((n) => n > 0),
    }),
    {
      selector: (mark) => `${mark.ago} ${mark.class}`,
      maxLength: 50,
    },
  ),
  checks: fc.array(
    fc.record({ skill: integerUpTo(3), is_checked: integerUpTo(3).map((n) => n > 0) }),
    {
      maxLength: 8,
    },
  ),
  approval: fc.constantFrom('none', 'approved', 'withdrawn'),
  fee: fc.constantFrom(...FEES),
})
export type RandomStudent =
  typeof randomStudent extends fc.Arbitrary<infer Student> ? Student : never

/** Past vacations ended before today. The current one may begin later. */
const isOnVacation = ({ current, past }: RandomStudent, daysAgo: number) =>
  past.some(({ from, length }) => daysAgo <= from && daysAgo >= Math.max(1, from - length)) ||
  isInVacation(current, daysAgo)

/** A current vacation lasts at least until today. Without a length, it has no end. */
function isInVacation(vacation: RandomStudent['current'], daysAgo: number): boolean {
  if (vacation === null || daysAgo > vacation.from) return false
  return vacation.length === null || daysAgo >= lastDay(vacation.from, vacation.length)
}

export const lastDay = (firstDay: number, length: number) => Math.min(0, firstDay - length)

/** Returns the same day of a later month, or that month's last day if it is shorter. */
function addMonths(day: string, months: number): string {
  const monthIndex = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  for (let date = Number(day.slice(8)); ; date -= 1) {
    const year = Math.floor(monthIndex / 12)
    const month = String((monthIndex % 12) + 1).padStart(2, '0')
    const laterDay = `${year}-${month}-${String(date).padStart(2, '0')}`
    if (new Date(`${laterDay}T00:00Z`).toJSON()?.slice(0, 10) === laterDay) return laterDay
  }
}

/** Returns the day on which a person reaches an age. */
function dayOfAge(dateOfBirth: string, age: number, ageCounts: RandomLadder['age_counts']): string {
  const year = Number(dateOfBirth.slice(0, 4)) + age
  if (ageCounts === 'calendar_year') return `${year}-01-01`
  return dateOfBirth.endsWith('02-29') && new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1
    ? `${year}-02-28`
    : `${year}${dateOfBirth.slice(4)}`
}
function ageAt(dateOfBirth: string, day: string, ageCounts: RandomLadder['age_counts']): number {
  let age = 0
  while (dayOfAge(dateOfBirth, age + 1, ageCounts) <= day) age += 1
  return age
}

/** Returns the index of the student's next rank, or why there is none. */
export function nextRankIndex(
  { ranks, max_age, age_counts }: RandomLadder,
  student: RandomStudent,
  day: string,
): number | 'top' | 'outgrown' {
  if (
    max_age !== null &&
    student.date_of_birth !== null &&
    ageAt(student.date_of_birth, day, age_counts) > max_age
  )
    return 'outgrown'
  const currentIndex = student.place % ranks.length
  // After a retired rank comes the first rank of a higher belt level.
  const isRetired = ranks[currentIndex]?.retired
  const nextIndex = ranks.findIndex((rank, index) => {
    const isHigher = isRetired
      ? beltLevelIndex(index) > beltLevelIndex(currentIndex)
      : index > currentIndex
    return isHigher && !rank.retired
  })
  return nextIndex < 0 ? 'top' : nextIndex
}

/** Two ranks each count as one of the seven belt levels. */
export const beltLevelIndex = (rankIndex: number): number =>
  Math.min(BELTS.length - 1, Math.floor(rankIndex / 2))

const hasNoRequirements = (requirements: RandomLadder['ranks'][number]) =>
  (requirements.min_months ?? 0) === 0 &&
  (requirements.min_classes ?? 0) === 0 &&
  (requirements.min_stripes ?? 0) === 0 &&
  requirements.min_age === null &&
  requirements.max_age === null &&
  !requirements.needs_approval &&
  !requirements.needs_fee &&
  !requirements.skills.some(({ required, retired }) => required && !retired)

type Requirements = RandomLadder['ranks'][number]
/** An unmet requirement, how much is missing, and the day on which it will be met. */
type Gap = [requirement: string, missing: number | null, metOn: string | null]
/** The rules are checked for the day `ahead` days after today. */
type Days = { today: string; ahead: number; vacationCounts: boolean }

/** Older marks never count, because a random student has had the rank for at most 230 days. */
const MAX_DAYS_AGO = 229
/** The server measures over this many days how often a student comes. */
const PACE_DAYS = 56
const MAX_DAYS_AHEAD = 3000

/** Returns what will be missing for a rank `ahead` days from today, such as ["classes", 2,
 *  null]. */
export function unmetRequirements(
  ladder: RandomLadder,
  student: RandomStudent,
  rankIndex: number,
  days: Days,
): Gap[] {
  const requirements = mustExist(ladder.ranks[rankIndex], 'The rank')
  if (hasNoRequirements(requirements)) return []
  return [
    ...classGaps(requirements, student, days),
    ...monthGaps(requirements, student, days),
    ...ageGaps(requirements, student, addDays(days.today, days.ahead), ladder.age_counts),
    ...otherGaps(requirements, student),
  ]
}

/** Assumes that the student keeps coming as often as in the last eight weeks. */
function classGaps(requirements: Requirements, student: RandomStudent, { ahead }: Days): Gap[] {
  let classes = 0
  let recentClasses = 0
  for (let daysAgo = MAX_DAYS_AGO; daysAgo >= 0; daysAgo -= 1) {
    const attendedClasses = student.marks.filter(
      (mark) => mark.ago === daysAgo && mark.present && mark.class !== 'other',
    ).length
    const countedClasses = Math.min(attendedClasses, requirements.max_classes_a_day ?? Infinity)
    if (daysAgo < student.since) classes += countedClasses
    if (daysAgo < PACE_DAYS) recentClasses += countedClasses
  }
  classes += student.classes_before + Math.floor((recentClasses * ahead) / PACE_DAYS)
  const missingClasses = (requirements.min_classes ?? 0) - classes
  return missingClasses > 0 ? [['classes', missingClasses, null]] : []
}

/** A student cannot be promoted twice on one day, even if the rank does not require any months. */
function monthGaps(
  requirements: Requirements,
  student: RandomStudent,
  { today, ahead, vacationCounts }: Days,
): Gap[] {
  const startDay = addDays(today, -student.since)
  const isCounted = (daysAgo: number) => vacationCounts || !isOnVacation(student, daysAgo)
  if (requirements.min_months !== null) {
    const goal = addMonths(startDay, requirements.min_months)
    let countedDays = 0
    for (let daysAgo = student.since - 1; daysAgo >= -ahead; daysAgo -= 1)
      if (isCounted(daysAgo)) countedDays += 1
    let missingDays = 0
    while (addDays(startDay, countedDays + missingDays) < goal) missingDays += 1
    if (missingDays > 0) {
      let remainingDays = missingDays
      let daysAgo = -ahead
      while (remainingDays > 0 && daysAgo > -MAX_DAYS_AHEAD) {
        daysAgo -= 1
        if (isCounted(daysAgo)) remainingDays -= 1
      }
      return [['months', missingDays, remainingDays > 0 ? null : addDays(today, -daysAgo)]]
    }
  }
  return addDays(today, ahead) === startDay ? [['months', 1, addDays(startDay, 1)]] : []
}

function ageGaps(
  { min_age, max_age }: Requirements,
  { date_of_birth }: RandomStudent,
  day: string,
  ageCounts: RandomLadder['age_counts'],
): Gap[] {
  if (min_age === null && max_age === null) return []
  if (date_of_birth === null) return [['age_unknown', null, null]]
  const age = ageAt(date_of_birth, day, ageCounts)
  if (min_age !== null && age < min_age)
    return [['min_age', null, dayOfAge(date_of_birth, min_age, ageCounts)]]
  return max_age !== null && age > max_age ? [['max_age', null, null]] : []
}

function otherGaps(requirements: Requirements, student: RandomStudent): Gap[] {
  const gaps: Gap[] = []
  const missingStripes = (requirements.min_stripes ?? 0) - student.stripes
  if (missingStripes > 0) gaps.push(['stripes', missingStripes, null])
  const isChecked = requirements.skills.map(
    (_, skill) => student.checks.findLast((check) => check.skill === skill)?.is_checked ?? false,
  )
  const missingSkills = requirements.skills.filter(
    ({ required, retired }, skill) => required && !retired && !isChecked[skill],
  ).length
  if (missingSkills > 0) gaps.push(['skills', missingSkills, null])
  if (requirements.needs_approval && student.approval !== 'approved')
    gaps.push(['approval', null, null])
  if (requirements.needs_fee && !['paid', 'forgiven', 'waived'].includes(student.fee))
    gaps.push(['fee', null, null])
  return gaps
}

/** Returns whether a student is ready for the next rank `ahead` days after today. */
export function readinessAt(ladder: RandomLadder, student: RandomStudent, days: Days): string {
  const nextRank = nextRankIndex(ladder, student, addDays(days.today, days.ahead))
  if (typeof nextRank === 'string') return nextRank
  if (student.is_trial) return 'trial'
  if (isInVacation(student.current, -days.ahead)) return 'vacation'
  if (student.since + days.ahead === 0) return 'promoted'
  const requirements = mustExist(ladder.ranks[nextRank], 'The next rank')
  if (hasNoRequirements(requirements)) return 'instructor_decides'
  return unmetRequirements(ladder, student, nextRank, days).length === 0 ? 'ready' : 'short'
}
