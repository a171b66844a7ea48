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

/** `short_by` counts classes, days, stripes or skills. `until` is the day on which the student meets
 *  the time or age requirement. It is null during an open-ended vacation that does not count. */
export const missingRule = z.object({
  rule: z.enum(RANK_RULES),
  short_by: z.number().nullable(),
  until: z.string().nullable(),
})
export type MissingRule = z.output<typeof missingRule>

const countText = (count: number, singular: string, plural: string) =>
  `${count} ${count === 1 ? singular : plural}`

/** Longer durations are shown in months. */
const MAX_TEXT_DAYS = 60
const DAYS_A_MONTH = 365.25 / 12
const durationText = (days: number) =>
  days < MAX_TEXT_DAYS
    ? countText(days, 'day', 'days')
    : `about ${Math.round(days / DAYS_A_MONTH)} months`

const RULE_TEXTS: Record<RankRule, (shortBy: number, until: string | null) => string> = {
  classes: (count) => countText(count, 'class', 'classes'),
  months: (days) => durationText(days),
  min_age: (_, day) => (day === null ? 'too young' : `too young until ${day}`),
  max_age: () => 'too old',
  age_unknown: () => 'date of birth',
  stripes: (count) => countText(count, 'stripe', 'stripes'),
  skills: (count) => countText(count, 'skill', 'skills'),
  approval: () => 'approval',
  fee: () => 'fee',
}

/** "2 classes, 11 days, 1 skill, approval". Includes dates only if there is a `formatDay`. */
export const describeMissing = (
  missingRules: readonly MissingRule[],
  formatDay?: (day: string) => string,
): string =>
  missingRules
    .map(({ rule, short_by, until }) =>
      RULE_TEXTS[rule](short_by ?? 0, (until && formatDay?.(until)) ?? null),
    )
    .join(', ')
