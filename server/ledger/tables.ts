import { CHARGE_KINDS, LINE_KINDS, PAYMENT_METHODS } from '@tatami/contract/ledger/ledger'
import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
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
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'

/**
 * One per student and month; none means unpaid. What the specification's calls say of the ledger: whatever changes the lines of a month's
 * charge writes its record in the same transaction.
 */
export const paymentRecords = pgTable(
  'payment_records',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    payment_year: smallint().notNull(),
    /** 0 is January, as on the wire. */
    payment_month: smallint().notNull(),
    payment_status: text({ enum: ['paid', 'unpaid'] }).notNull(),
    /** As of the marking; a later change of the fee does not rewrite it. */
    amount: cents().notNull(),
    /** Why it was less than the fee, such as "2nd of 3: −10 %". */
    price_reason: text(),
    marked_at: instant().notNull(),
    updated_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.payment_year, t.payment_month, t.student_id),
    reference('payment_records_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

type Month = { month: number; year: number }

/** The records of one month; `month` counts from 0. */
export const recordsOf = ({ month, year }: { [K in keyof Month]: Month[K] | Placeholder | SQL }) =>
  and(eq(paymentRecords.payment_year, year), eq(paymentRecords.payment_month, month))!
/** Records that say that money came for their month: one of $0 pays nothing, as `monthStateOf` has it. */
export const paysMonth = sql`(${paymentRecords.payment_status} = 'paid' and ${paymentRecords.amount} > 0)`
const paidIn = (month: Month): SQL =>
  and(
    recordsOf(month),
    paysMonth,
    eq(paymentRecords.student_id, students.id),
    eq(paymentRecords.dojo_id, students.dojo_id),
  )!
/** A condition on students: no paid record of that month. */
export const unpaidIn = (month: Month): SQL =>
  sql`not exists (select from ${paymentRecords} where ${paidIn(month)})`

/** Something that a student is asked to pay for. What it costs, and what was paid of it, are lines; a row here never changes. */
export const charges = pgTable(
  'charges',
  {
    dojo_id: dojoId(),
    id: id(),
    /** Null once the student was deleted: the books keep the sums, and a trigger empties the note. */
    student_id: uuid(),
    kind: text({ enum: CHARGE_KINDS }).notNull(),
    /** Of a month, and of a late fee the month that it is for; else null. */
    year: smallint(),
    month: smallint(),
    note: text(),
    /** The day since when it is owed: of a month its first. */
    charged_on: date().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    // The migration narrows the deletion of a student to this one column, which Drizzle cannot express.
    // One charge for a student's month for good, and one late fee: what corrects it is a line.
    uniqueIndex('charges_of_month')
      .on(t.dojo_id, t.student_id, t.year, t.month, t.kind)
      .where(sql`year is not null`),
    index('charges_of_student').on(t.dojo_id, t.student_id),
    check(
      'charges_month',
      sql`(${t.kind} in ('month', 'late_fee')) = (num_nonnulls(${t.year}, ${t.month}) = 2)`,
    ),
    reference('charges_student', [t.dojo_id, t.student_id], students).onDelete('set null'),
  ],
)

/**
 * The ledger: only added to. What a charge still owes is the sum of its lines; what a student owes in all is the sum of the student's lines
 * but those of kind `credit`, which say how much of an overpayment covers which charge. A correction is a line that reverses another.
 */
export const ledgerLines = pgTable(
  'ledger_lines',
  {
    dojo_id: dojoId(),
    id: id(),
    /** What one press did: it is undone as a whole. */
    act_id: uuid().notNull(),
    /** Null once the student was deleted, as in a charge. */
    student_id: uuid(),
    /** Null for what was paid beyond all charges, and for what was given back of that. */
    charge_id: uuid(),
    kind: text({ enum: LINE_KINDS }).notNull(),
    /** More than 0 raises what is owed. */
    amount: cents().notNull(),
    /** Of a charge: why it is less than the fee, such as "2nd of 3: −10 %". */
    reason: text(),
    method: text({ enum: PAYMENT_METHODS }),
    note: text(),
    /** The day on which it counts. */
    made_on: date().notNull(),
    /** The line that this one takes back; it can be taken back in turn. */
    reverses: uuid(),
    created_at: createdAt(),
    /** An account, as in the audit log; null for what the schedule did. */
    created_by: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('ledger_lines_reversed_once').on(t.dojo_id, t.reverses),
    index('ledger_lines_of_student').on(t.dojo_id, t.student_id),
    index('ledger_lines_of_charge').on(t.dojo_id, t.charge_id),
    index('ledger_lines_of_act').on(t.dojo_id, t.act_id),
    index('ledger_lines_by_day').on(t.dojo_id, t.made_on),
    reference('ledger_lines_student', [t.dojo_id, t.student_id], students).onDelete('set null'),
    reference('ledger_lines_charge', [t.dojo_id, t.charge_id], charges).onDelete('cascade'),
    reference('ledger_lines_reversal', [t.dojo_id, t.reverses], t).onDelete('cascade'),
  ],
)

/** The month in progress of each dojo: those before it, from `since` on, are charged. A dojo gets its row when it is made. */
export const openMonths = pgTable(
  'open_months',
  {
    dojo_id: dojoId(),
    /** Its first day. */
    month: date().notNull(),
    /** The first day of the first month that is charged: nothing is owed by itself for any before. */
    since: date().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/**
 * That somebody has said on which day they pay. What was said for several students at once has one id, with a row for each. One that nobody
 * has ended lasts until everything is paid, also when its day is past; a student has one at most.
 */
export const paymentPromises = pgTable(
  'payment_promises',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    promised_on: date().notNull(),
    note: text(),
    created_at: createdAt(),
    /** An account, as in the audit log. */
    created_by: uuid().notNull(),
    ended_at: instant(),
    /** The act that paid everything: taken back, it brings the promise back. */
    ended_by_act: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id, t.student_id),
    uniqueIndex('payment_promises_open')
      .on(t.dojo_id, t.student_id)
      .where(sql`ended_at is null`),
    index('payment_promises_ended_by_act')
      .on(t.dojo_id, t.ended_by_act)
      .where(sql`ended_by_act is not null`),
    reference('payment_promises_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** What a late month costs more. No row: nothing. */
export const lateFeeRules = pgTable(
  'late_fee_rules',
  {
    dojo_id: dojoId(),
    /** From the first of the month on; only a month that is later than that costs more. */
    grace_days: smallint().notNull(),
    percent: smallint(),
    amount: cents(),
  },
  (t) => [
    ...tenantKey(t.dojo_id),
    check('late_fee_rules_one_kind', sql`num_nonnulls(${t.percent}, ${t.amount}) = 1`),
  ],
)
