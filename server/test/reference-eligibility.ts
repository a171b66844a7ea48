import { addDays } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import fc from 'fast-check'

/** Random students on random ladders, and who is ready: plain code, day by day. */
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 })
const upTo = (max: number, min = 0) => fc.integer({ min, max })

const rank = fc.record({
  min_months: orNull(upTo(7)),
  min_classes: orNull(upTo(14)),
  max_classes_a_day: orNull(upTo(2, 1)),
  min_age: orNull(upTo(13, 8)),
  max_age: orNull(upTo(17, 13)),
  min_stripes: orNull(upTo(3)),
  needs_approval: fc.boolean(),
  needs_fee: fc.boolean(),
  skills: fc.array(fc.record({ required: fc.boolean(), retired: upTo(4).map((n) => n === 0) }), {
    maxLength: 4,
  }),
  retired: upTo(4).map((n) => n === 0),
})
const freeRank = fc.constant({
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
export const anyLadder = fc.record({
  max_age: orNull(upTo(16, 10)),
  age_counts: fc.constantFrom('birthday' as const, 'calendar_year' as const),
  // Retired ranks come last.
  ranks: fc
    .array(fc.oneof({ weight: 6, arbitrary: rank }, { weight: 1, arbitrary: freeRank }), {
      minLength: 2,
      maxLength: 4,
    })
    .map((rankList) =>
      rankList.toSorted((first, second) => Number(first.retired) - Number(second.retired)),
    ),
})
export type AnyLadder = typeof anyLadder extends fc.Arbitrary<infer A> ? A : never

/** The style's own class, the other style's, both, none, and a deleted class. */
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

/** Days count back from the day of the list. */
export const anyClimber = fc.record({
  ladder: upTo(1000),
  place: upTo(1000),
  style: upTo(1),
  since: fc.oneof(upTo(230), upTo(70), upTo(3)),
  classes_before: fc.oneof(fc.constant(0), upTo(5)),
  stripes: upTo(3),
  date_of_birth: orNull(
    fc.oneof(
      fc.constantFrom('2012-02-29', '2016-02-29', '2014-02-28', '2014-03-01', '2014-03-02'),
      upTo(3000).map((n) => addDays('2009-03-01', n)),
    ),
  ),
  is_trial: upTo(9).map((n) => n === 0),
  current: orNull(fc.record({ from: upTo(40, -40), length: orNull(upTo(60)) })),
  past: fc.array(fc.record({ from: upTo(220, 2), length: upTo(40) }), { maxLength: 3 }),
  marks: fc.uniqueArray(
    fc.record({
      ago: upTo(230, -3),
      class: fc.constantFrom(...CLASSES),
      present: upTo(5).map((n) => n > 0),
    }),
    {
      selector: (mark) => `${mark.ago} ${mark.class}`,
      maxLength: 50,
    },
  ),
  checks: fc.array(fc.record({ skill: upTo(3), is_checked: upTo(3).map((n) => n > 0) }), {
    maxLength: 8,
  }),
  approval: fc.constantFrom('none', 'approved', 'withdrawn'),
  fee: fc.constantFrom(...FEES),
})
export type AnyClimber = typeof anyClimber extends fc.Arbitrary<infer A> ? A : never

/** Past vacations ended yesterday at the latest; the current one may begin later. */
const isAway = ({ current, past }: AnyClimber, daysAgo: number) =>
  past.some(({ from, length }) => daysAgo <= from && daysAgo >= Math.max(1, from - length)) ||
  (current !== null &&
    daysAgo <= current.from &&
    (lastDay(current) === null || daysAgo >= lastDay(current)!))
const lastDay = ({ from, length }: NonNullable<AnyClimber['current']>) =>
  length === null ? null : Math.min(0, from - length)

function monthsLater(day: string, months: number): string {
  const monthIndex = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  for (let date = Number(day.slice(8)); ; date -= 1) {
    const later = `${Math.floor(monthIndex / 12)}-${String((monthIndex % 12) + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`
    if (new Date(`${later}T00:00Z`).toJSON()?.slice(0, 10) === later) return later
  }
}

function birthday(born: string, age: number, counts: AnyLadder['age_counts']): string {
  const year = Number(born.slice(0, 4)) + age
  if (counts === 'calendar_year') return `${year}-01-01`
  return born.endsWith('02-29') && new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1
    ? `${year}-02-28`
    : `${year}${born.slice(4)}`
}
function ageAt(born: string, day: string, counts: AnyLadder['age_counts']): number {
  let age = 0
  while (birthday(born, age + 1, counts) <= day) age += 1
  return age
}

export function nextPlace(
  { ranks, max_age, age_counts }: AnyLadder,
  climber: AnyClimber,
  day: string,
): number | 'top' | 'outgrown' {
  if (
    max_age !== null &&
    climber.date_of_birth !== null &&
    ageAt(climber.date_of_birth, day, age_counts) > max_age
  )
    return 'outgrown'
  const heldPlace = climber.place % ranks.length
  for (let place = 0; place < ranks.length; place += 1) {
    const isHigher = ranks[heldPlace]!.retired
      ? levelOf(place) > levelOf(heldPlace)
      : place > heldPlace
    if (isHigher && !ranks[place]!.retired) return place
  }
  return 'top'
}
export const levelOf = (place: number): number => Math.min(BELTS.length - 1, Math.floor(place / 2))

const asksNothing = (requirements: AnyLadder['ranks'][number]) =>
  (requirements.min_months ?? 0) === 0 &&
  (requirements.min_classes ?? 0) === 0 &&
  (requirements.min_stripes ?? 0) === 0 &&
  requirements.min_age === null &&
  requirements.max_age === null &&
  !requirements.needs_approval &&
  !requirements.needs_fee &&
  !requirements.skills.some(({ required, retired }) => required && !retired)

/** What is missing `ahead` days from today, as ["classes", 2, null]. */
export function missingOf(
  ladder: AnyLadder,
  climber: AnyClimber,
  place: number,
  { today, ahead, vacationCounts }: { today: string; ahead: number; vacationCounts: boolean },
) {
  const requirements = ladder.ranks[place]!
  if (asksNothing(requirements)) return []
  const day = addDays(today, ahead)
  const gaps: [string, number | null, string | null][] = []

  let [classes, lately] = [0, 0]
  for (let daysAgo = 229; daysAgo >= 0; daysAgo -= 1) {
    const onDay = climber.marks.filter(
      (mark) => mark.ago === daysAgo && mark.present && mark.class !== 'other',
    ).length
    const counting = Math.min(onDay, requirements.max_classes_a_day ?? Infinity)
    if (daysAgo < climber.since) classes += counting
    if (daysAgo < 56) lately += counting
  }
  classes += climber.classes_before + Math.floor((lately * ahead) / 56)
  if (requirements.min_classes !== null && classes < requirements.min_classes)
    gaps.push(['classes', requirements.min_classes - classes, null])

  const startDay = addDays(today, -climber.since)
  if (requirements.min_months !== null) {
    const goal = monthsLater(startDay, requirements.min_months)
    const counts = (daysAgo: number) => vacationCounts || !isAway(climber, daysAgo)
    let countedDays = 0
    for (let daysAgo = climber.since - 1; daysAgo >= -ahead; daysAgo -= 1)
      if (counts(daysAgo)) countedDays += 1
    let short = 0
    while (addDays(startDay, countedDays + short) < goal) short += 1
    if (short > 0) {
      let [remainingDays, daysAgo] = [short, -ahead]
      while (remainingDays > 0 && daysAgo > -3000) if (counts((daysAgo -= 1))) remainingDays -= 1
      gaps.push(['months', short, remainingDays > 0 ? null : addDays(today, -daysAgo)])
    }
  }

  const hasMonths = gaps.some(([rule]) => rule === 'months')
  if (day === startDay && !hasMonths) gaps.push(['months', 1, addDays(startDay, 1)])

  if (requirements.min_age !== null || requirements.max_age !== null) {
    const born = climber.date_of_birth
    if (born === null) gaps.push(['age_unknown', null, null])
    else if (
      requirements.min_age !== null &&
      ageAt(born, day, ladder.age_counts) < requirements.min_age
    )
      gaps.push(['min_age', null, birthday(born, requirements.min_age, ladder.age_counts)])
    else if (
      requirements.max_age !== null &&
      ageAt(born, day, ladder.age_counts) > requirements.max_age
    )
      gaps.push(['max_age', null, null])
  }
  if (requirements.min_stripes !== null && climber.stripes < requirements.min_stripes)
    gaps.push(['stripes', requirements.min_stripes - climber.stripes, null])
  const isChecked = requirements.skills.map(
    (_, skill) => climber.checks.findLast((check) => check.skill === skill)?.is_checked ?? false,
  )
  const lacking = requirements.skills.filter(
    ({ required, retired }, skill) => required && !retired && !isChecked[skill],
  ).length
  if (lacking > 0) gaps.push(['skills', lacking, null])
  if (requirements.needs_approval && climber.approval !== 'approved')
    gaps.push(['approval', null, null])
  if (requirements.needs_fee && !['paid', 'forgiven', 'waived'].includes(climber.fee))
    gaps.push(['fee', null, null])
  return gaps
}

export function readinessAt(
  ladder: AnyLadder,
  climber: AnyClimber,
  days: { today: string; ahead: number; vacationCounts: boolean },
): string {
  const next = nextPlace(ladder, climber, addDays(days.today, days.ahead))
  if (typeof next === 'string') return next
  if (climber.is_trial) return 'trial'
  if (
    climber.current !== null &&
    -days.ahead <= climber.current.from &&
    (lastDay(climber.current) === null || -days.ahead >= lastDay(climber.current)!)
  )
    return 'vacation'
  if (climber.since + days.ahead === 0) return 'promoted'
  if (asksNothing(ladder.ranks[next]!)) return 'instructor_decides'
  return missingOf(ladder, climber, next, days).length === 0 ? 'ready' : 'short'
}
export { lastDay }
