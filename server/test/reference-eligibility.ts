import { addDays } from '@tatami/contract/lib/calendar-day'
import { BELTS } from '@tatami/contract/lib/ranks'
import fc from 'fast-check'

/** Random people on random ladders, and who of them is ready: in plain code, day by day. */
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 })
const to = (max: number, min = 0) => fc.integer({ min, max })

const rank = fc.record({
  min_months: orNull(to(7)),
  min_classes: orNull(to(14)),
  max_classes_a_day: orNull(to(2, 1)),
  min_age: orNull(to(13, 8)),
  max_age: orNull(to(17, 13)),
  min_stripes: orNull(to(3)),
  needs_approval: fc.boolean(),
  needs_fee: fc.boolean(),
  skills: fc.array(fc.record({ required: fc.boolean(), retired: to(4).map((n) => n === 0) }), {
    maxLength: 4,
  }),
  retired: to(4).map((n) => n === 0),
})
/** A rank without requirements. */
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
  max_age: orNull(to(16, 10)),
  age_counts: fc.constantFrom('birthday' as const, 'calendar_year' as const),
  // Those that are retired come after the others.
  ranks: fc
    .array(fc.oneof({ weight: 6, arbitrary: rank }, { weight: 1, arbitrary: freeRank }), {
      minLength: 2,
      maxLength: 4,
    })
    .map((all) => all.toSorted((one, other) => Number(one.retired) - Number(other.retired))),
})
export type AnyLadder = typeof anyLadder extends fc.Arbitrary<infer A> ? A : never

/** Of the style in question, of the other one, of both, of none, and a class that was deleted. */
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

/** Numbers of days are before the day of the list. */
export const anyClimber = fc.record({
  ladder: to(1000),
  place: to(1000),
  style: to(1),
  since: fc.oneof(to(230), to(70), to(3)),
  classes_before: fc.oneof(fc.constant(0), to(5)),
  stripes: to(3),
  date_of_birth: orNull(
    fc.oneof(
      fc.constantFrom('2012-02-29', '2016-02-29', '2014-02-28', '2014-03-01', '2014-03-02'),
      to(3000).map((n) => addDays('2009-03-01', n)),
    ),
  ),
  is_trial: to(9).map((n) => n === 0),
  current: orNull(fc.record({ from: to(40, -40), length: orNull(to(60)) })),
  past: fc.array(fc.record({ from: to(220, 2), length: to(40) }), { maxLength: 3 }),
  marks: fc.uniqueArray(
    fc.record({
      ago: to(230, -3),
      class: fc.constantFrom(...CLASSES),
      present: to(5).map((n) => n > 0),
    }),
    {
      selector: (mark) => `${mark.ago} ${mark.class}`,
      maxLength: 50,
    },
  ),
  checks: fc.array(fc.record({ skill: to(3), is_checked: to(3).map((n) => n > 0) }), {
    maxLength: 8,
  }),
  approval: fc.constantFrom('none', 'approved', 'withdrawn'),
  fee: fc.constantFrom(...FEES),
})
export type AnyClimber = typeof anyClimber extends fc.Arbitrary<infer A> ? A : never

/** Whether each day is one on vacation: past ones ended yesterday at the latest, and the current one may begin later. */
const isAway = ({ current, past }: AnyClimber, ago: number) =>
  past.some(({ from, length }) => ago <= from && ago >= Math.max(1, from - length)) ||
  (current !== null &&
    ago <= current.from &&
    (lastDay(current) === null || ago >= lastDay(current)!))
const lastDay = ({ from, length }: NonNullable<AnyClimber['current']>) =>
  length === null ? null : Math.min(0, from - length)

/** The same day of a later month, or the nearest one before it that there is. */
function monthsLater(day: string, months: number): string {
  const at = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  for (let date = Number(day.slice(8)); ; date -= 1) {
    const later = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`
    if (new Date(`${later}T00:00Z`).toJSON()?.slice(0, 10) === later) return later
  }
}

/** The day on which somebody is so old. */
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

/** The place of the next rank, `top` or `outgrown`. */
export function nextPlace(
  { ranks, max_age, age_counts }: AnyLadder,
  one: AnyClimber,
  day: string,
): number | 'top' | 'outgrown' {
  if (
    max_age !== null &&
    one.date_of_birth !== null &&
    ageAt(one.date_of_birth, day, age_counts) > max_age
  )
    return 'outgrown'
  const held = one.place % ranks.length
  for (let place = 0; place < ranks.length; place += 1) {
    const isHigher = ranks[held]!.retired ? levelOf(place) > levelOf(held) : place > held
    if (isHigher && !ranks[place]!.retired) return place
  }
  return 'top'
}
/** Two ranks count as each belt. */
export const levelOf = (place: number): number => Math.min(BELTS.length - 1, Math.floor(place / 2))

const asksNothing = (asked: AnyLadder['ranks'][number]) =>
  (asked.min_months ?? 0) === 0 &&
  (asked.min_classes ?? 0) === 0 &&
  (asked.min_stripes ?? 0) === 0 &&
  asked.min_age === null &&
  asked.max_age === null &&
  !asked.needs_approval &&
  !asked.needs_fee &&
  !asked.skills.some(({ required, retired }) => required && !retired)

/** What is missing on the day that is `ahead` of today, as ["classes", 2, null]; where vacation counts as time, nobody is away. */
export function missingOf(
  ladder: AnyLadder,
  one: AnyClimber,
  place: number,
  { today, ahead, vacationCounts }: { today: string; ahead: number; vacationCounts: boolean },
) {
  const asked = ladder.ranks[place]!
  if (asksNothing(asked)) return []
  const day = addDays(today, ahead)
  const found: [string, number | null, string | null][] = []

  let [classes, lately] = [0, 0]
  for (let ago = 229; ago >= 0; ago -= 1) {
    const onDay = one.marks.filter(
      (mark) => mark.ago === ago && mark.present && mark.class !== 'other',
    ).length
    const counting = Math.min(onDay, asked.max_classes_a_day ?? Infinity)
    if (ago < one.since) classes += counting
    if (ago < 56) lately += counting
  }
  classes += one.classes_before + Math.floor((lately * ahead) / 56)
  if (asked.min_classes !== null && classes < asked.min_classes)
    found.push(['classes', asked.min_classes - classes, null])

  const since = addDays(today, -one.since)
  if (asked.min_months !== null) {
    const goal = monthsLater(since, asked.min_months)
    const counts = (ago: number) => vacationCounts || !isAway(one, ago)
    let counted = 0
    for (let ago = one.since - 1; ago >= -ahead; ago -= 1) if (counts(ago)) counted += 1
    let short = 0
    while (addDays(since, counted + short) < goal) short += 1
    if (short > 0) {
      let [left, ago] = [short, -ahead]
      while (left > 0 && ago > -3000) if (counts((ago -= 1))) left -= 1
      found.push(['months', short, left > 0 ? null : addDays(today, -ago)])
    }
  }

  // The day of the promotion itself.
  const hasMonths = found.some(([rule]) => rule === 'months')
  if (day === since && !hasMonths) found.push(['months', 1, addDays(since, 1)])

  if (asked.min_age !== null || asked.max_age !== null) {
    const born = one.date_of_birth
    if (born === null) found.push(['age_unknown', null, null])
    else if (asked.min_age !== null && ageAt(born, day, ladder.age_counts) < asked.min_age)
      found.push(['min_age', null, birthday(born, asked.min_age, ladder.age_counts)])
    else if (asked.max_age !== null && ageAt(born, day, ladder.age_counts) > asked.max_age)
      found.push(['max_age', null, null])
  }
  if (asked.min_stripes !== null && one.stripes < asked.min_stripes)
    found.push(['stripes', asked.min_stripes - one.stripes, null])
  const isChecked = asked.skills.map(
    (_, skill) => one.checks.findLast((check) => check.skill === skill)?.is_checked ?? false,
  )
  const lacking = asked.skills.filter(
    ({ required, retired }, skill) => required && !retired && !isChecked[skill],
  ).length
  if (lacking > 0) found.push(['skills', lacking, null])
  if (asked.needs_approval && one.approval !== 'approved') found.push(['approval', null, null])
  if (asked.needs_fee && !['paid', 'forgiven', 'waived'].includes(one.fee))
    found.push(['fee', null, null])
  return found
}

/** Ready, or why not. */
export function readinessAt(
  ladder: AnyLadder,
  one: AnyClimber,
  days: { today: string; ahead: number; vacationCounts: boolean },
): string {
  const next = nextPlace(ladder, one, addDays(days.today, days.ahead))
  if (typeof next === 'string') return next
  if (one.is_trial) return 'trial'
  if (
    one.current !== null &&
    -days.ahead <= one.current.from &&
    (lastDay(one.current) === null || -days.ahead >= lastDay(one.current)!)
  )
    return 'vacation'
  if (one.since + days.ahead === 0) return 'promoted'
  if (asksNothing(ladder.ranks[next]!)) return 'instructor_decides'
  return missingOf(ladder, one, next, days).length === 0 ? 'ready' : 'short'
}
export { lastDay }
