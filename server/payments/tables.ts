import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { foreignKey, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { cents, dojoId, instant, tenantPolicies } from '../db/columns.ts'
import { students } from '../students/tables.ts'

/** One per student and month; none means unpaid. */
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
    primaryKey({ columns: [t.dojo_id, t.payment_year, t.payment_month, t.student_id] }),
    foreignKey({
      name: 'payment_records_student',
      columns: [t.dojo_id, t.student_id],
      foreignColumns: [students.dojo_id, students.id],
    }).onDelete('cascade'),
    ...tenantPolicies(),
  ],
)

type Month = { month: number; year: number }

/** The records of one month; `month` counts from 0. */
export const recordsOf = ({ month, year }: { [K in keyof Month]: Month[K] | Placeholder | SQL }) =>
  and(eq(paymentRecords.payment_year, year), eq(paymentRecords.payment_month, month))!
const paidIn = (month: Month): SQL =>
  and(
    recordsOf(month),
    eq(paymentRecords.payment_status, 'paid'),
    eq(paymentRecords.student_id, students.id),
    eq(paymentRecords.dojo_id, students.dojo_id),
  )!
/** A condition on students: no paid record of that month. */
export const unpaidIn = (month: Month): SQL => sql`not exists (select from ${paymentRecords} where ${paidIn(month)})`
