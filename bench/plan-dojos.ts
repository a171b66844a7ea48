import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { planForm, type PlanForm } from '@tatami/contract/plans/plans'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { sql } from 'drizzle-orm'
import type { Database } from '../server/db/database.ts'
import { addPlan } from '../server/plans/catalog.ts'
import { firstRow } from '../server/lib/rows.ts'
import { createClass, createKioskToken, createSensei } from '../server/test/fixtures.ts'

export type BenchDojo = {
  dojoId: string
  sensei: string
  kiosk: string
  classId: string
  studentId: string
}

/** Returns an SQL expression for a name. Names must not contain digits. */
const nameExpression = (number: string) =>
  `'Ken ' || translate(lpad((${number})::text, 3, '0'), '0123456789', 'abcdefghij')`

/** Creates students with a year of charges and marks. Every third has a payer with two children. */
const studentStatements = (dojoId: string, classId: string, students: number) => [
  `create temporary table people on commit drop as
    select gen_random_uuid() as id, n from generate_series(1, ${students}) n`,
  `create temporary table payers on commit drop as
    select gen_random_uuid() as id, n from generate_series(1, ${Math.floor(students / 6)}) n`,
  `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
    select id, id || '@home.org', 'none', 'student', '${dojoId}', true, now() from people`,
  `insert into students (id, name, email, phone_number, date_of_birth, emergency_contact_name,
      emergency_contact_phone, monthly_payment_amount, created_at)
    select id, ${nameExpression('n')}, id || '@home.org', '+1512' || (2000000 + n),
      date '2012-01-01' + n, 'Ann', '+15125550143', 8500, now() - interval '400 days' from people`,
  `insert into guardians (id, name, phone, email, created_at)
    select id, ${nameExpression('n')}, '+1512' || (3000000 + n), id || '@home.org', now() from payers`,
  `insert into guardianships (guardian_id, student_id, relation, sees_fees, pays, since)
    select payers.id, people.id, 'mother', true, true, now()
    from payers join people on (people.n + 1) / 2 = payers.n`,
  "insert into sibling_prices (nth, percent, ordered_by) values (2, 10, 'highest_fee')",
  `insert into enrolments (student_id, class_id, created_at)
    select id, '${classId}', now() - interval '400 days' from people where n <= 60`,
  `insert into attendance (id, student_id, class_id, class_name, class_date, present, created_at)
    select gen_random_uuid(), id, '${classId}', 'Class', current_date - 2 * day, true, now()
    from people, generate_series(1, 40) day`,
  `insert into charges (id, student_id, kind, year, month, charged_on, created_at)
    select gen_random_uuid(), id, 'month', extract(year from day), extract(month from day) - 1,
      day, now()
    from people, generate_series(date_trunc('month', now()) - interval '11 months',
      date_trunc('month', now()) - interval '1 month', interval '1 month') day`,
  `insert into ledger_lines (id, act_id, student_id, charge_id, kind, amount, made_on, created_at)
    select gen_random_uuid(), gen_random_uuid(), student_id, id, line.kind, sign * 8500, charged_on,
      now()
    from charges, (values ('charge', 1), ('payment', -1)) line (kind, sign)
    where line.kind = 'charge' or hashtext(id::text) % 10 <> 0`,
  `insert into payment_records (student_id, payment_year, payment_month, payment_status, amount,
      marked_at, updated_at)
    select student_id, year, month, 'paid', 8500, now(), now()
    from charges where hashtext(id::text) % 10 <> 0`,
]

const benchPlans = (): Record<string, Partial<PlanForm>> => ({
  monthly: { name: 'Unlimited', price: 85 },
  renewing: {
    name: 'Half a year',
    kind: 'renewing',
    price: 85,
    minimum_months: 6,
    renews_for_months: 6,
    notice_days: 30,
  },
  weekly: {
    name: 'Twice a week',
    cycle_unit: 'week',
    price: 20,
    entry_limit: 2,
    entry_limit_per: 'week',
  },
  yearly: { name: 'Yearly', cycle_unit: 'year', price: 850 },
  addOn: { name: 'Weapons', price: 15, is_add_on: true },
  pack: { name: 'Ten classes', kind: 'pack', price: 150, visits: 10, valid_days: 90 },
})

type PlanIds = Record<string, { id: string; version_id: string }>

/** Gives every student a plan, and some students also a hold, an add-on or a class pack. */
const planStatements = (plans: PlanIds) => {
  const columnsOf = (plan: string) => `'${plans[plan]?.id}', '${plans[plan]?.version_id}'`
  const subscribe = (plan: string, condition: string, changes = '') =>
    `insert into subscriptions (id, student_id, plan_id, version_id, is_add_on, starts_on,
        billing_day, first_period, fee_before, created_at)
      select gen_random_uuid(), id, ${columnsOf(plan)}, ${plan === 'addOn'},
        current_date - 395 + n % 25, ${changes || "'first'"}, 'prorated', 0,
        now() - interval '395 days'
      from students join (select id as student_id, (row_number() over (order by name))::int as n
        from students) place on student_id = id where ${condition}`
  const hold = (condition: string, first: number, last: number, billing: string) =>
    `insert into holds (id, student_id, starts_on, ends_on, kind, billing, created_at)
      select gen_random_uuid(), student_id, current_date + ${first}, current_date + ${last},
        'injury', '${billing}', now()
      from (select student_id, row_number() over (order by student_id) as n from subscriptions
        where not is_add_on) place where ${condition}`
  return [
    subscribe('monthly', 'n % 10 < 4'),
    subscribe('renewing', 'n % 10 in (4, 5)', "'start'"),
    subscribe('weekly', 'n % 10 in (6, 7, 8)'),
    subscribe('yearly', 'n % 10 = 9'),
    subscribe('addOn', 'n % 8 = 0'),
    hold('n % 10 = 0', -120, -100, 'prorated'),
    hold('n % 12 = 1', -8, 12, 'free'),
    hold('n % 25 = 2', 20, 40, 'prorated'),
    `insert into student_packs (id, student_id, plan_id, version_id, bought_on, expires_on, visits,
        created_at)
      select gen_random_uuid(), id, ${columnsOf('pack')}, current_date - 20, current_date + 70, 10,
        now() from students where hashtext(id::text) % 8 = 0`,
    'update students set has_subscription = true where id in (select student_id from subscriptions)',
  ]
}

/** Creates a dojo. `db` must have the login of the embedded database's owner. */
export async function createBenchDojo(
  db: Database,
  students: number,
  hasPlans: boolean,
): Promise<BenchDojo> {
  const sensei = await createSensei(db, { dojo_name: hasPlans ? 'With plans' : 'Without plans' })
  const { dojoId } = sensei
  const { id: classId } = await createClass(db, dojoId, {
    class_name: 'Class',
    class_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    class_start_time: '12:00 AM',
    class_end_time: '11:55 PM',
  })
  const plans = hasPlans ? await createBenchPlans(db, sensei) : {}
  const studentId = await db.inDojo(dojoId, async (tx) => {
    const statements = studentStatements(dojoId, classId, students)
    for (const statement of hasPlans ? [...statements, ...planStatements(plans)] : statements)
      await tx.execute(sql.raw(statement))
    const { rows } = await tx.execute<{ id: string }>(
      sql`select id from students order by name limit 1`,
    )
    return firstRow(rows).id
  })
  const kiosk = await createKioskToken(db, sensei)
  return { dojoId, sensei: sensei.token, kiosk, classId, studentId }
}

async function createBenchPlans(
  db: Database,
  caller: { id: string; dojoId: string },
): Promise<PlanIds> {
  const template = mustExist(PLAN_TEMPLATES[0], 'The first template')
  const plans: PlanIds = {}
  for (const [key, changes] of Object.entries(benchPlans())) {
    const form = planForm.parse({ ...template, ...changes })
    const { plan } = await db.inDojo(caller.dojoId, (tx) => addPlan(tx, caller, form))
    plans[key] = plan
  }
  return plans
}
