import pg from 'pg'
import { firstRow } from '../server/lib/rows.ts'
import type { Ids } from '../server/test/sample-ids.ts'

export const DAYS = 20
const GUARDIANS = 30
const DOJOS_AT_ONCE = 100
export const FIRST_STUDENTS_PHONE = '+15122000001'
const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles']

/** Each statement fills one table for the dojos from $1 to $2. `n` is the number of the dojo, `p`
 *  of the person (0 is the instructor, the others are students) and `g` of the guardian. */
const fillStatements = (students: number) => [
  `insert into dojos (id, name, city, state, time_zone, invite_code, created_at)
    select pg_temp.key('d', n), 'Dojo ' || n, 'Austin', 'Texas', (array['${ZONES.join("','")}'])[1 +
      n % ${ZONES.length}], 'code' || n, now() - n * interval '1 minute'
    from generate_series($1::int, $2) n`,
  `insert into open_months (dojo_id, month, since)
    select pg_temp.key('d', n), date_trunc('month', now())::date, date_trunc('month', now())::date
    from generate_series($1::int, $2) n`,
  `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
    select pg_temp.key('p', n, p), 'person' || p || '@dojo' || n || '.com', 'none', case p when 0
      then 'instructor' else 'student' end, pg_temp.key('d', n), p > 0 or n % 10 > 0, now()
    from generate_series($1::int, $2) n, generate_series(0, ${students}) p`,
  `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
    select pg_temp.key('g', n, g), 'guardian' || g || '@dojo' || n || '.com', 'none', 'guardian',
      pg_temp.key('d', n), true, now()
    from generate_series($1::int, $2) n, generate_series(1, ${GUARDIANS}) g`,
  `insert into instructors (dojo_id, id, name, email, contact_number, phone_number, created_at)
    select pg_temp.key('d', n), pg_temp.key('p', n, 0), 'Aiko ' || translate(n::text, '0123456789',
      'abcdefghij'), 'person0@dojo' || n || '.com', '5125550100', '5125550100', now() - n * interval
      '1 minute'
    from generate_series($1::int, $2) n`,
  `insert into sensei_directory (dojo_id, sensei_id, full_name, dojo_name, contact_number, email,
      city, state, total_students, is_active, created_at, name_key, dojo_key, place_key,
      search_text)
    select d.id, i.id, i.name, d.name, i.phone_number, i.email, d.city, d.state, ${students}, n % 10
      > 0, i.created_at, fold_text(i.name), fold_text(d.name), 'austin, texas',
      fold_text(' ' || concat_ws(E'\\n ', i.name, i.email, d.name, d.city, d.state))
    from generate_series($1::int, $2) n join dojos d on d.id = pg_temp.key('d', n)
      join instructors i on i.dojo_id = d.id`,
  `insert into students (dojo_id, id, name, email, phone_number, date_of_birth,
      monthly_payment_amount, is_trial, created_at)
    select pg_temp.key('d', n), pg_temp.key('p', n, p), 'Ken ' || translate(p::text, '0123456789',
      'abcdefghij'), 'person' || p || '@dojo' || n || '.com', '+1512' || (2000000 + p),
      date '2010-01-01' + (n * 7 + p * 31) % 3650, 8500, p % 10 = 0, now() - interval '1 year'
    from generate_series($1::int, $2) n, generate_series(1, ${students}) p`,
  `insert into guardians (dojo_id, id, account_id, name, phone, email, created_at)
    select pg_temp.key('d', n), pg_temp.key('g', n, g), pg_temp.key('g', n, g), 'Ann ' ||
      translate(g::text, '0123456789', 'abcdefghij'), '+1512' || (2000000 + 2 * g),
      'guardian' || g || '@dojo' || n || '.com', now()
    from generate_series($1::int, $2) n, generate_series(1, ${GUARDIANS}) g`,
  `insert into guardianships (dojo_id, guardian_id, student_id, relation, sees_fees, pays, since)
    select pg_temp.key('d', n), pg_temp.key('g', n, (p + 1) / 2), pg_temp.key('p', n, p), 'mother',
      true, true, now()
    from generate_series($1::int, $2) n, generate_series(1, ${2 * GUARDIANS}) p`,
  'insert into sibling_prices (dojo_id, nth, percent, ordered_by) select ' +
    `pg_temp.key('d', n), 2, 10, 'highest_fee' from generate_series($1::int, $2) n`,
  `insert into classes (dojo_id, id, class_name, description, class_days, class_start_time,
      class_end_time, created_at)
    select pg_temp.key('d', n), pg_temp.key('c', n, c), 'Class ' || c, 'For all', '{monday}',
      '4:00 PM', '5:00 PM', now() from generate_series($1::int, $2) n, generate_series(0, 2) c`,
  `insert into enrolments (dojo_id, student_id, class_id, created_at)
    select pg_temp.key('d', n), pg_temp.key('p', n, p), pg_temp.key('c', n, p % 3), now()
      from generate_series($1::int, $2) n, generate_series(1, ${students}) p`,
  `insert into attendance (dojo_id, id, student_id, class_id, class_name, class_date, present,
      created_at)
    select pg_temp.key('d', n), pg_temp.key('a', n, day * 1000 + p), pg_temp.key('p', n, p),
      pg_temp.key('c', n, p % 3), 'Class', current_date - day * 2, (p + day) % 5 > 0, now()
    from generate_series($1::int, $2) n, generate_series(1, ${DAYS}) day, generate_series(1,
      ${students}) p order by day desc, p % 3, n, p`,
  `insert into payment_records (dojo_id, student_id, payment_year, payment_month, payment_status,
      amount, marked_at, updated_at)
    select pg_temp.key('d', n), pg_temp.key('p', n, p), extract(year from m), extract(month
      from m) - 1, 'paid', 8500, m, m
    from generate_series($1::int, $2) n, generate_series(1, ${students}) p,
      generate_series(date_trunc('month', now()) - interval '3 months', now() - interval '1 month',
      interval '1 month') m where p % 4 > 0`,
  `with new_charge as (
      insert into charges (dojo_id, id, student_id, kind, year, month, charged_on, created_at)
        select dojo_id, gen_random_uuid(), student_id, 'month', payment_year, payment_month,
          make_date(payment_year, payment_month + 1, 1), marked_at
        from payment_records where dojo_id in (select pg_temp.key('d', n)
          from generate_series($1::int, $2) n) returning *
    ) insert into ledger_lines (dojo_id, id, act_id, student_id, charge_id, kind, amount, made_on,
      created_at)
      select dojo_id, gen_random_uuid(), id, student_id, id, l.kind, l.sign * 8500, charged_on,
        created_at from new_charge, (values ('charge', 1), ('payment', -1)) l(kind, sign)`,
  `insert into announcements (dojo_id, id, title, category, content, created_at)
    select pg_temp.key('d', n), pg_temp.key('e', n, a), 'News', 'general', 'Read all about it.',
      now() from generate_series($1::int, $2) n, generate_series(0, 20) a`,
  `insert into notifications (dojo_id, id, account_id, title, message, announcement_id, created_at,
      read_at)
    select pg_temp.key('d', n), pg_temp.key('f', n, a * 1000 + p), pg_temp.key('p', n, p), 'News',
      'Read all about it.', pg_temp.key('e', n, a), now(), case when a < 3 then now() end
    from generate_series($1::int, $2) n, generate_series(0, 4) a, generate_series(0, ${students})
      p`,
  `insert into message_batches (dojo_id, id, kind, text, created_at)
    select pg_temp.key('d', n), pg_temp.key('b', n, b), 'weather_cancel', 'No class today.', now() -
      interval '2 days' from generate_series($1::int, $2) n, generate_series(0, 1) b`,
  `insert into messages (dojo_id, id, batch_id, student_id, phone, text, state, updated_at, sent_at)
    select pg_temp.key('d', n), pg_temp.key('9', n, b * 1000 + p), pg_temp.key('b', n, b),
      pg_temp.key('p', n, p), '+1512' || (2000000 + p), 'No class today.', 'delivered', now() -
      interval '2 days', now() - interval '2 days'
    from generate_series($1::int, $2) n, generate_series(0, 1) b, generate_series(1, ${students})
      p`,
  `insert into incoming_texts (dojo_id, id, provider_id, student_id, phone, text, received_at)
    select pg_temp.key('d', n), pg_temp.key('8', n, p), 'SM' || n || '-' || p, pg_temp.key('p', n,
      p), '+1512' || (2000000 + p), 'Thank you', now()
      from generate_series($1::int, $2) n, generate_series(1, 20) p`,
  `insert into conversations (dojo_id, id, phone, unread, last_at)
    select pg_temp.key('d', n), pg_temp.key('v', n, p), '+1512' || (2000000 + p), case when p <= 20
      then 1 else 0 end, now() - p * interval '1 minute'
    from generate_series($1::int, $2) n, generate_series(1, ${students}) p`,
  `insert into text_consents (dojo_id, id, phone, event, source, topics, given_by, at)
    select pg_temp.key('d', n), pg_temp.key('t', n, p), '+1512' || (2000000 + p), 'given', 'form',
      '{dues,classes}', 'Ann', now()
    from generate_series($1::int, $2) n, generate_series(1, ${students}) p`,
]

/** The function `key` computes ids, so that every statement can refer to rows of another table. The
 *  ids ascend like UUIDv7. Each table has its own `kind`. */
const CREATE_KEY_FUNCTION = `create function pg_temp.key(kind text, dojo int,
    place int default 0) returns uuid language sql immutable as
  $$ select (lpad(to_hex(dojo), 8, '0') || '-0000-7000-8' || lpad(to_hex(strpos('dpacefb98gvt',
    kind)), 3, '0') || '-' || lpad(to_hex(place), 12, '0'))::uuid $$`

const SELECT_INDEXES = `select indexrelid::regclass::text as name,
    pg_get_indexdef(indexrelid) as definition from pg_index
  where indrelid in ('attendance'::regclass, 'messages'::regclass, 'notifications'::regclass)
    and not indisprimary and not indisunique`

/** Fills a database with dojos that have the same rows. Needs a superuser, because it turns off
 *  triggers. A dojo has 60 to 999 students: each of its 30 guardians has two of them. */
export async function fillWithDojos(
  superuserUrl: string,
  dojos: number,
  students: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(
    'set session_replication_role = replica; set synchronous_commit = off; set ' +
      "maintenance_work_mem = '512MB'",
  )
  await client.query(CREATE_KEY_FUNCTION)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(SELECT_INDEXES)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (let firstDojo = 1; firstDojo <= dojos; firstDojo += DOJOS_AT_ONCE) {
    for (const statement of fillStatements(students))
      await client.query(statement, [firstDojo, Math.min(dojos, firstDojo + DOJOS_AT_ONCE - 1)])
    if (firstDojo % 1000 === 1) console.error(`${firstDojo - 1} of ${dojos} dojos`)
  }
  for (const { definition } of indexes) await client.query(definition)
  await client.query(
    `update sensei_totals set total_sensei = ${dojos}, active_sensei = (select count(*) ` +
      'from sensei_directory where is_active)',
  )
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

export async function idsOfDojo(superuserUrl: string, dojo: number): Promise<Ids> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query(CREATE_KEY_FUNCTION)
  const { rows } = await client.query<Ids>(
    `select pg_temp.key('d', $1::int) as dojo_id, pg_temp.key('p', $1::int, 0) as instructor_id,
        pg_temp.key('p', $1::int, 1) as student_id,
    'person0@dojo' || $1 || '.com' as instructor_email, 'person1@dojo' || $1 || '.com' as
      student_email, pg_temp.key('p', $1::int, 2) as sibling_id,
    pg_temp.key('g', $1::int, 1) as guardian_id, 'guardian1@dojo' || $1 || '.com' as guardian_email,
      pg_temp.key('v', $1::int, 1) as conversation_id,
    '' as family_change_id, '' as template_id, '' as reply_action_id,
    pg_temp.key('c', $1::int, 1) as class_id, pg_temp.key('e', $1::int, 20) as announcement_id,
      pg_temp.key('b', $1::int, 1) as batch_id, pg_temp.key('9', $1::int, 1001) as message_id,
    pg_temp.key('a', $1::int, 1001) as attendance_id, pg_temp.key('f', $1::int, 4001) as
      notification_id, pg_temp.key('8', $1::int, 1) as incoming_id, '' as session_id, '' as
      subscription_id`,
    [dojo],
  )
  await client.end()
  return firstRow(rows)
}
