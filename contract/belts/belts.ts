import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { flag, idParams, singleLineText, success, uuid } from '../lib/fields.ts'
import { AGE_COUNTS, ladderForm } from './ladder-form.ts'
import { BELTS, RANK_COLOURS, RANK_PATTERNS } from '../lib/ranks.ts'

const skill = z.object({ id: z.uuid(), name: z.string(), required: z.boolean() })
const rank = z.object({
  id: z.uuid(),
  name: z.string(),
  short: z.string().nullable(),
  colours: z.array(z.enum(RANK_COLOURS)),
  pattern: z.enum(RANK_PATTERNS),
  /** Tags are part of the belt's design. Stripes are given to students who have the rank. */
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
  /** The number of students who have this rank. */
  students: z.number(),
})
export type Rank = z.output<typeof rank>

const ladder = z.object({
  id: z.uuid(),
  name: z.string(),
  min_age: z.number().nullable(),
  max_age: z.number().nullable(),
  /** Whether students reach an age on their birthday or on January 1. */
  age_counts: z.enum(AGE_COUNTS),
  /** The ladder for students who have outgrown this one. */
  continues_as: z.uuid().nullable(),
  template: z.string().nullable(),
  is_retired: z.boolean(),
  /** The newest conversion to this ladder, unless it was undone for a student. */
  last_conversion: z
    .object({ act_id: z.uuid(), students: z.number(), changed_at: z.string() })
    .nullable(),
  ranks: z.array(rank),
})
export type Ladder = z.output<typeof ladder>

const style = z.object({
  id: z.uuid(),
  name: z.string(),
  is_main: z.boolean(),
  /** True if time in a rank includes vacations. */
  vacation_counts: z.boolean(),
  /** A class without a style counts for every style. */
  class_ids: z.array(z.uuid()),
  ladders: z.array(ladder),
})
export type Style = z.output<typeof style>

export const styleForm = z.object({
  name: singleLineText('Style', 60),
  vacation_counts: flag('Vacation'),
  class_ids: z.array(uuid('Class'), 'Classes must be a list').max(100, 'At most 100 classes'),
})
export type StyleForm = z.output<typeof styleForm>

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
    .array(
      z.object(
        { from_rank_id: uuid('Rank'), to_rank_id: uuid('Rank') },
        'Each belt must be an object',
      ),
      'Belts must be a list',
    )
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
    right: 'any',
    summary: "The dojo's styles, ladders and ranks with their requirements",
    reply: beltsReply,
  },
  templates: {
    method: 'GET',
    path: '/ladder-templates',
    access: 'instructor',
    right: 'settings',
    summary: 'Templates for new ladders',
    reply: z.array(ladderTemplate),
  },
  addStyle: {
    method: 'POST',
    path: '/styles',
    access: 'instructor',
    right: 'settings',
    summary: 'Add a style besides the main one',
    idempotent: true,
    body: styleForm,
    reply: style,
  },
  changeStyle: {
    method: 'PUT',
    path: '/styles/:id',
    access: 'instructor',
    right: 'settings',
    summary: 'Change a style: its name, its classes, whether vacation counts',
    params: idParams,
    body: styleForm,
    reply: style,
  },
  removeStyle: {
    method: 'DELETE',
    path: '/styles/:id',
    access: 'instructor',
    right: 'settings',
    summary: 'Remove a style. 409 for the main style, or if it has promotions or belt tests',
    params: idParams,
    reply: success,
  },
  addLadder: {
    method: 'POST',
    path: '/styles/:id/ladders',
    access: 'instructor',
    right: 'settings',
    summary: 'Add a ladder to a style, copied from a template or with custom ranks',
    idempotent: true,
    params: idParams,
    body: z.union(
      [z.object({ template: singleLineText('Template', 40) }), ladderForm],
      'The ladder is not valid',
    ),
    reply: ladder,
  },
  changeLadder: {
    method: 'PUT',
    path: '/ladders/:id',
    access: 'instructor',
    right: 'settings',
    summary: 'Save a ladder with its ranks, requirements and skills',
    params: idParams,
    body: ladderForm,
    reply: ladder,
  },
  removeLadder: {
    method: 'DELETE',
    path: '/ladders/:id',
    access: 'instructor',
    right: 'settings',
    summary: "Remove a ladder without students, or retire it if it is in a student's history",
    params: idParams,
    reply: success,
  },
  conversionPreview: {
    method: 'GET',
    path: '/ladders/:id/conversion',
    access: 'instructor',
    right: 'settings',
    summary: 'The belts in use, with the number of students and a suggested rank of this ladder',
    params: idParams,
    reply: conversionPreview,
  },
  convert: {
    method: 'POST',
    path: '/ladders/:id/conversion',
    access: 'instructor',
    right: 'settings',
    summary: 'Move the students of each belt to a rank of this ladder. This can be undone',
    idempotent: true,
    params: idParams,
    body: conversion,
    reply: z.object({ act_id: z.uuid(), students: z.number() }),
  },
} as const satisfies Api
