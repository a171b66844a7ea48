import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'

const created_at = '2026-01-01T00:00:00Z'

/** The rows of payments among those of a sample dojo, in an order that references allow. */
export const PAYMENT_ROWS: SampleRows = {
  payment_records: ({ student_id }) => ({
    student_id,
    payment_year: '2026',
    payment_month: '0',
    payment_status: 'paid',
    amount: '8550',
    marked_at: created_at,
    updated_at: created_at,
  }),
  charges: ({ charge_id, student_id }) => ({
    id: charge_id,
    student_id,
    kind: 'equipment',
    note: 'Belt',
    charged_on: '2026-01-01',
    created_at,
  }),
  // Paid beyond all charges.
  ledger_lines: ({ act_id, student_id, instructor_id }) => ({
    id: newId(),
    act_id,
    student_id,
    kind: 'payment',
    amount: '-100000',
    method: 'cash',
    made_on: '2026-01-01',
    created_at,
    created_by: instructor_id,
  }),
  open_months: () => ({ month: '2027-03-01', since: '2026-01-01' }),
  receipt_counters: () => ({ year: '2026', last: '1' }),
  // Of another payment than the ledger's line, which has no receipt yet.
  receipts: ({ receipt_id, instructor_id }) => ({
    id: receipt_id,
    act_id: newId(),
    year: '2026',
    number: '1',
    dojo_name: 'Cedar Park Judo',
    total: '100000',
    issued_on: '2026-01-01',
    issued_by: instructor_id,
    issued_by_name: 'Aiko Tanaka',
    created_at,
  }),
  receipt_lines: ({ receipt_id, student_id, guardian_id }) => ({
    receipt_id,
    position: '0',
    ledger_line_id: newId(),
    student_id,
    student_name: 'Ken Adams',
    payer_id: guardian_id,
    payer_name: 'Ann Adams',
    amount: '100000',
    method: 'cash',
    received_on: '2026-01-01',
  }),
  cash_counts: ({ instructor_id }) => ({
    day: '2026-01-01',
    counted: '100000',
    expected: '100000',
    counted_at: created_at,
    counted_by: instructor_id,
  }),
  payment_promises: ({ promise_id, student_id, instructor_id }) => ({
    id: promise_id,
    student_id,
    promised_on: '2026-01-09',
    note: 'On pay day',
    created_at,
    created_by: instructor_id,
  }),
  late_fee_rules: () => ({ grace_days: '5', percent: '10' }),
}
