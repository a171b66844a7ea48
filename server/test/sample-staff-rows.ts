import { newId } from '../db/columns.ts'
import type { SampleRows } from './sample-ids.ts'

const created_at = '2026-01-01T00:00:00Z'

/** The instructor's hours and pay. They refer to a kiosk, so KIOSK_ROWS must come first. */
export const STAFF_ROWS: SampleRows = {
  staff_hours: ({ hours_id, instructor_id }) => ({
    id: hours_id,
    person_id: instructor_id,
    day: '2026-01-02',
    starts_at: '2026-01-02T23:00:00Z',
    ends_at: '2026-01-03T00:00:00Z',
    minutes: '60',
    task: 'Class',
    class_name: 'Kids Judo',
    source: 'class',
    created_by: instructor_id,
    created_at,
  }),
  staff_shifts: ({ shift_id, instructor_id, kiosk_id }) => ({
    id: shift_id,
    person_id: instructor_id,
    kiosk_id,
    started_at: created_at,
  }),
  declined_classes: ({ instructor_id, class_id }) => ({
    person_id: instructor_id,
    taught_class_id: class_id,
    day: '2026-01-03',
    created_at,
  }),
  work_pins: ({ instructor_id }) => ({
    person_id: instructor_id,
    pin_hash: newId(),
    changed_at: created_at,
  }),
  pay_rates: ({ pay_rate_id, instructor_id }) => ({
    id: pay_rate_id,
    person_id: instructor_id,
    task: 'Class',
    unit: 'hour',
    amount: '2400',
    starts_on: '2025-01-01',
    created_by: instructor_id,
    created_at,
  }),
  pay_periods: ({ pay_period_id, instructor_id }) => ({
    id: pay_period_id,
    first_day: '2025-12-01',
    last_day: '2025-12-31',
    closed_by: instructor_id,
    closed_at: created_at,
  }),
  pay_lines: ({ pay_period_id, instructor_id }) => ({
    id: newId(),
    period_id: pay_period_id,
    hours_id: newId(),
    person_id: instructor_id,
    day: '2025-12-02',
    task: 'Class',
    minutes: '60',
    pay: '2400',
    rate: '2400',
    unit: 'hour',
    is_correction: 'false',
  }),
}
