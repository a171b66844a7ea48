import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { BELT_ROWS } from './sample-belt-rows.ts'
import { type Ids, newIds, type SampleRows } from './sample-ids.ts'
import { DOCUMENT_ROWS } from './sample-document-rows.ts'
import { KIOSK_ROWS } from './sample-kiosk-rows.ts'
import { MESSAGE_ROWS } from './sample-message-rows.ts'
import { ONLINE_PAYMENT_ROWS } from './sample-online-payment-rows.ts'
import { PEOPLE_ROWS } from './sample-people-rows.ts'
import { PLAN_ROWS } from './sample-plan-rows.ts'
import { PAYMENT_ROWS } from './sample-payment-rows.ts'
import { TRIAL_ROWS } from './sample-trial-rows.ts'
import { STAFF_ROWS } from './sample-staff-rows.ts'

const created_at = '2026-01-01T00:00:00Z'

/** A row for each table that has rows of dojos, in an order in which they can be inserted. */
export const SAMPLE_ROWS: SampleRows = {
  ...PEOPLE_ROWS,
  classes: ({ class_id }) => ({ id: class_id, class_name: 'Kids Judo', created_at }),
  enrolments: ({ student_id, class_id }) => ({ student_id, class_id, created_at }),
  attendance: ({ attendance_id, student_id, class_id }) => ({
    id: attendance_id,
    student_id,
    class_id,
    class_date: '2026-01-02',
    present: 'true',
    created_at,
  }),
  ...PLAN_ROWS,
  ...PAYMENT_ROWS,
  ...ONLINE_PAYMENT_ROWS,
  ...BELT_ROWS,
  ...KIOSK_ROWS,
  ...STAFF_ROWS,
  ...TRIAL_ROWS,
  ...DOCUMENT_ROWS,
  excuses: ({ student_id, class_id }) => ({
    student_id,
    class_id,
    class_date: '2026-01-02',
    source: 'student',
    created_by: student_id,
    created_at,
  }),
  class_dates: ({ class_id, instructor_id }) => ({
    class_id,
    day: '2015-03-01',
    held_on: '2015-03-01',
    start_time: '4:00 PM',
    end_time: '5:00 PM',
    is_added: 'true',
    substitute: 'Mr. Sato',
    created_by: instructor_id,
    created_at,
  }),
  holidays: ({ holiday_id }) => ({
    id: holiday_id,
    name: 'Thanksgiving',
    first_day: '2026-11-26',
    last_day: '2026-11-27',
    created_at,
  }),
  place_requests: ({ class_id, student_id }) => ({
    class_id,
    student_id,
    day: '2026-01-02',
    created_by: student_id,
    created_at,
  }),
  calendar_feeds: ({ student_id }) => ({ account_id: student_id, token_hash: newId(), created_at }),
  sibling_prices: () => ({ nth: '2', percent: '10', ordered_by: 'highest_fee' }),
  departures: () => ({
    id: newId(),
    month: '2026-01-01',
    belt_level: 'yellow',
    joined_month: '2025-09-01',
  }),
  past_vacations: ({ student_id }) => ({
    id: newId(),
    student_id,
    vacation_from: '2025-12-20',
    vacation_until: '2026-01-01',
  }),
  ...MESSAGE_ROWS,
  idempotency_keys: () => ({ key: newId(), request_hash: 'hash', created_at }),
}

const insertStatement = (table: string, row: Record<string, string>) =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row)
    .map((value) => `'${value}'`)
    .join(', ')})`

export const sampleRowStatement = (table: string, ids: Ids): string =>
  insertStatement(table, { dojo_id: ids.dojo_id, ...SAMPLE_ROWS[table]!(ids) })

/** Creates a dojo with a row in every table. Without a password hash, nobody can log in. */
export async function createSampleDojo(db: Database, password_hash = 'none'): Promise<Ids> {
  const ids = newIds()
  const { dojo_id } = ids
  const account = { dojo_id, password_hash, is_active: 'true', created_at }
  const session = {
    id: ids.session_id,
    token_hash: ids.session_id,
    account_id: ids.student_id,
    created_at,
    last_used_at: new Date().toISOString(),
  }
  const passkey = {
    id: ids.passkey_id,
    account_id: ids.student_id,
    credential_id: ids.passkey_id,
    public_key: 'none',
    counter: '0',
  }
  const statements = [
    insertStatement('dojos', {
      id: dojo_id,
      name: 'Cedar Park Judo',
      invite_code: dojo_id,
      created_at,
    }),
    ...(['instructor', 'student', 'guardian'] as const).map((role) =>
      insertStatement('accounts', {
        ...account,
        id: ids[`${role}_id`],
        email: ids[`${role}_email`],
        role,
      }),
    ),
    insertStatement('students', { dojo_id, id: ids.sibling_id, name: 'Leo Adams', created_at }),
    insertStatement('sessions', session),
    insertStatement('passkeys', { ...passkey, transports: '{}', name: 'Phone', created_at }),
    ...Object.keys(SAMPLE_ROWS).map((table) => sampleRowStatement(table, ids)),
  ]
  // Sends all statements together, because tests create hundreds of dojos. The SQL comment hides
  // them from `capturePlans`.
  await db.inDojo(dojo_id, (tx) =>
    tx.execute(sql.raw(`/* a sample dojo */ ${statements.join('; ')}`)),
  )
  return ids
}
