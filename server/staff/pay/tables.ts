import { PAY_UNITS } from '@tatami/contract/staff/pay'
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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'
import { instructors } from '../../sensei/tables.ts'

/** Pay for a task. A rate applies until a later rate for the same task starts. */
export const payRates = pgTable(
  'pay_rates',
  {
    dojo_id: dojoId(),
    id: id(),
    person_id: uuid().notNull(),
    task: text().notNull(),
    unit: text({ enum: PAY_UNITS }).notNull(),
    amount: cents().notNull(),
    starts_on: date().notNull(),
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('pay_rates_start').on(t.dojo_id, t.person_id, sql`lower(task)`, t.starts_on),
    reference('pay_rates_person', [t.dojo_id, t.person_id], instructors).onDelete('cascade'),
  ],
)

/** Closed periods. Each begins the day after the previous one ends. */
export const payPeriods = pgTable(
  'pay_periods',
  {
    dojo_id: dojoId(),
    id: id(),
    first_day: date().notNull(),
    last_day: date().notNull(),
    closed_by: uuid().notNull(),
    closed_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('pay_periods_start').on(t.dojo_id, t.first_day),
    check('pay_periods_days', sql`${t.first_day} <= ${t.last_day}`),
  ],
)

/** What a closed period paid for an entry. If the entry changes later, the next period pays the
 *  difference. There is no foreign key to the entry, because it may be deleted. */
export const payLines = pgTable(
  'pay_lines',
  {
    dojo_id: dojoId(),
    id: id(),
    period_id: uuid().notNull(),
    hours_id: uuid().notNull(),
    person_id: uuid().notNull(),
    day: date().notNull(),
    task: text().notNull(),
    class_name: text(),
    minutes: integer().notNull(),
    pay: cents().notNull(),
    rate: cents(),
    unit: text({ enum: PAY_UNITS }),
    is_correction: boolean().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('pay_lines_entry').on(t.dojo_id, t.period_id, t.hours_id),
    index('pay_lines_of_entry').on(t.dojo_id, t.hours_id),
    index('pay_lines_of_person').on(t.dojo_id, t.person_id),
    reference('pay_lines_period', [t.dojo_id, t.period_id], payPeriods),
    reference('pay_lines_person', [t.dojo_id, t.person_id], instructors).onDelete('cascade'),
  ],
)

export const payTables: TableRules[] = [
  {
    table: payRates,
    exported: { name: 'pay_rates', about: 'Pay rates of the staff, by task' },
    hiddenFromOverseer: [payRates.amount],
  },
  {
    table: payPeriods,
    exported: { name: 'pay_periods', about: 'Closed pay periods' },
    changes: 'append only',
  },
  {
    table: payLines,
    exported: { name: 'pay_lines', about: 'Hours, pay and corrections of closed periods' },
    changes: 'append only',
    hiddenFromOverseer: [payLines.pay, payLines.rate],
  },
]
