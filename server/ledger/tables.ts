import { CHARGE_KINDS, LINE_KINDS, PAYMENT_METHODS } from '@tatami/contract/ledger/ledger'
import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  numeric,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { subscriptions } from '../plans/tables.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

export const taxPercent = () => numeric({ precision: 5, scale: 3, mode: 'number' })

/** As the specification's endpoints show it. A month without a record is unpaid. */
export const paymentRecords = pgTable(
  'payment_records',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    payment_year: smallint().notNull(),
    payment_month: smallint().notNull(),
    payment_status: text({ enum: ['paid', 'unpaid'] }).notNull(),
    amount: cents().notNull(),
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

export const recordsOf = ({ month, year }: { [K in keyof Month]: Month[K] | Placeholder | SQL }) =>
  and(eq(paymentRecords.payment_year, year), eq(paymentRecords.payment_month, month))!
/** A month that was settled with $0 is not paid, as in `monthStateOf`. */
export const isPaidRecord = sql`(
  ${paymentRecords.payment_status} = 'paid' and ${paymentRecords.amount} > 0)`
const paidIn = (month: Month): SQL =>
  and(
    recordsOf(month),
    isPaidRecord,
    eq(paymentRecords.student_id, students.id),
    eq(paymentRecords.dojo_id, students.dojo_id),
  )!
export const unpaidIn = (month: Month): SQL =>
  sql`not exists (select from ${paymentRecords} where ${paidIn(month)})`

export const charges = pgTable(
  'charges',
  {
    dojo_id: dojoId(),
    id: id(),
    /** Null after the student is deleted. A trigger then also clears the note. */
    student_id: uuid(),
    kind: text({ enum: CHARGE_KINDS }).notNull(),
    /** Set only for a month and its late fee. */
    year: smallint(),
    month: smallint(),
    note: text(),
    charged_on: date().notNull(),
    /** Set for what a plan charges besides the month. Null again after it is deleted. */
    subscription_id: uuid(),
    /** The days that a charge of a plan is for. A fee has only the first. */
    period_from: date(),
    period_until: date(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    // The migration limits `on delete set null` to student_id, which Drizzle cannot express.
    uniqueIndex('charges_of_month')
      .on(t.dojo_id, t.student_id, t.year, t.month, t.kind)
      .where(sql`year is not null`),
    uniqueIndex('charges_of_period')
      .on(t.dojo_id, t.student_id, t.subscription_id, t.period_from, t.kind)
      .where(sql`subscription_id is not null`),
    index('charges_of_student').on(t.dojo_id, t.student_id),
    check(
      'charges_month',
      sql`(${t.kind} in ('month', 'late_fee')) = (num_nonnulls(${t.year}, ${t.month}) = 2)`,
    ),
    reference('charges_student', [t.dojo_id, t.student_id], students).onDelete('set null'),
    // The migration limits this one to subscription_id, too.
    reference('charges_subscription', [t.dojo_id, t.subscription_id], subscriptions).onDelete(
      'set null',
    ),
  ],
)

/**
 * Lines are only added: a correction reverses another line. A charge's lines add up to what is owed
 * for it. A student's lines add up to the balance, except `credit` lines, which move credit.
 */
export const ledgerLines = pgTable(
  'ledger_lines',
  {
    dojo_id: dojoId(),
    id: id(),
    act_id: uuid().notNull(),
    student_id: uuid(),
    charge_id: uuid(),
    kind: text({ enum: LINE_KINDS }).notNull(),
    amount: cents().notNull(),
    reason: text(),
    method: text({ enum: PAYMENT_METHODS }),
    note: text(),
    made_on: date().notNull(),
    /** The line that this line undoes. */
    reverses: uuid(),
    created_at: createdAt(),
    created_by: uuid(),
    /** The sales tax in `amount`. Null if the charge is not taxed. */
    tax: cents(),
    tax_percent: taxPercent(),
    /** Whether the sum follows from plans and holds, so that only changing these changes it. */
    follows_plan: boolean().notNull().default(false),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('ledger_lines_reversed_once').on(t.dojo_id, t.reverses),
    index('ledger_lines_of_student').on(t.dojo_id, t.student_id),
    index('ledger_lines_of_charge').on(t.dojo_id, t.charge_id),
    index('ledger_lines_of_act').on(t.dojo_id, t.act_id),
    index('ledger_lines_by_day').on(t.dojo_id, t.made_on),
    index('ledger_lines_taxed')
      .on(t.dojo_id, t.made_on)
      .where(sql`tax_percent is not null`),
    check('ledger_lines_tax', sql`(${t.tax} is null) = (${t.tax_percent} is null)`),
    reference('ledger_lines_student', [t.dojo_id, t.student_id], students).onDelete('set null'),
    reference('ledger_lines_charge', [t.dojo_id, t.charge_id], charges).onDelete('cascade'),
    reference('ledger_lines_reversal', [t.dojo_id, t.reverses], t).onDelete('cascade'),
  ],
)

/** Without a row, that kind of charge is not taxed. */
export const salesTaxes = pgTable(
  'sales_taxes',
  {
    dojo_id: dojoId(),
    kind: text({ enum: CHARGE_KINDS }).notNull(),
    starts_on: date().notNull(),
    ends_on: date(),
    percent: taxPercent().notNull(),
    is_added: boolean().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.kind, t.starts_on),
    check('sales_taxes_days', sql`${t.ends_on} is null or ${t.starts_on} <= ${t.ends_on}`),
  ],
)

export const openMonths = pgTable(
  'open_months',
  {
    dojo_id: dojoId(),
    /** The first days of the next month to charge, and of the first month that was charged. */
    month: date().notNull(),
    since: date().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/**
 * A promise has a row per student, all with the same id. It stays open until all is paid or an
 * instructor ends it. A student has at most one open promise.
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
    created_by: uuid().notNull(),
    ended_at: instant(),
    /** The act that paid everything. Undoing it reopens the promise. */
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

/** Without a row there are no late fees. */
export const lateFeeRules = pgTable(
  'late_fee_rules',
  {
    dojo_id: dojoId(),
    grace_days: smallint().notNull(),
    percent: smallint(),
    amount: cents(),
  },
  (t) => [
    ...tenantKey(t.dojo_id),
    check('late_fee_rules_one_kind', sql`num_nonnulls(${t.percent}, ${t.amount}) = 1`),
  ],
)

export const ledgerTables: TableRules[] = [
  {
    table: charges,
    exported: { name: 'charges', about: 'What students are asked to pay for; month 0 is January' },
    changes: 'append only',
  },
  { table: lateFeeRules, exported: { name: 'late_fee_rule', about: 'Your rule for late fees' } },
  {
    table: ledgerLines,
    exported: { name: 'ledger', about: 'Every charge, payment and correction, in dollars' },
    changes: 'append only',
  },
  { table: openMonths, notExported: 'which month the server charges next' },
  {
    table: paymentPromises,
    exported: {
      name: 'payment_promises',
      about: 'The days by which people promised to pay',
      hidden: ['ended_by_act'],
    },
  },
  { table: salesTaxes, exported: { name: 'sales_taxes', about: 'Your sales taxes' } },
  {
    table: paymentRecords,
    exported: {
      name: 'payments',
      about: 'Payment records: month 0 is January, amounts in dollars',
    },
  },
]
