import { type LoginChoice, type Relation, RELATIONS } from '@tatami/contract/guardians/guardians'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** The last seven digits of a phone number in any format. */
export const guardianPhoneEnding = sql`right(regexp_replace(phone, '\\D', '', 'g'), 7)`

/** A guardian who also trains or teaches has the id of that account. */
export const guardians = pgTable(
  'guardians',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    phone: text(),
    /** If the guardian has a login, a foreign key keeps this equal to the login's email. */
    email: text(),
    /** Equal to `id` if the guardian has a login, or else null. */
    account_id: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    // The migration narrows this to `set null (account_id)`, which Drizzle cannot express.
    foreignKey({
      name: 'guardians_account',
      columns: [t.dojo_id, t.account_id, t.email],
      foreignColumns: [accounts.dojo_id, accounts.id, accounts.email],
    })
      .onUpdate('cascade')
      .onDelete('set null'),
    index('guardians_of_account').on(t.dojo_id, t.account_id),
    index('guardians_phone_ending').on(guardianPhoneEnding, t.dojo_id),
    check(
      'guardians_account_has_email',
      sql`${t.account_id} is null or (${t.account_id} = ${t.id} and ${t.email} is not null)`,
    ),
  ],
)

export const guardianships = pgTable(
  'guardianships',
  {
    dojo_id: dojoId(),
    guardian_id: uuid().notNull(),
    student_id: uuid().notNull(),
    relation: text({ enum: RELATIONS }).notNull().default('guardian'),
    /** The guardian may see the student's page. */
    sees: boolean().notNull().default(true),
    sees_fees: boolean().notNull().default(false),
    gets_texts: boolean().notNull().default(true),
    pays: boolean().notNull().default(false),
    may_edit: boolean().notNull().default(false),
    /** The guardian may pick up the student from class. */
    picks_up: boolean().notNull().default(false),
    /** The order in which to call the guardians in an emergency, from 1. */
    emergency_rank: smallint(),
    note: text(),
    since: instant().notNull(),
    ended_at: instant(),
    allows_log_in: boolean().notNull().default(false),
    /** Null if there is no consent, and for consents that earlier releases recorded. */
    log_in_consent_at: instant(),
    log_in_consent_source: text({ enum: ['guardian', 'school'] }),
    log_in_consent_wording: text(),
    /** When the adult student agreed that the guardian keeps access. */
    agreed_at: instant(),
    agrees_to_fees: boolean().notNull().default(true),
    agrees_to_edit: boolean().notNull().default(true),
    adulthood_announced_at: instant(),
    adulthood_reached_at: instant(),
    /** True if the student's login closes when the guardian first logs in. */
    closes_log_in: boolean().notNull().default(false),
    log_in_closed_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.guardian_id, t.student_id),
    index('guardianships_of_student').on(t.dojo_id, t.student_id),
    uniqueIndex('guardianships_payer')
      .on(t.dojo_id, t.student_id)
      .where(sql`pays and ended_at is null`),
    index('guardianships_closed_log_ins')
      .on(t.log_in_closed_at, t.dojo_id)
      .where(sql`log_in_closed_at is not null`),
    reference('guardianships_guardian', [t.dojo_id, t.guardian_id], guardians).onDelete('cascade'),
    reference('guardianships_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    check('guardianships_not_of_oneself', sql`${t.guardian_id} <> ${t.student_id}`),
  ],
)

/** Additional phone numbers of guardians. Group texts skip them. */
export const guardianPhones = pgTable(
  'guardian_phones',
  {
    dojo_id: dojoId(),
    phone: text().notNull(),
    guardian_id: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.phone, t.guardian_id),
    index('guardian_phones_of_guardian').on(t.dojo_id, t.guardian_id),
    index('guardian_phones_of_phone').on(t.phone, t.dojo_id),
    reference('guardian_phones_guardian', [t.dojo_id, t.guardian_id], guardians).onDelete(
      'cascade',
    ),
  ],
)

/** The link in an invitation works once, within 7 days. Only a hash of it is stored. */
export const loginInvitations = pgTable(
  'log_in_invitations',
  {
    dojo_id: dojoId(),
    token_hash: text().notNull(),
    guardian_id: uuid(),
    student_id: uuid(),
    email: text().notNull(),
    created_at: createdAt(),
    expires_at: instant().notNull(),
    accepted_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.token_hash),
    index('log_in_invitations_of_guardian').on(t.dojo_id, t.guardian_id),
    index('log_in_invitations_of_student').on(t.dojo_id, t.student_id),
    index('log_in_invitations_oldest').on(t.expires_at, t.dojo_id),
    reference('log_in_invitations_guardian', [t.dojo_id, t.guardian_id], guardians).onDelete(
      'cascade',
    ),
    reference('log_in_invitations_student', [t.dojo_id, t.student_id], students).onDelete(
      'cascade',
    ),
    check('log_in_invitations_for_one', sql`num_nonnulls(${t.guardian_id}, ${t.student_id}) = 1`),
  ],
)

/** Pairs of students who, according to an instructor, are not relatives. The lower id comes first.
 *  */
export const unrelatedStudents = pgTable(
  'unrelated_students',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    other_id: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.other_id),
    index('unrelated_students_of_other').on(t.dojo_id, t.other_id),
    reference('unrelated_students_student', [t.dojo_id, t.student_id], students).onDelete(
      'cascade',
    ),
    reference('unrelated_students_other', [t.dojo_id, t.other_id], students).onDelete('cascade'),
    check('unrelated_students_in_order', sql`${t.student_id} < ${t.other_id}`),
  ],
)

type LinkRights = {
  relation: Relation
  gets_texts: boolean
  pays: boolean
  sees: boolean
  sees_fees: boolean
}

export type FamilyChangeDetails = {
  is_new_guardian: boolean
  guardian_email: string | null
  students: {
    student_id: string
    log_in: LoginChoice
    /** Null if the guardian was not linked to the student before. */
    before: LinkRights | null
    after: LinkRights
    /** The guardian who paid before. */
    payer_id: string | null
  }[]
}

export const familyChanges = pgTable(
  'family_changes',
  {
    dojo_id: dojoId(),
    id: id(),
    guardian_id: uuid().notNull(),
    actor_id: uuid().notNull(),
    created_at: createdAt(),
    undone_at: instant(),
    details: jsonb().$type<FamilyChangeDetails>().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('family_changes_of_guardian').on(t.dojo_id, t.guardian_id),
    index('family_changes_oldest').on(t.created_at, t.dojo_id),
    reference('family_changes_guardian', [t.dojo_id, t.guardian_id], guardians).onDelete('cascade'),
  ],
)

export const guardianTables: TableRules[] = [
  {
    table: familyChanges,
    exported: {
      name: 'family_changes',
      about: 'Families made of existing students',
      hidden: ['details'],
    },
    kept: {
      since: familyChanges.created_at,
      days: 30,
      description: 'Data to undo changes to a family',
    },
  },
  {
    table: guardianPhones,
    exported: { name: 'guardian_phones', about: "Guardians' additional phone numbers" },
  },
  { table: guardians, exported: { name: 'guardians', about: 'Guardians' } },
  {
    table: guardianships,
    exported: {
      name: 'guardianships',
      about:
        'Which guardians belong to which students and their permissions, including ended links',
    },
  },
  {
    table: loginInvitations,
    notExported: 'hashes of the links of login invitations',
    kept: {
      since: loginInvitations.expires_at,
      days: 7,
      description: 'Invitations to create a login, after they expire',
    },
    hiddenFromOverseer: [loginInvitations.token_hash],
  },
  {
    table: unrelatedStudents,
    exported: {
      name: 'unrelated_students',
      about: 'Students who are not family, according to you',
    },
  },
]
