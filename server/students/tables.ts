import { BELTS } from '@tatami/contract/lib/ranks'
import { GENDERS } from '@tatami/contract/accounts/users'
import { LEAVE_REASONS } from '@tatami/contract/students/leaving'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { boolean, check, date, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { classes } from '../classes/tables.ts'
import { dojos } from '../dojos/tables.ts'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

const dayOfMonth = sql`extract(day from date_of_birth)`
/** Month and day as a number: 301 is March 1. */
export const birthday = sql`(extract(month from date_of_birth) * 100 + ${dayOfMonth})`

/** The 18th birthday. For a student born on February 29, it is February 28. */
export const adultOn = sql`((date_of_birth + interval '18 years')::date)`

/** The last seven digits of a phone number. They are used to find the student who sent a reply. */
export const phoneEnding = sql`right(regexp_replace(phone_number, '\\D', '', 'g'), 7)`

export const students = pgTable(
  'students',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    /** The email of the login that has the student's id, or null without a login. */
    email: text(),
    phone_number: text(),
    belt_level: text({ enum: BELTS }).notNull().default('white'),
    date_of_birth: date(),
    gender: text({ enum: GENDERS }).default('male'),
    emergency_contact_name: text(),
    emergency_contact_phone: text(),
    class_preferences: text().array().notNull().default([]),
    is_trial: boolean().notNull().default(false),
    monthly_payment_amount: cents(),
    /** The fee before a raise that starts later, and the last month in which it counts. */
    former_fee: cents(),
    former_fee_month: date(),
    /** The price that a student keeps for one month after a sibling left. `kept_price_of` is what
     *  the month would cost without the discount, and `kept_price_reason` explains the discount. */
    kept_price: cents(),
    kept_price_of: cents(),
    kept_price_reason: text(),
    kept_price_month: date(),
    /** The day on which a trial ended or an instructor approved the student. Null if there was
     *  neither. */
    pays_since: date(),
    /** The day a student joined the school, if that was before the school used Tatami. */
    joined_on: date(),
    /** The first day of the last month that was paid for before the school used Tatami. */
    paid_through: date(),
    /** A nightly job changes this when a planned vacation begins or ends. */
    on_vacation: boolean().notNull().default(false),
    /** Both days are included. Without a last day, the vacation is open-ended. */
    vacation_from: date(),
    vacation_until: date(),
    /** Whether the student has returned the application. */
    app_returned: boolean(),
    payment_method: text(),
    price_note: text(),
    sibling_exempt: boolean().notNull().default(false),
    awaits_approval: boolean().notNull().default(false),
    /** Such as "000", "8" or "A2". */
    belt_size: text(),
    /** The last day of a former student. Null for current students, like the reason. */
    left_on: date(),
    left_reason: text({ enum: LEAVE_REASONS }),
    /** Not cleared when the student returns, because a return can be undone. */
    left_note: text(),
    /** The day of the last return, and the last day before it. */
    returned_on: date(),
    previously_left_on: date(),
    /** The classes that a former student was in, to enroll them again. */
    left_classes: uuid().array().notNull().default([]),
    /** True if the student has or had a plan. If false, queries for plans are skipped. */
    has_subscription: boolean().notNull().default(false),
    /** The plan that the student chose when joining. It starts when an instructor approves. */
    requested_plan_id: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    foreignKey({
      name: 'students_account',
      columns: [t.dojo_id, t.id, t.email],
      foreignColumns: [accounts.dojo_id, accounts.id, accounts.email],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
    index('students_birthdays').on(birthday, t.dojo_id),
    index('students_of_age').on(adultOn, t.dojo_id),
    index('students_vacation_begins')
      .on(t.vacation_from, t.dojo_id)
      .where(sql`vacation_from is not null and not on_vacation`),
    index('students_vacation_ends')
      .on(t.vacation_until, t.dojo_id)
      .where(sql`vacation_until is not null`),
    check(
      'students_vacation_dates',
      sql`${t.vacation_until} is null or ${t.vacation_from} <= ${t.vacation_until}`,
    ),
    check(
      'students_former_fee',
      sql`num_nonnulls(${t.former_fee}, ${t.former_fee_month}) in (0, 2)`,
    ),
    check(
      'students_kept_price',
      sql`num_nonnulls(${t.kept_price}, ${t.kept_price_month}) in (0, 2)`,
    ),
    check('students_left', sql`(${t.left_on} is null) = (${t.left_reason} is null)`),
    check(
      'students_returned',
      sql`num_nonnulls(${t.returned_on}, ${t.previously_left_on}) in (0, 2)`,
    ),
    index('students_phone_ending').on(phoneEnding, t.dojo_id),
  ],
)

/** Former students stay in the table with their history. */
export const isCurrentStudent = isNull(students.left_on)

export const isPayingStudent = and(
  isCurrentStudent,
  eq(students.is_trial, false),
  eq(students.on_vacation, false),
)!

export const enrollments = pgTable(
  'enrolments',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    class_id: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.class_id),
    index('enrolments_of_class').on(t.dojo_id, t.class_id),
    reference('enrolments_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('enrolments_class', [t.dojo_id, t.class_id], classes).onDelete('cascade'),
  ],
)

export const pastVacations = pgTable(
  'past_vacations',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    vacation_from: date().notNull(),
    vacation_until: date().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('past_vacations_of_student').on(t.dojo_id, t.student_id),
    reference('past_vacations_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    check('past_vacations_dates', sql`${t.vacation_from} <= ${t.vacation_until}`),
  ],
)

/** The day on which a student enrolled, in the dojo's time zone. */
export const enrolledOn = sql<string>`(${students.created_at} at time zone
  (select d.time_zone from ${dojos} d where d.id = ${students.dojo_id}))::date`

/** Both days are included. `from` is null if it is unknown, and `until` if the vacation has no end.
 *  */
export type VacationDays = { from: string | null; until: string | null }

export const pastVacationDays = sql<VacationDays[]>`(
  select coalesce(
    json_agg(json_build_object('from', p.vacation_from, 'until', p.vacation_until)), '[]')
  from ${pastVacations} p where p.dojo_id = students.dojo_id and p.student_id = students.id)`

export const departures = pgTable(
  'departures',
  {
    dojo_id: dojoId(),
    id: id(),
    month: date().notNull(),
    /** Earlier releases wrote neither `belt_level` nor `joined_month`. */
    belt_level: text({ enum: BELTS }),
    joined_month: date(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

/** A separate table, so a query of students never returns these notes. */
export const studentNotes = pgTable(
  'student_notes',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    allergies: text(),
    medical_note: text(),
    private_notes: text(),
    changed_at: instant().notNull(),
    changed_by: uuid().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id),
    reference('student_notes_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

export const studentTables: TableRules[] = [
  {
    table: departures,
    exported: {
      name: 'departures',
      about: 'Students who left: month, belt and month of enrollment, without names',
    },
    changes: 'append only',
  },
  { table: enrollments, exported: { name: 'enrolments', about: 'The classes of each student' } },
  { table: pastVacations, exported: { name: 'past_vacations', about: 'Past vacations' } },
  {
    table: studentNotes,
    exported: { name: 'student_notes', about: 'Allergies, medical notes and private notes' },
    hiddenFromOverseer: [
      studentNotes.allergies,
      studentNotes.medical_note,
      studentNotes.private_notes,
    ],
  },
  {
    table: students,
    exported: {
      name: 'student_records',
      about: 'Current and former students, as stored',
    },
    hiddenFromOverseer: [students.left_note],
  },
]
