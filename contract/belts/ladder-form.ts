import { z } from 'zod'
import { clearable, dollars, flag, oneOf, singleLineText, uuid } from '../lib/fields.ts'
import { BELTS, RANK_COLOURS, RANK_PATTERNS } from '../lib/ranks.ts'

export const MAX_RANKS = 60
export const MAX_SKILLS = 50
export const AGE_COUNTS = ['birthday', 'calendar_year'] as const

const whole = (label: string, max: number, min = 0) => {
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

const MAX_BELOW_MIN = 'The highest age must not be below the lowest.'
const agesInOrder = {
  check: ({ min_age, max_age }: { min_age: number | null; max_age: number | null }) =>
    min_age === null || max_age === null || min_age <= max_age,
  error: { error: MAX_BELOW_MIN, path: ['max_age'] },
}

/** Null requires nothing. Months and classes are those in the rank before. */
const requirements = {
  min_months: whole('Months', 600).nullable(),
  min_classes: whole('Classes', 10_000).nullable(),
  max_classes_a_day: whole('Classes a day', 20, 1).nullable(),
  min_age: whole('Age', 120).nullable(),
  max_age: whole('Age', 120).nullable(),
  min_stripes: whole('Stripes', 12).nullable(),
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
        .array(oneOf('Colour', RANK_COLOURS), 'Colours must be a list')
        .max(2, 'At most two colours'),
      pattern: oneOf('Pattern', RANK_PATTERNS),
      tags_count: whole('Tags', 12),
      tags_colour: oneOf('Colour of the tags', RANK_COLOURS).nullable(),
      stripes: whole('Stripes', 12),
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
    error: 'A belt needs a colour.',
    path: ['colours'],
  })
  .refine(({ tags_count, tags_colour }) => tags_count === 0 || tags_colour !== null, {
    error: 'Tags need a colour.',
    path: ['tags_colour'],
  })
export type RankForm = z.output<typeof rankForm>

const levelsAscend = (ranks: readonly { belt_level: (typeof BELTS)[number] }[]) =>
  ranks.every(
    ({ belt_level }, index) =>
      index === 0 || BELTS.indexOf(belt_level) >= BELTS.indexOf(ranks[index - 1]!.belt_level),
  )
const unique = (names: string[]) =>
  new Set(names.map((name) => name.toLowerCase())).size === names.length

/** Ranks from the lowest up. A rank left out is deleted, or retired if anybody has or had it. */
export const ladderForm = z
  .object({
    name: singleLineText('Ladder', 60),
    /** Both ages included. */
    min_age: whole('Age', 120).nullable(),
    max_age: whole('Age', 120).nullable(),
    age_counts: oneOf('Age', AGE_COUNTS),
    continues_as: uuid('Ladder').nullable(),
    ranks: z
      .array(rankForm, 'Ranks must be a list')
      .min(1, 'A ladder needs at least one rank.')
      .max(MAX_RANKS, `At most ${MAX_RANKS} ranks`)
      .refine((ranks) => unique(ranks.map(({ name }) => name)), 'Two ranks have the same name.')
      .refine(levelsAscend, 'A higher rank must not count as a lower belt.'),
  })
  .refine(agesInOrder.check, agesInOrder.error)
export type LadderForm = z.output<typeof ladderForm>
