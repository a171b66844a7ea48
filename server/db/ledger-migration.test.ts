import { toDollars } from '@tatami/contract/lib/money'
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { OWNER_SCOPE } from '../accounts/staff-caller.ts'
import { DATABASE_RULES } from '../database-rules.ts'
import { balancesOf } from '../dues/balances.ts'
import { chargesOfStudent, isPaid, owedOf, receivedOf } from '../ledger/charges.ts'
import { markMonths, resetMonth } from '../dues/marks.ts'
import { paymentRecordsIn, paymentStatistics } from '../dues/payments.ts'
import { runMigrations, copyMigrations } from '../test/releases.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { newId } from './columns.ts'
import { connect } from './database.ts'
import { prepareDatabase } from './migrate.ts'

/** Version 1.0.0 had a single migration. */
const OLD_MIGRATION_COUNT = 1

const { superuserUrl, stop } = await startTemporaryCluster()
await prepareDatabase({ databaseUrl: superuserUrl }, DATABASE_RULES)
const databaseUrl = Object.assign(new URL(superuserUrl), { pathname: '/before' }).href
const folder = copyMigrations(OLD_MIGRATION_COUNT)
const client = new pg.Client({ connectionString: databaseUrl })
afterAll(async () => {
  await client.end()
  rmSync(folder, { recursive: true })
  await stop()
})

const randomRecord = fc.record({
  student: fc.nat(7),
  year: fc.constantFrom(2025, 2026),
  month: fc.nat(11),
  status: fc.constantFrom('paid', 'paid', 'unpaid'),
  cents: fc.oneof(fc.constant(0), fc.nat(100_000)),
  hour: fc.integer({ min: 0, max: 23 }),
})
const randomRecords = fc.uniqueArray(randomRecord, {
  selector: ({ student, year, month }) => `${student} ${year} ${month}`,
  minLength: 60,
  maxLength: 120,
})
const [sampleRecords] = fc.sample(randomRecords, { seed: 11, numRuns: 1 })
const dojos = [
  { id: newId(), zone: 'America/Chicago' },
  { id: newId(), zone: 'Asia/Tokyo' },
]
const students = Array.from({ length: 8 }, (_, index) => ({ id: newId(), dojo: dojos[index % 2]! }))
const MONTHS = [2025, 2026].flatMap((year) =>
  Array.from({ length: 12 }, (_, month) => ({ year, month })),
)

type StoredRecord = {
  dojo_id: string
  student_id: string
  payment_year: number
  payment_month: number
  payment_status: string
  amount: number
}
async function readRecords() {
  const { rows } = await client.query<StoredRecord>(
    `select dojo_id, student_id, payment_year, payment_month, payment_status, amount, marked_at,
        updated_at
      from payment_records order by dojo_id, payment_year, payment_month, student_id`,
  )
  return rows
}

type MonthStatistics = {
  dojo_id: string
  year: number
  month: number
  paid: number
  free: number
  cents: number
}
async function readStatistics() {
  const { rows } = await client.query<MonthStatistics>(
    `select dojo_id, payment_year as year, payment_month as month, count(*)::int as paid,
        (count(*) filter (where amount = 0))::int as free, sum(amount)::int as cents
      from payment_records where payment_status = 'paid' group by 1, 2, 3 order by 1, 2, 3`,
  )
  return rows
}

async function insertSampleRecords(): Promise<void> {
  for (const { id, zone } of dojos)
    await client.query(
      'insert into dojos (id, name, invite_code, time_zone, created_at) values ($1, ' +
        `'Cedar Park Judo', $3, $2, now())`,
      [id, zone, id],
    )
  for (const { id, dojo } of students) {
    const email = `${id}@home.org`
    await client.query(
      `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
        values ($1, $2, 'none', 'student', $3, true, '2024-12-01')`,
      [id, email, dojo.id],
    )
    await client.query(
      `insert into students (dojo_id, id, name, email, monthly_payment_amount, is_trial, created_at)
        values ($1, $2, 'Ken Adams', $3, 8550, false, '2024-12-01')`,
      [dojo.id, id, email],
    )
  }
  for (const { student, year, month, status, cents, hour } of sampleRecords!) {
    const { id, dojo } = students[student]!
    const paidAt = new Date(Date.UTC(year, month, 5, hour)).toISOString()
    await client.query(
      `insert into payment_records (dojo_id, student_id, payment_year, payment_month,
          payment_status, amount, marked_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [dojo.id, id, year, month, status, cents, paidAt],
    )
  }
}

test('turns paid months into charges with payments, and changes no amount', async () => {
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  await superuser.query('create database before')
  await superuser.end()
  await client.connect()
  await runMigrations(client, folder)
  await insertSampleRecords()
  const initialRecords = await readRecords()
  const initialStatistics = await readStatistics()
  await prepareDatabase({ databaseUrl }, DATABASE_RULES)
  expect([await readRecords(), await readStatistics()]).toEqual([initialRecords, initialStatistics])
  const db = connect(databaseUrl)

  for (const { id: dojoId, zone } of dojos)
    await db.inDojo(dojoId, async (tx) => {
      const studentsOfDojo = students.filter(({ dojo }) => dojo.id === dojoId)
      const chargesPerStudent = await Promise.all(
        studentsOfDojo.map(({ id }) => chargesOfStudent(tx, id)),
      )
      const charges = chargesPerStudent.flat()
      const chargeRows = charges.map(
        (charge) =>
          `${charge.student_id} ${charge.year} ${charge.month} ${receivedOf(charge)} ` +
          `${owedOf(charge)} ${isPaid(charge)}`,
      )
      const recordRows = initialRecords
        .filter(
          (paidRecord) => paidRecord.dojo_id === dojoId && paidRecord.payment_status === 'paid',
        )
        .map(
          (paidRecord) =>
            `${paidRecord.student_id} ${paidRecord.payment_year} ` +
            `${paidRecord.payment_month} ${paidRecord.amount} 0 true`,
        )
      expect(chargeRows.toSorted()).toEqual(recordRows.toSorted())
      for (const { lines } of charges) {
        expect(
          lines.map(({ kind, created_by, method }) => `${kind} ${created_by} ${method}`).toSorted(),
        ).toEqual(['charge null null', 'payment null null'])
        expect([
          new Set(lines.map(({ act_id }) => act_id)).size,
          new Set(lines.map(({ id }) => id)).size,
        ]).toEqual([1, 2])
        // The payment is dated by the dojo's time zone.
        const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(
          new Date(lines[0]!.created_at),
        )
        expect(lines.map(({ made_on }) => made_on)).toEqual([day, day])
      }
      // Students owe only the current month.
      for (const { owed, credit } of await balancesOf(tx, dojoId))
        expect([owed, credit]).toEqual([85.5, 0])
      for (const { year, month } of MONTHS) {
        const { paid, free, cents } = initialStatistics.find(
          (row) => row.dojo_id === dojoId && row.year === year && row.month === month,
        ) ?? { paid: 0, free: 0, cents: 0 }
        expect(await paymentStatistics(tx, dojoId, { year, month })).toEqual({
          total_monthly_paying_students: 4,
          // Nothing is due for a month with an amount of 0.
          total_paid_this_month: paid - free,
          total_yet_to_pay: expect.toSatisfy((count: number) => count <= 4 - paid),
          monthly_revenue: toDollars(cents),
          revenue_of_deleted_students: 0,
        })
      }
    })

  const caller = {
    id: newId(),
    dojoId: dojos[0]!.id,
    role: 'instructor' as const,
    sessionId: '',
    staff: OWNER_SCOPE,
    step: null,
  }
  await db.inDojo(caller.dojoId, async (tx) => {
    for (const { year, month } of MONTHS) {
      const monthBefore = initialStatistics.find(
        (row) => row.dojo_id === caller.dojoId && row.year === year && row.month === month,
      ) ?? { paid: 0, cents: 0 }
      const resetReply = await resetMonth(tx, caller, { payment_year: year, payment_month: month })
      expect([resetReply.students_reset, resetReply.total]).toEqual([
        monthBefore.paid,
        toDollars(monthBefore.cents),
      ])
      expect(
        (await paymentRecordsIn(tx, caller.dojoId, { year, month })).every(
          ({ payment_status }) => payment_status === 'unpaid',
        ),
      ).toBe(true)
    }
    const { id } = students[0]!
    const { records } = await markMonths(tx, caller, {
      marks: [{ student_id: id, payment_year: 2025, payment_month: 3, payment_status: 'paid' }],
    })
    expect(records).toMatchObject([{ payment_status: 'paid', monthly_payment_amount: 85.5 }])
    for (const { owed } of await balancesOf(tx, caller.dojoId)) expect(owed).toBe(85.5)
  })
  await db.close()
})
