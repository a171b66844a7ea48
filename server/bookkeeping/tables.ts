import { CHARGE_KINDS, PAYMENT_METHODS } from '@tatami/contract/ledger/ledger'
import { date, index, integer, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import {
  cents,
  centsSum,
  createdAt,
  dojoId,
  id,
  instant,
  reference,
  tenantKey,
} from '../db/columns.ts'
import { guardians } from '../guardians/tables.ts'
import { taxPercent } from '../ledger/tables.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** The last receipt number of each year. Issuing a receipt locks the row until the commit. */
export const receiptCounters = pgTable(
  'receipt_counters',
  {
    dojo_id: dojoId(),
    year: smallint().notNull(),
    last: integer().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id, t.year)],
)

/** Receipts are never changed or deleted. */
export const receipts = pgTable(
  'receipts',
  {
    dojo_id: dojoId(),
    id: id(),
    act_id: uuid().notNull(),
    year: smallint().notNull(),
    number: integer().notNull(),
    dojo_name: text().notNull(),
    total: centsSum().notNull(),
    issued_on: date().notNull(),
    /** The account that issued the receipt, and the account's name on that day. */
    issued_by: uuid().notNull(),
    issued_by_name: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('receipts_number').on(t.dojo_id, t.year, t.number),
    index('receipts_of_act').on(t.dojo_id, t.act_id),
  ],
)

/** Triggers clear the names of deleted people, and set `taken_back_on` when a line is undone. */
export const receiptLines = pgTable(
  'receipt_lines',
  {
    dojo_id: dojoId(),
    receipt_id: uuid().notNull(),
    position: smallint().notNull(),
    ledger_line_id: uuid().notNull(),
    student_id: uuid(),
    student_name: text(),
    payer_id: uuid(),
    payer_name: text(),
    /** Null for credit. */
    kind: text({ enum: CHARGE_KINDS }),
    year: smallint(),
    month: smallint(),
    note: text(),
    amount: cents().notNull(),
    method: text({ enum: PAYMENT_METHODS }),
    received_on: date().notNull(),
    taken_back_on: date(),
    /** The sales tax in `amount`. Null if the charge is not taxed. */
    tax: cents(),
    tax_percent: taxPercent(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.receipt_id, t.position),
    unique('receipt_lines_of_ledger_line').on(t.dojo_id, t.ledger_line_id),
    index('receipt_lines_of_student').on(t.dojo_id, t.student_id),
    index('receipt_lines_of_payer').on(t.dojo_id, t.payer_id),
    reference('receipt_lines_receipt', [t.dojo_id, t.receipt_id], receipts),
    // The migration sets only the person's id to null, which Drizzle cannot express.
    reference('receipt_lines_student', [t.dojo_id, t.student_id], students).onDelete('set null'),
    reference('receipt_lines_payer', [t.dojo_id, t.payer_id], guardians).onDelete('set null'),
  ],
)

/** Counted cash, and what the ledger expected at the time of the count. */
export const cashCounts = pgTable(
  'cash_counts',
  {
    dojo_id: dojoId(),
    day: date().notNull(),
    counted: centsSum().notNull(),
    expected: centsSum().notNull(),
    note: text(),
    counted_at: instant().notNull(),
    counted_by: uuid().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id, t.day)],
)

export const bookkeepingTables: TableRules[] = [
  {
    table: cashCounts,
    exported: { name: 'cash_counts', about: 'Cash counted at the end of a day' },
    changes: 'no deletes',
  },
  {
    table: receiptCounters,
    notExported: 'the last number of each year, which is also in the receipts',
  },
  {
    table: receiptLines,
    exported: { name: 'receipt_lines', about: 'What was paid by each receipt' },
    changes: 'no deletes',
  },
  {
    table: receipts,
    exported: { name: 'receipts', about: 'Receipts by number, amounts in dollars' },
    changes: 'append only',
  },
]
