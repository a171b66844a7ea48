import { MAX_CANDIDATES } from '@tatami/contract/gradings/gradings'
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { sha256 } from '../lib/secrets.ts'
import type { Ids } from './sample-ids.ts'

/** In a school of this size, no call may block the server's event loop for long. */
export const LARGE_DOJO = { students: 2000, classes: 300, childrenOfOneGuardian: 500 }
/** How many students share a phone number. Tatami suggests families of up to this size, so the
 *  server has to compare as many students as possible. */
const FAMILY_SIZE = 8

/** Monday appears twice, so that a slice of two days can start on any day. */
const WEEKDAYS =
  "'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'monday'"

export const calendarSecret = (dojoId: string, accountId: string) =>
  `${dojoId}.${accountId.padEnd(43, '0')}`

/** SQL for the year and the month (0 to 11) of the date `ago` months ago. */
const YEAR = "extract(year from current_date - ago * interval '1 month')"
const MONTH = "extract(month from current_date - ago * interval '1 month') - 1"

/** SQL that spells a number in letters, because names must not contain digits. */
const spelledNumber = (number: string) =>
  `translate(lpad((${number})::text, 4, '0'), '0123456789', 'abcdefghij')`
/** SQL that turns a number into a phone number. */
const phone = (number: string) => `'+1512' || (2000000 + ${number})`

/** SQL statements that add students, classes and a year of rows to the sample dojo. The names start
 *  with the same letters, many students share a phone, an email or an emergency contact, and the
 *  guardian has hundreds of children. */
const insertStatements = ({ dojo_id, ...ids }: Ids): string[] => [
  `create temporary table new_students on commit drop as
     select gen_random_uuid() as id, n, 'Kim Featherstone' || ${spelledNumber('n')} as name,
       'kim' || (n / ${FAMILY_SIZE}) || '+' || n || '.${dojo_id}@home.org' as email
     from generate_series(1, ${LARGE_DOJO.students}) n`,
  `create temporary table new_classes on commit drop as
     select gen_random_uuid() as id, n from generate_series(1, ${LARGE_DOJO.classes}) n`,
  `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
     select id, email, 'none', 'student', '${dojo_id}', true, now() from new_students`,
  `insert into students (id, name, email, phone_number, emergency_contact_name,
      emergency_contact_phone,
       date_of_birth, belt_level, monthly_payment_amount, price_note, created_at)
     select id, name, email, ${phone(`n / (${FAMILY_SIZE} * (n % 2) + 1 - n % 2)`)},
       'Ann Featherstone',
       ${phone(`5000 + n / ${FAMILY_SIZE}`)}, current_date - 3000 - n, 'yellow', 9950, 'Sibling',
         now() - interval '300 days'
     from new_students`,
  `insert into classes (id, class_name, class_days, class_start_time, class_end_time, location,
      created_at)
     select id, 'Class ' || ${spelledNumber('n')}, (array[${WEEKDAYS}])[n % 7 + 1:n % 7 + 2],
       '5:00 PM', '6:00 PM', 'Mat ' || ${spelledNumber('n % 10')}, now() from new_classes`,
  `update classes set class_days = array[${WEEKDAYS}], class_start_time = '12:00 AM',
      class_end_time = '11:55 PM'
     where id = '${ids.class_id}'`,
  `insert into enrolments (student_id, class_id, created_at)
     select id, '${ids.class_id}', now() - interval '300 days' from new_students`,
  `insert into enrolments (student_id, class_id, created_at)
     select s.id, c.id, now() - interval '300 days' from new_students s
     join new_classes c on c.n % 100 = s.n % 100`,
  `insert into guardianships (guardian_id, student_id, relation, sees_fees, pays, may_edit, since)
     select '${ids.guardian_id}', id, 'mother', true, true, true, now() from new_students
     where n <= ${LARGE_DOJO.childrenOfOneGuardian}`,
  `insert into attendance (id, student_id, class_id, class_date, present, created_at)
     select gen_random_uuid(), s.id, '${ids.class_id}', current_date - day, true, now()
     from new_students s, generate_series(0, 19) day`,
  `insert into charges (id, student_id, kind, year, month, charged_on, created_at)
     select gen_random_uuid(), id, 'month', ${YEAR}, ${MONTH}, current_date - 30, now()
     from new_students, generate_series(1, 7) ago`,
  `insert into ledger_lines (id, act_id, student_id, charge_id, kind, amount, made_on, created_at)
     select gen_random_uuid(), gen_random_uuid(), student_id, id, 'charge', 9950, charged_on, now()
     from charges where kind = 'month'`,
  `insert into ledger_lines (id, act_id, student_id, charge_id, kind, amount, method, made_on,
      created_at, created_by)
     select gen_random_uuid(), gen_random_uuid(), student_id, id, 'payment', -5000, 'cash',
       current_date, now(),
       '${ids.instructor_id}'
     from charges where kind = 'month' and month % 2 = 0`,
  `insert into payment_records (student_id, payment_year, payment_month, payment_status, amount,
      marked_at, updated_at)
     select id, ${YEAR}, ${MONTH}, 'unpaid', 9950, now(), now()
       from new_students, generate_series(0, 7) ago`,
  `insert into belt_changes (id, student_id, belt_level, previous_belt, changed_at, changed_by,
      given_on,
       style_id, rank_id, act_id)
     select gen_random_uuid(), id, 'yellow', 'white', now() - interval '90 days',
       '${ids.instructor_id}',
       current_date - 90, '${ids.style_id}', '${ids.rank_id}', gen_random_uuid() from new_students`,
  `insert into candidates (grading_id, student_id, to_rank_id, added_at, invited_at)
     select '${ids.grading_id}', id, '${ids.rank_id}', now(), now() from new_students
     limit ${MAX_CANDIDATES - 1}`,
  // Two belt tests with all students: one that can be finished today, and a finished one.
  `update gradings set held_on = current_date - 1, state = 'open'`,
  `insert into gradings (id, style_id, name, held_on, state, finished_at, created_at)
     select '${ids.session_id}', style_id, name, held_on, 'finished', now(), now() from gradings`,
  `insert into candidates (grading_id, student_id, to_rank_id, added_at, invited_at, result,
      belt_change_id)
     select '${ids.session_id}', student_id, rank_id, now(), now(), 'pass', id from belt_changes
       where student_id in (select id from new_students)
     limit ${MAX_CANDIDATES}`,
  `update candidates set result = 'pass', invited_at = now()`,
  `insert into excuses (student_id, class_id, class_date, source, created_by, created_at)
     select id, '${ids.class_id}', current_date, 'student', id, now() from new_students
       where n % 3 = 0`,
  `insert into place_requests (class_id, student_id, day, created_by, created_at)
     select '${ids.class_id}', id, current_date + 1, id, now() from new_students where n % 7 = 0`,
  `insert into class_dates (class_id, day, held_on, is_cancelled, reason, created_by, created_at)
     select id, current_date + n % 60, current_date + n % 60, true, 'Weather',
       '${ids.instructor_id}', now()
     from new_classes`,
  `insert into holidays (id, name, first_day, last_day, created_at)
     select gen_random_uuid(), 'Break', current_date + 9 * n, current_date + 9 * n, now()
     from generate_series(1, 20) n`,
  `insert into announcements (id, title, category, content, created_at)
     select gen_random_uuid(), 'News', 'weather', repeat('No class today. ', 20), now()
     from generate_series(1, 300)`,
  `insert into notifications (id, account_id, title, message, student_id, created_at)
     select gen_random_uuid(), '${ids.instructor_id}', 'News', 'No class today.', id, now()
       from new_students`,
  `insert into messages (id, batch_id, student_id, phone, text, state, updated_at, sent_at)
     select gen_random_uuid(), '${ids.batch_id}', id, ${phone('n')}, 'No class today.', 'delivered',
       now(), now()
     from new_students`,
  `insert into conversations (phone, id, unread, last_at)
     select ${phone('n')}, gen_random_uuid(), 1, now() from new_students`,
  `insert into incoming_texts (id, provider_id, student_id, phone, text, received_at)
     select gen_random_uuid(), 'SM' || id, id, ${phone('n')}, 'Thank you', now() from new_students`,
  `insert into incoming_texts (id, provider_id, student_id, phone, text, received_at)
     select gen_random_uuid(), 'SN' || id, id, '+15125550142', 'Thank you', now()
       from new_students`,
  `insert into text_consents (id, phone, event, source, topics, given_by, at)
     select gen_random_uuid(), ${phone('n')}, 'given', 'form', '{dues,classes}', 'Ann Adams', now()
     from new_students`,
  `insert into phone_links (phone, student_id, holder_name, created_at)
     select ${phone('10000 + n')}, id, 'Ann Adams', now() from new_students where n % 4 = 0`,
  `insert into payment_promises (id, student_id, promised_on, note, created_at, created_by)
     select gen_random_uuid(), id, current_date + 9, 'On pay day', now(), '${ids.instructor_id}'
     from new_students where n % 2 = 0`,
  `insert into receipts (id, act_id, year, number, dojo_name, total, issued_on, issued_by,
      issued_by_name, created_at)
     select gen_random_uuid(), gen_random_uuid(), extract(year
       from now()), 10 + n, 'Cedar Park Judo', 5000, current_date,
       '${ids.instructor_id}', 'Aiko Tanaka', now() from new_students`,
  `insert into check_in_pins (student_id, pin_hash, offline_key, changed_at)
     select id, gen_random_uuid()::text, gen_random_uuid()::text, now() from new_students`,
  `insert into kiosk_check_ins (id, student_id, kiosk_id, class_id, class_date, created_at)
     select gen_random_uuid(), id, '${ids.kiosk_id}', '${ids.class_id}', current_date, now()
       from new_students`,
  `insert into student_notes (student_id, allergies, changed_at, changed_by)
     select id, 'Peanuts', now(), '${ids.instructor_id}' from new_students`,
  `insert into audit_log (id, actor_id, dojo_id, action, subject_id, created_at)
     select gen_random_uuid(), '${ids.instructor_id}', '${dojo_id}', 'student changed', id, now()
       from new_students`,
  `delete from calendar_feeds`,
  ...[ids.instructor_id, ids.guardian_id].map(
    (id) =>
      `insert into calendar_feeds (account_id, token_hash, created_at) values ('${id}', ` +
      `'${sha256(calendarSecret(dojo_id, id))}', now())`,
  ),
  `insert into sessions (token_hash, account_id, created_at, last_used_at)
     select gen_random_uuid()::text, '${ids.instructor_id}', now(), now()
       from generate_series(1, 300)`,
]

export async function createLargeDojoRows(db: Database, ids: Ids): Promise<void> {
  await db.inDojo(ids.dojo_id, async (tx) => {
    for (const statement of insertStatements(ids)) await tx.execute(sql.raw(statement))
  })
}
