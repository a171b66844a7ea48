import { z } from 'zod'

/** What a rank can require. `age_unknown`: an age is required, and there is no date of birth. */
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

/** A requirement that is not met. `short_by` counts classes, days, stripes or skills. `until` is
 *  the day on which time or age is reached, null during an open-ended vacation that does not
 *  count. */
export const missingRule = z.object({
  rule: z.enum(RANK_RULES),
  short_by: z.number().nullable(),
  until: z.string().nullable(),
})
export type MissingRule = z.output<typeof missingRule>

const countWords = (n: number, singular: string, plural: string) =>
  `${n} ${n === 1 ? singular : plural}`

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

/** For instructor and student alike: "2 classes, 11 days, 1 skill, approval". Days are left out
 *  without `formatDay`. */
export const missingWords = (
  missingRules: readonly MissingRule[],
  formatDay?: (day: string) => string,
): string =>
  missingRules
    .map(({ rule, short_by, until }) =>
      WORDS[rule](short_by ?? 0, (until && formatDay?.(until)) ?? null),
    )
    .join(', ')
