/** SQL statements after which every student owes January and February 2026, more than any credit
 *  covers, and no late fee has been charged. */
export const OWED_MONTHS_SQL = [
  `insert into ledger_lines (dojo_id, id, act_id, student_id, charge_id, kind, amount, made_on,
      created_at)
    select l.dojo_id, gen_random_uuid(), gen_random_uuid(), l.student_id, l.charge_id, 'charge', 0 -
      sum(l.amount), max(l.made_on), now()
    from ledger_lines l join charges c on c.id = l.charge_id and c.kind = 'late_fee'
      where l.kind = 'charge'
    group by l.dojo_id, l.student_id, l.charge_id having sum(l.amount) > 0`,
  `insert into charges (dojo_id, id, student_id, kind, year, month, charged_on, created_at)
    select dojo_id, gen_random_uuid(), id, 'month', 2026, m, make_date(2026, m + 1, 1), now()
      from students, generate_series(1, 2) m
    on conflict do nothing`,
  `insert into ledger_lines (dojo_id, id, act_id, student_id, charge_id, kind, amount, made_on,
      created_at)
    select dojo_id, gen_random_uuid(), gen_random_uuid(), student_id, id, 'charge', 500000,
      charged_on, now() from charges where kind = 'month'`,
]
