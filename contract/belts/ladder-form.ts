import { z } from 'zod'
import { clearable, dollars, flag, oneOf, singleLineText, uuid } from '../lib/fields.ts'
import { type Belt, BELTS, RANK_COLOURS, RANK_PATTERNS } from '../lib/ranks.ts'

export const MAX_RANKS = 60
export const MAX_SKILLS = 50
/** When a student reaches an age: on their birthday, or on January 1 of that year. */
export const AGE_COUNTS = ['birthday', 'calendar_year'] as const

const wholeNumber = (label: string, max: number, min = 0) => {
  const error = `${label} must be a whole number from ${min} to ${max}`
  return z.number(error).int(error).min(min, error).max(max, error)
}

const skillForm = z.object(
  {
    id: uuid('Skill').optional(),
    name: singleLineText('Skill', 100),
    required: flag('Required'),
  },
  'Each skill must be an object',
)

const agesInOrder = {
  check: ({ min_age, max_age }: { min_age: number | null; max_age: number | null }) =>
    min_age === null || max_age === null || min_age <= max_age,
  error: { error: 'The maximum age must not be below the minimum age.', path: ['max_age'] },
}

/** Null means no requirement. Months and classes are counted in the rank before this one, with at
 *  most `max_classes_a_day` classes on one day. */
const requirements = {
  min_months: wholeNumber('Months', 600).nullable(),
  min_classes: wholeNumber('Classes', 10_000).nullable(),
  max_classes_a_day: wholeNumber('Classes per day', 20, 1).nullable(),
  min_age: wholeNumber('Age', 120).nullable(),
  max_age: wholeNumber('Age', 120).nullable(),
  min_stripes: wholeNumber('Stripes', 12).nullable(),
  needs_approval: flag('Approval'),
  needs_fee: flag('Fee'),
}

const rankForm = z
  .object(
    {
      id: uuid('Rank').optional(),
      name: singleLineText('Rank', 60),
      short: clearable(singleLineText('Short name', 12)),
      colours: z
        .array(oneOf('Color', RANK_COLOURS), 'Colors must be a list')
        .max(2, 'At most two colors'),
      pattern: oneOf('Pattern', RANK_PATTERNS),
      tags_count: wholeNumber('Tags', 12),
      tags_colour: oneOf('Color of the tags', RANK_COLOURS).nullable(),
      stripes: wholeNumber('Stripes', 12),
      belt_level: oneOf('Belt level', BELTS),
      fee: dollars('Fee').nullable(),
      ...requirements,
      skills: z
        .array(skillForm, 'Skills must be a list')
        .max(MAX_SKILLS, `At most ${MAX_SKILLS} skills`),
    },
    'Each rank must be an object',
  )
  .refine(agesInOrder.check, agesInOrder.error)
  .refine(({ colours, pattern }) => colours.length > 0 || pattern === 'patch', {
    error: 'A belt needs a color.',
    path: ['colours'],
  })
  .refine(({ tags_count, tags_colour }) => tags_count === 0 || tags_colour !== null, {
    error: 'Tags need a color.',
    path: ['tags_colour'],
  })
export type RankForm = z.output<typeof rankForm>

function areLevelsAscending(ranks: readonly { belt_level: Belt }[]): boolean {
  const levels = ranks.map(({ belt_level }) => BELTS.indexOf(belt_level))
  return levels.every((level, index) => level >= (levels[index - 1] ?? 0))
}
const areUnique = (names: string[]) =>
  new Set(names.map((name) => name.toLowerCase())).size === names.length

/** The lowest rank comes first. A rank that is left out is deleted, or retired if a student has or
 *  had it. */
export const ladderForm = z
  .object({
    name: singleLineText('Ladder', 60),
    min_age: wholeNumber('Age', 120).nullable(),
    max_age: wholeNumber('Age', 120).nullable(),
    age_counts: oneOf('Age', AGE_COUNTS),
    /** The ladder for students who have outgrown this one. */
    continues_as: uuid('Ladder').nullable(),
    ranks: z
      .array(rankForm, 'Ranks must be a list')
      .min(1, 'A ladder needs at least one rank.')
      .max(MAX_RANKS, `At most ${MAX_RANKS} ranks`)
      .refine((ranks) => areUnique(ranks.map(({ name }) => name)), 'Two ranks have the same name.')
      .refine(areLevelsAscending, 'A higher rank must not count as a lower belt.'),
  })
  .refine(agesInOrder.check, agesInOrder.error)
export type LadderForm = z.output<typeof ladderForm>
