import { z } from 'zod'

/** The rules that a rank may ask for. `age_unknown` stands where an age is asked for and no date of birth is known. */
export const RANK_RULES = [
  'classes',
  'months',
  'min_age',
  'max_age',
  'age_unknown',
  'stripes',
  'skills',
  'approval',
  'fee',
] as const
export type RankRule = (typeof RANK_RULES)[number]

/** A rule of the next rank that is not met. `short_by` counts classes, days that count as time in the rank, stripes or skills; `until` is the first
 *  day on which time or age is reached. Both are null where they say nothing: `until` also while a vacation that does not count has no end. */
export const missingRule = z.object({
  rule: z.enum(RANK_RULES),
  short_by: z.number().nullable(),
  until: z.string().nullable(),
})
export type MissingRule = z.output<typeof missingRule>

const countWords = (n: number, singular: string, plural: string) =>
  `${n} ${n === 1 ? singular : plural}`

/** From here on days are said as months: nobody counts 730 days. */
const LONG_DAYS = 60
const DAYS_A_MONTH = 365.25 / 12
const time = (days: number) =>
  days < LONG_DAYS
    ? countWords(days, 'day', 'days')
    : `about ${Math.round(days / DAYS_A_MONTH)} months`

const WORDS: Record<RankRule, (shortBy: number, until: string | null) => string> = {
  classes: (n) => countWords(n, 'class', 'classes'),
  months: (n) => time(n),
  min_age: (_, day) => (day === null ? 'too young' : `too young until ${day}`),
  max_age: () => 'too old',
  age_unknown: () => 'date of birth',
  stripes: (n) => countWords(n, 'stripe', 'stripes'),
  skills: (n) => countWords(n, 'skill', 'skills'),
  approval: () => 'approval',
  fee: () => 'fee',
}

/** What is missing, for instructor and student in the same words: "2 classes, 11 days, 1 skill, approval", "too young until March 12, 2027". Empty
 *  where nothing is. `formatDay` writes a calendar date; without it no day is said. */
export const missingWords = (
  missingRules: readonly MissingRule[],
  formatDay?: (day: string) => string,
): string =>
  missingRules
    .map(({ rule, short_by, until }) =>
      WORDS[rule](short_by ?? 0, (until && formatDay?.(until)) ?? null),
    )
    .join(', ')
