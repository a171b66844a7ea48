import { AGE_COUNTS } from '@tatami/contract/belts/ladder-form'
import { RANK_RULES } from '@tatami/contract/belts/eligibility'
import { BELTS, PROMOTION_KINDS, RANK_COLOURS, RANK_PATTERNS } from '@tatami/contract/lib/ranks'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { classes } from '../classes/tables.ts'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** A dojo that never changed its belts has no row here. */
export const styles = pgTable(
  'styles',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    is_main: boolean().notNull(),
    /** True if time in a rank includes vacations. */
    vacation_counts: boolean().notNull().default(true),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('styles_main')
      .on(t.dojo_id)
      .where(sql`is_main`),
  ],
)

/** A class without a style counts for every style. */
export const classStyles = pgTable(
  'class_styles',
  { dojo_id: dojoId(), class_id: uuid().notNull(), style_id: uuid().notNull() },
  (t) => [
    ...tenantKey(t.dojo_id, t.class_id, t.style_id),
    index('class_styles_of_style').on(t.dojo_id, t.style_id),
    reference('class_styles_class', [t.dojo_id, t.class_id], classes).onDelete('cascade'),
    reference('class_styles_style', [t.dojo_id, t.style_id], styles).onDelete('cascade'),
  ],
)

export const ladders = pgTable(
  'ladders',
  {
    dojo_id: dojoId(),
    id: id(),
    style_id: uuid().notNull(),
    name: text().notNull(),
    min_age: smallint(),
    max_age: smallint(),
    /** Whether students reach an age on their birthday or on January 1. */
    age_counts: text({ enum: AGE_COUNTS }).notNull().default('birthday'),
    /** The ladder for students who have outgrown this one. */
    continues_as: uuid(),
    template: text(),
    template_version: smallint(),
    created_at: createdAt(),
    retired_at: instant(),
    retired_by_act: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('ladders_of_style').on(t.dojo_id, t.style_id),
    reference('ladders_style', [t.dojo_id, t.style_id], styles).onDelete('cascade'),
    // The schedule looks for these ladders every minute.
    index('ladders_continued')
      .on(t.dojo_id)
      .where(sql`continues_as is not null`),
    reference('ladders_continues_as', [t.dojo_id, t.continues_as], t),
  ],
)

export const ranks = pgTable(
  'ranks',
  {
    dojo_id: dojoId(),
    id: id(),
    ladder_id: uuid().notNull(),
    /** 0 is the lowest rank. Retired ranks come last. A deferred constraint makes it unique. */
    place: smallint().notNull(),
    name: text().notNull(),
    short: text(),
    colours: text({ enum: RANK_COLOURS }).array().notNull(),
    pattern: text({ enum: RANK_PATTERNS }).notNull(),
    tags_count: smallint().notNull().default(0),
    tags_colour: text({ enum: RANK_COLOURS }),
    stripes: smallint().notNull().default(0),
    belt_level: text({ enum: BELTS }).notNull(),
    fee: cents(),
    min_months: smallint(),
    min_classes: smallint(),
    max_classes_a_day: smallint(),
    min_age: smallint(),
    max_age: smallint(),
    min_stripes: smallint(),
    needs_approval: boolean().notNull().default(false),
    needs_fee: boolean().notNull().default(false),
    retired_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    reference('ranks_ladder', [t.dojo_id, t.ladder_id], ladders).onDelete('cascade'),
    check('ranks_ages', sql`${t.min_age} <= ${t.max_age}`),
  ],
)

export const outgrowingNotices = pgTable(
  'outgrowing_notices',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    ladder_id: uuid().notNull(),
    /** When instructors were notified. */
    told_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.ladder_id),
    reference('outgrowing_notices_student', [t.dojo_id, t.student_id], students).onDelete(
      'cascade',
    ),
    reference('outgrowing_notices_ladder', [t.dojo_id, t.ladder_id], ladders).onDelete('cascade'),
  ],
)

export const skills = pgTable(
  'skills',
  {
    dojo_id: dojoId(),
    id: id(),
    rank_id: uuid().notNull(),
    place: smallint().notNull(),
    name: text().notNull(),
    required: boolean().notNull().default(true),
    retired_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('skills_of_rank').on(t.dojo_id, t.rank_id),
    reference('skills_rank', [t.dojo_id, t.rank_id], ranks).onDelete('cascade'),
  ],
)

/** For each student and skill, the last row counts. */
export const skillChecks = pgTable(
  'skill_checks',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    skill_id: uuid().notNull(),
    is_checked: boolean().notNull(),
    checked_at: createdAt(),
    checked_by: uuid().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('skill_checks_newest').on(t.dojo_id, t.student_id, t.skill_id, t.id),
    reference('skill_checks_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('skill_checks_skill', [t.dojo_id, t.skill_id], skills).onDelete('cascade'),
  ],
)

export const approvals = pgTable(
  'approvals',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    rank_id: uuid().notNull(),
    approved_at: instant().notNull(),
    approved_by: uuid().notNull(),
    withdrawn_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.rank_id),
    reference('approvals_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('approvals_rank', [t.dojo_id, t.rank_id], ranks).onDelete('cascade'),
  ],
)

/** Rows are only added. If they are sorted by `given_on` and then by `changed_at`, the last row
 *  that was not undone has the current rank. */
export const beltChanges = pgTable(
  'belt_changes',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    belt_level: text({ enum: BELTS }).notNull(),
    previous_belt: text({ enum: BELTS }).notNull(),
    changed_at: createdAt(),
    changed_by: uuid().notNull(),
    kind: text({ enum: PROMOTION_KINDS }).notNull().default('promotion'),
    /** The default is for servers of the previous version. */
    given_on: date()
      .notNull()
      .default(sql`current_date`),
    style_id: uuid(),
    /** If null, the rank is one of the seven belts: `belt_level`. */
    rank_id: uuid(),
    stripes: smallint().notNull().default(0),
    act_id: uuid(),
    /** The earlier row that this row undoes. */
    undoes: uuid(),
    examiner: text(),
    waived: text({ enum: RANK_RULES }).array().notNull().default([]),
    note: text(),
    /** Classes in this rank before the school used Tatami. */
    classes_before: smallint().notNull().default(0),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('belt_changes_of_student').on(t.dojo_id, t.student_id, t.id),
    index('belt_changes_of_act').on(t.dojo_id, t.act_id),
    unique('belt_changes_undoes').on(t.dojo_id, t.undoes),
    reference('belt_changes_undone', [t.dojo_id, t.undoes], t).onDelete('cascade'),
    reference('belt_changes_style', [t.dojo_id, t.style_id], styles),
    reference('belt_changes_rank', [t.dojo_id, t.rank_id], ranks),
    reference('belt_changes_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

export const beltTables: TableRules[] = [
  {
    table: approvals,
    exported: { name: 'approvals', about: 'Students whom an instructor approved for a rank' },
  },
  {
    table: beltChanges,
    exported: { name: 'belt_changes', about: 'Every belt, rank and stripe given to a student' },
    changes: 'append only',
  },
  {
    table: classStyles,
    exported: { name: 'class_styles', about: 'Which classes count for which style' },
  },
  { table: ladders, exported: { name: 'ladders', about: 'Ladders of a style, with their ages' } },
  {
    table: outgrowingNotices,
    notExported: 'which notices about students who outgrow a ladder were already sent',
  },
  {
    table: ranks,
    exported: {
      name: 'ranks',
      about: 'Ranks of a ladder from 0, the lowest, with their requirements; fees in dollars',
    },
  },
  {
    table: skillChecks,
    exported: {
      name: 'skill_checks',
      about: 'Skills checked off for students; the last line for a student and skill counts',
    },
  },
  { table: skills, exported: { name: 'skills', about: 'The checklist of each rank' } },
  {
    table: styles,
    exported: { name: 'styles', about: 'Styles; empty if the dojo never changed its belts' },
  },
]
