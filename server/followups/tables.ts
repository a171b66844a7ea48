import { FOLLOWUP_STATES } from '@tatami/contract/followups/followups'
import { type PlanStep, STEP_CONDITIONS, STEP_KINDS } from '@tatami/contract/followups/steps'
import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { students } from '../students/tables.ts'

/** What a school does in the first 90 days of a student. The newest version counts. */
export const followPlans = pgTable(
  'follow_plans',
  {
    dojo_id: dojoId(),
    version: smallint().notNull(),
    is_on: boolean().notNull(),
    steps: jsonb().$type<PlanStep[]>().notNull(),
    /** Students start whose first class is on this day or later. Null if the plan is off. */
    starts_from: date(),
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.version)],
)

/** The steps of a student. They are copied from the plan when the student starts. */
export const followups = pgTable(
  'followups',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    plan_version: smallint().notNull(),
    /** The day of the first class, which is day 1. */
    started_on: date().notNull(),
    /** The place in the plan, which tells two steps of a day apart. */
    position: smallint().notNull(),
    day: smallint().notNull(),
    kind: text({ enum: STEP_KINDS }).notNull(),
    words: text().notNull(),
    condition: text({ enum: STEP_CONDITIONS }).notNull(),
    state: text({ enum: FOLLOWUP_STATES }).notNull().default('open'),
    closed_on: date(),
    closed_at: instant(),
    /** Null if Tatami closed the step. */
    closed_by: uuid(),
    skipped_why: text(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('followups_of_student').on(t.dojo_id, t.student_id, t.started_on, t.position),
    index('followups_open')
      .on(t.dojo_id, t.student_id)
      .where(sql`state = 'open'`),
    reference('followups_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

export const followupTables: TableRules[] = [
  {
    table: followPlans,
    changes: 'append only',
    exported: { name: 'follow_plans', about: 'The plan for the first 90 days of students' },
  },
  {
    table: followups,
    exported: { name: 'followups', about: 'What was done in the first 90 days of students' },
  },
]
