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
    /** Owners have every right, including rights that later releases add. */
    is_owner: boolean().notNull().default(false),
    rights: text().array().$type<Right[]>().notNull().default([]),
    /** The preset that the rights came from. Null after a right was changed by hand. */
    preset: text({ enum: PRESET_NAMES }),
    /** The only classes that the person sees. Null means all. */
    class_ids: uuid().array(),
    starts_on: date(),
    /** The last day. */
    ends_on: date(),
    ended_at: instant(),
    invited_by: uuid(),
    /** The guardian who agreed that a student under 18 may help, and when. */
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

/** The link in an invitation works once, within 7 days. Only a hash of it is stored. */
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
    /** Whether staff may not take or forgive payments for their own family. Null means true if
     *  there are two or more owners. */
    refuses_own_family: boolean(),
    /** Staff who are not owners must confirm texts to more people than this. */
    max_recipients: integer().notNull().default(MAX_RECIPIENTS.default),
    /** When the school began to require a second factor of owners, and of staff with money
     *  rights. */
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
    exported: { name: 'staff_members', about: 'Staff of the school and their permissions' },
  },
  { table: staffRules, exported: { name: 'staff_rules', about: 'Rules for all staff' } },
]
