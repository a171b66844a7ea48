import { z } from 'zod'

/** `age_unknown`: the rank has an age requirement, and the student has no date of birth. */
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

/** `short_by` counts classes, days, stripes or skills. `until` is the day when time or age will do:
 *  unknown during an open-ended vacation that does not count as time. */
export const missingRule = z.object({
  rule: z.enum(RANK_RULES),
  short_by: z.number().nullable(),
  until: z.string().nullable(),
})
export type MissingRule = z.output<typeof missingRule>

const countOf = (count: number, singular: string, plural: string) =>
  `${count} ${count === 1 ? singular : plural}`

const MAX_SHOWN_DAYS = 60
const DAYS_A_MONTH = 365.25 / 12
const durationOf = (days: number) =>
  days < MAX_SHOWN_DAYS
    ? countOf(days, 'day', 'days')
    : `about ${Math.round(days / DAYS_A_MONTH)} months`

const RULE_TEXTS: Record<RankRule, (shortBy: number, until: string | null) => string> = {
  classes: (n) => countOf(n, 'class', 'classes'),
  months: (n) => durationOf(n),
  min_age: (_, day) => (day === null ? 'too young' : `too young until ${day}`),
  max_age: () => 'too old',
  age_unknown: () => 'date of birth',
  stripes: (n) => countOf(n, 'stripe', 'stripes'),
  skills: (n) => countOf(n, 'skill', 'skills'),
  approval: () => 'approval',
  fee: () => 'fee',
}

/** "2 classes, 11 days, 1 skill, approval". Dates are left out without `formatDay`. */
export const describeMissing = (
  missingRules: readonly MissingRule[],
  formatDay?: (day: string) => string,
): string =>
  missingRules
    .map(({ rule, short_by, until }) =>
      RULE_TEXTS[rule](short_by ?? 0, (until && formatDay?.(until)) ?? null),
    )
    .join(', ')
