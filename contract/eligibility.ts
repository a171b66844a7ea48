import { z } from 'zod'

/** The rules that a rank may ask for. `age_unknown` stands where an age is asked for and no date of birth is known. */
export const RANK_RULES = ['classes', 'months', 'min_age', 'max_age', 'age_unknown', 'stripes', 'skills', 'approval', 'fee'] as const
export type RankRule = (typeof RANK_RULES)[number]

/** A rule of the next rank that is not met. `short_by` counts classes, days, stripes or skills; `until` is the first day on which time or age is
 *  reached. Both are null where they say nothing. */
export const missingRule = z.object({ rule: z.enum(RANK_RULES), short_by: z.number().nullable(), until: z.string().nullable() })
export type MissingRule = z.output<typeof missingRule>

const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

const WORDS: Record<RankRule, (shortBy: number) => string> = {
  classes: (n) => counted(n, 'class', 'classes'),
  months: (n) => counted(n, 'day', 'days'),
  min_age: () => 'too young',
  max_age: () => 'too old',
  age_unknown: () => 'date of birth',
  stripes: (n) => counted(n, 'stripe', 'stripes'),
  skills: (n) => counted(n, 'skill', 'skills'),
  approval: () => 'approval',
  fee: () => 'fee',
}

/** What is missing, for instructor and student in the same words: "2 classes, 11 days, 1 skill, approval". Empty where nothing is. */
export const missingWords = (missing: readonly MissingRule[]): string =>
  missing.map(({ rule, short_by }) => WORDS[rule](short_by ?? 0)).join(', ')
