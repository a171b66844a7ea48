import type pg from 'pg'

/** Creates dojos with one class each, and returns a login token for each dojo's instructor. */
export async function fillDojos(
  client: pg.Client,
  dojoCount: number,
  studentsPerDojo: number,
): Promise<string[]> {
  const codePrefix = `bench-${studentsPerDojo}`
  // This turns off triggers and foreign keys, which would take most of the time.
  await client.query('set session_replication_role = replica')
  await client.query(
    `with dojo as (
      insert into dojos (id, name, invite_code, city, state, created_at)
        select gen_random_uuid(), 'Bench Dojo', '${codePrefix}-' || n, 'Austin', 'Texas', now()
          from generate_series(1, ${dojoCount}) n
        returning id, invite_code
    ), open_month as (
      insert into open_months (dojo_id, month, since)
        select id, date_trunc('month', now())::date, date_trunc('month', now())::date from dojo
    ), account as (
      insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
        select gen_random_uuid(), case place when 0 then 'sensei' else 'student' || place
          end || '@' || invite_code || '.com', 'none',
          case place when 0 then 'instructor' else 'student' end, id, true, now()
            from dojo, generate_series(0, ${studentsPerDojo}) place
        returning *
    ), instructor as (
      insert into instructors (dojo_id, id, name, email, contact_number, created_at)
        select dojo_id, id, 'Aiko Tanaka', email, '5125550100', now() from account
          where role = 'instructor'
    ), student as (
      insert into students (dojo_id, id, name, email, phone_number, date_of_birth,
        emergency_contact_name, emergency_contact_phone,
          class_preferences, monthly_payment_amount, created_at)
        select dojo_id, id, 'Ken ' || translate(md5(email), '0123456789', 'ghijklmnop'), email,
          '+15125550142', date '2015-01-01',
          'Ann Adams', '+15125550143', array['cedar_park'], 8550, now() from account
            where role = 'student' returning dojo_id, id
    ), class as (
      insert into classes (dojo_id, id, class_name, class_days, created_at)
        select id, gen_random_uuid(), 'Little Dragons', array['monday'], now() from dojo
          returning dojo_id, id
    ), enrolment as (
      insert into enrolments (dojo_id, student_id, class_id, created_at)
        select dojo_id, student.id, class.id, now() from student join class using (dojo_id)
    )
    insert into sessions (token_hash, account_id, created_at, last_used_at)
      select rtrim(translate(encode(sha256(convert_to('bench-' || id::text, 'utf8')), 'base64'),
        '+/', '-_'), '='), id, now(), now()
      from account where role = 'instructor'`,
  )
  await client.query('set session_replication_role = origin')
  const { rows } = await client.query<{ token: string }>(
    `select 'bench-' || accounts.id::text as token from accounts join dojos on dojos.id = dojo_id
      where role = 'instructor' and invite_code like '${codePrefix}-%'`,
  )
  return rows.map(({ token }) => token)
}
