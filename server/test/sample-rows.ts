import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { BELT_ROWS } from './sample-belt-rows.ts'
import { KIOSK_ROWS } from './sample-kiosk-rows.ts'
import { PAYMENT_ROWS } from './sample-payment-rows.ts'

export type Ids = Record<
  | 'dojo_id'
  | 'instructor_id'
  | 'instructor_email'
  | 'student_id'
  | 'student_email'
  | 'sibling_id'
  | 'guardian_id'
  | 'guardian_email'
  | 'family_change_id'
  | 'import_id'
  | 'class_id'
  | 'announcement_id'
  | 'batch_id'
  | 'message_id'
  | 'attendance_id'
  | 'notification_id'
  | 'incoming_id'
  | 'template_id'
  | 'conversation_id'
  | 'reply_action_id'
  | 'session_id'
  | 'passkey_id'
  | 'promise_id'
  | 'subscription_id'
  | 'charge_id'
  | 'act_id'
  | 'receipt_id'
  | 'style_id'
  | 'ladder_id'
  | 'rank_id'
  | 'skill_id'
  | 'belt_change_id'
  | 'grading_id'
  | 'certificate_id'
  | 'holiday_id'
  | 'kiosk_id'
  | 'check_in_id',
  string
>

const created_at = '2026-01-01T00:00:00Z'

/** One row of every table of a dojo, in an order that references allow. A new table needs a line here. */
export const SAMPLE_ROWS: Record<string, (ids: Ids) => Record<string, string>> = {
  instructors: (ids) => ({
    id: ids.instructor_id,
    name: 'Aiko Tanaka',
    email: ids.instructor_email,
    contact_number: '5125550100',
    phone_number: '5125550100',
    created_at,
  }),
  students: (ids) => ({
    id: ids.student_id,
    name: 'Ken Adams',
    email: ids.student_email,
    phone_number: '(512) 555-0142',
    created_at,
  }),
  guardians: (ids) => ({
    id: ids.guardian_id,
    name: 'Ann Adams',
    phone: '512 555 0143',
    email: ids.guardian_email,
    account_id: ids.guardian_id,
    created_at,
  }),
  guardianships: ({ guardian_id, student_id }) => ({
    guardian_id,
    student_id,
    relation: 'mother',
    sees_fees: 'true',
    pays: 'true',
    may_edit: 'true',
    note: 'Picks up on Mondays',
    since: created_at,
  }),
  log_in_invitations: ({ guardian_id, guardian_email }) => ({
    token_hash: newId(),
    guardian_id,
    email: guardian_email,
    created_at,
    expires_at: created_at,
  }),
  unrelated_students: ({ student_id, sibling_id }) => ({
    student_id,
    other_id: sibling_id,
    created_at,
  }),
  family_changes: ({ family_change_id, guardian_id, instructor_id, student_id }) => ({
    id: family_change_id,
    guardian_id,
    actor_id: instructor_id,
    created_at,
    details: JSON.stringify({
      is_new_guardian: false,
      students: [{ student_id, log_in: 'keep', before: null, payer_id: null }],
    }),
  }),
  student_imports: ({ import_id, instructor_id, student_id }) => ({
    id: import_id,
    actor_id: instructor_id,
    created_at: new Date().toISOString(),
    details: JSON.stringify({
      students: [{ id: student_id, mark: 'changed since' }],
      merged: [],
      guardians: [],
      classes: [],
    }),
  }),
  student_notes: ({ student_id, instructor_id }) => ({
    student_id,
    allergies: 'Peanuts',
    private_notes: 'Shy at first',
    changed_at: created_at,
    changed_by: instructor_id,
  }),
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
  ...PAYMENT_ROWS,
  ...BELT_ROWS,
  ...KIOSK_ROWS,
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
  announcements: ({ announcement_id }) => ({
    id: announcement_id,
    title: 'Weather Cancellation',
    category: 'weather',
    content: 'No class today.',
    created_at,
  }),
  notifications: ({ notification_id, announcement_id, student_id }) => ({
    id: notification_id,
    account_id: student_id,
    announcement_id,
    title: 'Weather Cancellation',
    message: 'No class today.',
    student_id,
    created_at,
  }),
  notification_students: ({ notification_id, student_id }) => ({ notification_id, student_id }),
  push_subscriptions: ({ student_id, session_id, subscription_id }) => ({
    id: subscription_id,
    account_id: student_id,
    session_id,
    endpoint: `https://push.example.com/${newId()}`,
    p256dh: 'B'.repeat(87),
    auth: 'A'.repeat(22),
    created_at,
  }),
  push_claims: ({ notification_id, subscription_id }) => ({
    notification_id,
    subscription_id,
    created_at,
  }),
  job_runs: () => ({ job: 'birthdays', day: '2026-01-02' }),
  notification_settings: ({ student_id }) => ({ account_id: student_id }),
  message_settings: () => ({ welcome_message_enabled: 'true' }),
  allowance_days: () => ({ day: '2026-01-02' }),
  allowance_entries: () => ({
    id: newId(),
    day: '2026-01-02',
    texts: '1',
    reason: 'weather_cancel',
    created_at,
  }),
  message_batches: ({ batch_id }) => ({
    id: batch_id,
    kind: 'weather_cancel',
    text: 'No class today.',
    created_at,
  }),
  messages: ({ message_id, batch_id, student_id }) => ({
    id: message_id,
    batch_id,
    student_id,
    phone: '+15125550142',
    text: 'No class today.',
    state: 'delivered',
    updated_at: created_at,
  }),
  slipping_texts: ({ student_id, batch_id }) => ({
    student_id,
    batch_id,
    sent_on: '2026-01-02',
    counts_from: '2026-01-02',
  }),
  undeliverable_phones: ({ student_id }) => ({
    student_id,
    phone: '+15125550143',
    error_code: '21614',
    created_at,
  }),
  incoming_texts: ({ incoming_id, student_id }) => ({
    id: incoming_id,
    provider_id: `SM${newId()}`,
    student_id,
    phone: '+15125550142',
    text: 'Thank you',
    received_at: created_at,
    stop_request: 'open',
  }),
  conversations: ({ conversation_id }) => ({
    id: conversation_id,
    phone: '+15125550142',
    unread: '1',
    last_at: created_at,
    stop_asked_at: created_at,
  }),
  guardian_phones: ({ guardian_id }) => ({ phone: '+15125550145', guardian_id, created_at }),
  phone_links: ({ student_id }) => ({
    phone: '+15125550144',
    student_id,
    holder_name: 'Ann Adams',
    created_at,
  }),
  message_templates: ({ template_id }) => ({
    id: template_id,
    name: 'Water',
    text: 'Bring water.',
    created_at,
  }),
  text_consents: () => ({
    id: newId(),
    phone: '+15125550142',
    event: 'given',
    source: 'form',
    topics: '{dues,classes}',
    given_by: 'Ann Adams',
    at: created_at,
  }),
  reply_actions: ({ reply_action_id, incoming_id, student_id, class_id }) => ({
    id: reply_action_id,
    incoming_id,
    command: 'out',
    student_id,
    class_id,
    class_date: '2026-01-02',
    created_at,
  }),
  simulated_texts: ({ message_id }) => ({ message_id, id: `SM${newId()}`, sent_at: created_at }),
  idempotency_keys: () => ({ key: newId(), request_hash: 'hash', created_at }),
}

const inserting = (table: string, row: Record<string, string>) =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row)
    .map((value) => `'${value}'`)
    .join(', ')})`

/** The statement that puts the sample row of `table` into the dojo of `ids`. */
export const insertSampleRow = (table: string, ids: Ids): string =>
  inserting(table, { dojo_id: ids.dojo_id, ...SAMPLE_ROWS[table]!(ids) })

/** A dojo with its accounts and one row in each of its tables; without a hash nobody can sign in. */
export async function createSampleDojo(db: Database, password_hash = 'none'): Promise<Ids> {
  const ids = {
    dojo_id: newId(),
    instructor_id: newId(),
    student_id: newId(),
    sibling_id: newId(),
    guardian_id: newId(),
    family_change_id: newId(),
    import_id: newId(),
    class_id: newId(),
    announcement_id: newId(),
    batch_id: newId(),
    message_id: newId(),
    attendance_id: newId(),
    notification_id: newId(),
    incoming_id: newId(),
    template_id: newId(),
    conversation_id: newId(),
    reply_action_id: newId(),
    session_id: newId(),
    passkey_id: newId(),
    subscription_id: newId(),
    promise_id: newId(),
    charge_id: newId(),
    act_id: newId(),
    receipt_id: newId(),
    style_id: newId(),
    ladder_id: newId(),
    rank_id: newId(),
    skill_id: newId(),
    belt_change_id: newId(),
    grading_id: newId(),
    certificate_id: newId(),
    holiday_id: newId(),
    kiosk_id: newId(),
    check_in_id: newId(),
    instructor_email: `${newId()}@dojo.com`,
    student_email: `${newId()}@home.org`,
    guardian_email: `${newId()}@home.org`,
  }
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
    inserting('dojos', { id: dojo_id, name: 'Cedar Park Judo', invite_code: dojo_id, created_at }),
    inserting('accounts', {
      ...account,
      id: ids.instructor_id,
      email: ids.instructor_email,
      role: 'instructor',
    }),
    inserting('accounts', {
      ...account,
      id: ids.student_id,
      email: ids.student_email,
      role: 'student',
    }),
    inserting('accounts', {
      ...account,
      id: ids.guardian_id,
      email: ids.guardian_email,
      role: 'guardian',
    }),
    // Without a log-in.
    inserting('students', { dojo_id, id: ids.sibling_id, name: 'Leo Adams', created_at }),
    inserting('sessions', session),
    inserting('passkeys', { ...passkey, transports: '{}', name: 'Phone', created_at }),
    ...Object.keys(SAMPLE_ROWS).map((table) => insertSampleRow(table, ids)),
  ]
  // In one round trip, because tests make hundreds; behind a comment, so that capturePlans explains none of it.
  await db.inDojo(dojo_id, (tx) =>
    tx.execute(sql.raw(`/* a sample dojo */ ${statements.join('; ')}`)),
  )
  return ids
}
