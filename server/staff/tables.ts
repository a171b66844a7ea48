import { PRESETS, type Preset, type Right } from '@tatami/contract/rights'
import { sql } from 'drizzle-orm'
import { boolean, check, date, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { instructors } from '../sensei/tables.ts'

/** The people who run a school: its owners, and others with some of the rights. */
export const staffMembers = pgTable(
  'staff_members',
  {
    dojo_id: dojoId(),
    instructor_id: uuid().notNull(),
    /** What the school calls the person: "Head coach". */
    title: text(),
    /** Owners have every right, also those of later releases. */
    is_owner: boolean().notNull().default(false),
    rights: text().array().$type<Right[]>().notNull().default([]),
    /** The preset that the rights were last taken from. Null after a right was changed by hand. */
    preset: text({ enum: Object.keys(PRESETS) as [Preset, ...Preset[]] }),
    /** The only classes that the person sees. Null means all. */
    class_ids: uuid().array(),
    starts_on: date(),
    /** The last day. */
    ends_on: date(),
    ended_at: instant(),
    invited_by: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.instructor_id),
    reference('staff_members_instructor', [t.dojo_id, t.instructor_id], instructors).onDelete(
      'cascade',
    ),
    check(
      'staff_members_owner',
      sql`not ${t.is_owner} or (${t.class_ids} is null and ${t.ended_at} is null)`,
    ),
  ],
)

export const staffTables: TableRules[] = [
  {
    table: staffMembers,
    exported: { name: 'staff_members', about: 'Staff of the school and their rights' },
  },
]
