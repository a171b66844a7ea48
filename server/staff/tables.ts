import { PRESET_NAMES, type Right } from '@tatami/contract/rights'
import { MAX_RECIPIENTS } from '@tatami/contract/staff/staff'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'

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
    preset: text({ enum: PRESET_NAMES }),
    /** The only classes that the person sees. Null means all. */
    class_ids: uuid().array(),
    starts_on: date(),
    /** The last day. */
    ends_on: date(),
    ended_at: instant(),
    invited_by: uuid(),
    /** The guardian who agreed that a student under 18 helps, and when. */
    agreed_guardian_id: uuid(),
    agreed_at: instant(),
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

/** The link of an invitation works once, within 7 days. Only its hash is stored. */
export const staffInvitations = pgTable(
  'staff_invitations',
  {
    dojo_id: dojoId(),
    id: id(),
    token_hash: text().notNull(),
    name: text().notNull(),
    email: text(),
    title: text(),
    rights: text().array().$type<Right[]>().notNull(),
    preset: text({ enum: PRESET_NAMES }),
    class_ids: uuid().array(),
    starts_on: date(),
    ends_on: date(),
    student_id: uuid(),
    agreed_guardian_id: uuid(),
    invited_by: uuid().notNull(),
    created_at: createdAt(),
    expires_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('staff_invitations_token').on(t.dojo_id, t.token_hash),
    index('staff_invitations_of_student').on(t.dojo_id, t.student_id),
    index('staff_invitations_oldest').on(t.expires_at, t.dojo_id),
    reference('staff_invitations_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** One row per dojo that has changed a rule. */
export const staffRules = pgTable(
  'staff_rules',
  {
    dojo_id: dojoId(),
    /** Whether staff may neither take payments for their own family nor forgive it. Null follows
     *  the number of owners. */
    refuses_own_family: boolean(),
    /** Staff who are not owners must confirm a text to more people. */
    max_recipients: integer().notNull().default(MAX_RECIPIENTS.default),
    /** Since when owners, and whoever has a right about money, must have a second factor. */
    second_factor_owners_since: instant(),
    second_factor_money_since: instant(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

export const staffTables: TableRules[] = [
  {
    table: staffInvitations,
    exported: {
      name: 'staff_invitations',
      about: 'Open invitations to the staff',
      hidden: ['token_hash'],
    },
    kept: {
      since: staffInvitations.expires_at,
      days: 7,
      description: 'Invitations to the staff, after they expire',
    },
    hiddenFromOverseer: [staffInvitations.token_hash],
  },
  {
    table: staffMembers,
    exported: { name: 'staff_members', about: 'Staff of the school and their rights' },
  },
  { table: staffRules, exported: { name: 'staff_rules', about: 'Rules for all staff' } },
]
