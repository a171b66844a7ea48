import { z } from 'zod'
import type { Api } from './endpoint.ts'
import { clearable, dollars, flag, idParams, oneOf, singleLineText, success, uuid } from './fields.ts'
import { BELTS, RANK_COLOURS, RANK_PATTERNS } from './ranks.ts'

export const MAX_RANKS = 60
export const MAX_SKILLS = 50
export const AGE_COUNTS = ['birthday', 'calendar_year'] as const

const whole = (label: string, max: number, min = 0) => {
  const error = `${label} must be a whole number from ${min} to ${max}`
  return z.number(error).int(error).min(min, error).max(max, error)
}

const skillForm = z.object(
  {
    /** Of a skill that is there already. */
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

/** What somebody must have before they are promoted to a rank; null asks for nothing. Months and classes are those in the rank before. */
const requirements = {
  min_months: whole('Months', 600).nullable(),
  min_classes: whole('Classes', 10_000).nullable(),
  /** How many classes of one day count. */
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
      /** Of a rank that is there already. */
      id: uuid('Rank').optional(),
      name: singleLineText('Rank', 60),
      short: clearable(singleLineText('Short name', 12)),
      colours: z.array(oneOf('Colour', RANK_COLOURS), 'Colours must be a list').max(2, 'At most two colours'),
      pattern: oneOf('Pattern', RANK_PATTERNS),
      tags_count: whole('Tags', 12),
      tags_colour: oneOf('Colour of the tags', RANK_COLOURS).nullable(),
      /** How many stripes may be given on it. */
      stripes: whole('Stripes', 12),
      belt_level: oneOf('Belt level', BELTS),
      /** What a grading for it costs, in dollars. */
      fee: dollars('Fee').nullable(),
      ...requirements,
      skills: z.array(skillForm, 'Skills must be a list').max(MAX_SKILLS, `At most ${MAX_SKILLS} skills`),
    },
    'Each rank must be an object',
  )
  .refine(agesInOrder.check, agesInOrder.error)
  .refine(({ colours, pattern }) => colours.length > 0 || pattern === 'patch', { error: 'A belt needs a colour.', path: ['colours'] })
  .refine(({ tags_count, tags_colour }) => tags_count === 0 || tags_colour !== null, {
    error: 'Tags need a colour.',
    path: ['tags_colour'],
  })
export type RankForm = z.output<typeof rankForm>

const neverFalls = (ranks: readonly { belt_level: (typeof BELTS)[number] }[]) =>
  ranks.every(({ belt_level }, at) => at === 0 || BELTS.indexOf(belt_level) >= BELTS.indexOf(ranks[at - 1]!.belt_level))
const unique = (names: string[]) => new Set(names.map((name) => name.toLowerCase())).size === names.length

/** A ladder as its editor saves it, ranks from the lowest up. A rank left out is deleted, or retired where somebody has it or had it. */
export const ladderForm = z
  .object({
    name: singleLineText('Ladder', 60),
    /** For whom it is; null without a limit. Both ages included. */
    min_age: whole('Age', 120).nullable(),
    max_age: whole('Age', 120).nullable(),
    /** By the birthday, or year minus year of birth. */
    age_counts: oneOf('Age', AGE_COUNTS),
    /** The ladder for those who outgrow this one. */
    continues_as: uuid('Ladder').nullable(),
    ranks: z
      .array(rankForm, 'Ranks must be a list')
      .min(1, 'A ladder needs at least one rank.')
      .max(MAX_RANKS, `At most ${MAX_RANKS} ranks`)
      .refine((ranks) => unique(ranks.map(({ name }) => name)), 'Two ranks have the same name.')
      .refine(neverFalls, 'A higher rank must not count as a lower belt.'),
  })
  .refine(agesInOrder.check, agesInOrder.error)
export type LadderForm = z.output<typeof ladderForm>

const skill = z.object({ id: z.uuid(), name: z.string(), required: z.boolean() })
const rank = z.object({
  id: z.uuid(),
  name: z.string(),
  short: z.string().nullable(),
  colours: z.array(z.enum(RANK_COLOURS)),
  pattern: z.enum(RANK_PATTERNS),
  tags_count: z.number(),
  tags_colour: z.enum(RANK_COLOURS).nullable(),
  stripes: z.number(),
  belt_level: z.enum(BELTS),
  fee: z.number().nullable(),
  min_months: z.number().nullable(),
  min_classes: z.number().nullable(),
  max_classes_a_day: z.number().nullable(),
  min_age: z.number().nullable(),
  max_age: z.number().nullable(),
  min_stripes: z.number().nullable(),
  needs_approval: z.boolean(),
  needs_fee: z.boolean(),
  skills: z.array(skill),
  /** How many students have it now. */
  students: z.number(),
})
export type Rank = z.output<typeof rank>

const ladder = z.object({
  id: z.uuid(),
  name: z.string(),
  min_age: z.number().nullable(),
  max_age: z.number().nullable(),
  age_counts: z.enum(AGE_COUNTS),
  continues_as: z.uuid().nullable(),
  /** The template that it was copied from. */
  template: z.string().nullable(),
  /** No student can come to it any more. */
  is_retired: z.boolean(),
  /** The last press that brought students to it and has not been taken back, in part or as a whole. */
  last_conversion: z.object({ act_id: z.uuid(), students: z.number(), changed_at: z.string() }).nullable(),
  /** From the lowest up, without those that are retired. */
  ranks: z.array(rank),
})
export type Ladder = z.output<typeof ladder>

const style = z.object({
  id: z.uuid(),
  name: z.string(),
  is_main: z.boolean(),
  /** Days of vacation count as time in a rank. */
  vacation_counts: z.boolean(),
  /** The classes that carry it. A class that carries none counts for every style. */
  class_ids: z.array(z.uuid()),
  /** Oldest first. */
  ladders: z.array(ladder),
})
export type Style = z.output<typeof style>

export const styleForm = z.object({
  name: singleLineText('Style', 60),
  vacation_counts: flag('Vacation'),
  class_ids: z.array(uuid('Class'), 'Classes must be a list').max(100, 'At most 100 classes'),
})
export type StyleForm = z.output<typeof styleForm>

/** A rank of a template; ids and skills come with the copy. */
const templateRank = rank.pick({
  name: true,
  colours: true,
  pattern: true,
  tags_count: true,
  tags_colour: true,
  stripes: true,
  belt_level: true,
  min_months: true,
  min_classes: true,
  min_age: true,
  max_age: true,
})
const ladderTemplate = z.object({
  id: z.string(),
  style: z.string(),
  name: z.string(),
  note: z.string().nullable(),
  min_age: z.number().nullable(),
  max_age: z.number().nullable(),
  ranks: z.array(templateRank),
})
export type LadderTemplate = z.output<typeof ladderTemplate>

/** Belts in use among the students whom a ladder is for, and the rank that each would become. */
const conversionPreview = z.object({
  belts: z.array(
    z.object({
      from_rank_id: z.uuid(),
      name: z.string(),
      belt_level: z.enum(BELTS),
      students: z.number(),
      suggested_rank_id: z.uuid(),
    }),
  ),
})
export type ConversionPreview = z.output<typeof conversionPreview>

const conversion = z.object({
  belts: z
    .array(z.object({ from_rank_id: uuid('Rank'), to_rank_id: uuid('Rank') }, 'Each belt must be an object'), 'Belts must be a list')
    .min(1, 'At least one belt')
    .max(200, 'At most 200 belts'),
})
export type Conversion = z.output<typeof conversion>

const beltsReply = z.object({ styles: z.array(style) })
export type Belts = z.output<typeof beltsReply>

export const beltsApi = {
  show: {
    method: 'GET',
    path: '/belts',
    access: 'instructor',
    summary: "The dojo's styles, ladders and ranks with their requirements; a dojo that has drawn none has the seven belts",
    reply: beltsReply,
  },
  templates: {
    method: 'GET',
    path: '/ladder-templates',
    access: 'instructor',
    summary: 'Ladders to start from',
    reply: z.array(ladderTemplate),
  },
  addStyle: {
    method: 'POST',
    path: '/styles',
    access: 'instructor',
    summary: 'Add a style beside the main one',
    idempotent: true,
    body: styleForm,
    reply: style,
  },
  changeStyle: {
    method: 'PUT',
    path: '/styles/:id',
    access: 'instructor',
    summary: 'Change a style: its name, its classes, whether vacation counts',
    params: idParams,
    body: styleForm,
    reply: style,
  },
  removeStyle: {
    method: 'DELETE',
    path: '/styles/:id',
    access: 'instructor',
    summary: 'Remove a style that nobody has a rank in; the main one stays',
    params: idParams,
    reply: success,
  },
  addLadder: {
    method: 'POST',
    path: '/styles/:id/ladders',
    access: 'instructor',
    summary: 'Add a ladder to a style, copied from a template or drawn belt by belt',
    idempotent: true,
    params: idParams,
    body: z.union([z.object({ template: singleLineText('Template', 40) }), ladderForm], 'The ladder is not valid'),
    reply: ladder,
  },
  changeLadder: {
    method: 'PUT',
    path: '/ladders/:id',
    access: 'instructor',
    summary: 'Save a ladder with its ranks, requirements and skills',
    params: idParams,
    body: ladderForm,
    reply: ladder,
  },
  removeLadder: {
    method: 'DELETE',
    path: '/ladders/:id',
    access: 'instructor',
    summary: 'Remove a ladder that nobody stands on; one with a history is retired',
    params: idParams,
    reply: success,
  },
  conversionPreview: {
    method: 'GET',
    path: '/ladders/:id/conversion',
    access: 'instructor',
    summary: 'The belts in use by students whom a ladder is for, counted, and the rank that each would become',
    params: idParams,
    reply: conversionPreview,
  },
  convert: {
    method: 'POST',
    path: '/ladders/:id/conversion',
    access: 'instructor',
    summary: 'Bring students to a ladder, each belt to a rank; undone as a whole by its act',
    idempotent: true,
    params: idParams,
    body: conversion,
    reply: z.object({ act_id: z.uuid(), students: z.number() }),
  },
} as const satisfies Api
