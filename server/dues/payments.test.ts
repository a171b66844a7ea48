import { toDollars } from '@tatami/contract/lib/money'
import { statisticsOf } from '@tatami/contract/dues/payments'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const march = { payment_month: 2, payment_year: 2026 }
const inMarch = '?month=2&year=2026'

const studentForm = (changes: object) =>
  exampleStudent({ class_preferences: ['saturday'], ...changes })

async function createDojo(...people: object[]) {
  const sensei = await server.createSensei()
  const students = []
  for (const changes of people)
    students.push((await sensei.post('/students', studentForm(changes))).body.student)
  return { sensei, students }
}

test('stores the amount at the time of marking, and ignores a repeated mark', async () => {
  const {
    sensei,
    students: [ken],
  } = await createDojo({ monthly_payment_amount: 85.55 })
  const mark = { student_id: ken.id, ...march, payment_status: 'paid' }
  const firstReply = await sensei.post('/payment-records', mark)
  expect([firstReply.status, firstReply.body]).toEqual([
    200,
    {
      ...mark,
      monthly_payment_amount: 85.55,
      price_reason: null,
      marked_at: expect.any(String),
      updated_at: expect.any(String),
      act_id: expect.any(String),
    },
  ])
  await sensei.put(`/students/${ken.id}`, studentForm({ ...ken, monthly_payment_amount: 100 }))
  expect(
    (await sensei.post('/payment-records', { ...mark, monthly_payment_amount: 100 })).body,
  ).toEqual({ ...firstReply.body, act_id: null })
  const { act_id: _, ...record } = firstReply.body
  expect((await sensei.get(`/payment-records${inMarch}`)).body).toEqual([record])
  expect((await sensei.get(`/payment-statistics${inMarch}`)).body).toEqual({
    total_monthly_paying_students: 1,
    total_paid_this_month: 1,
    total_yet_to_pay: 0,
    monthly_revenue: 85.55,
    revenue_of_deleted_students: 0,
  })
})

test('records $0 for a fee of $0, unless the request has an amount', async () => {
  const {
    sensei,
    students: [ken],
  } = await createDojo({ monthly_payment_amount: 0 })
  expect(
    (
      await sensei.post('/payment-records', {
        student_id: ken.id,
        ...march,
        payment_status: 'paid',
      })
    ).body.monthly_payment_amount,
  ).toBe(0)
  await sensei.post('/payment-records', { student_id: ken.id, ...march, payment_status: 'unpaid' })
  expect(
    (
      await sensei.post('/payment-records', {
        student_id: ken.id,
        ...march,
        payment_status: 'paid',
        monthly_payment_amount: 12.34,
      })
    ).body.monthly_payment_amount,
  ).toBe(12.34)
})

test('uses the current month of the dojo for current_month_paid', async () => {
  setClock('2026-04-01T03:00:00Z') // still March in Chicago
  const {
    sensei,
    students: [ken],
  } = await createDojo({})
  await sensei.post('/payment-records', { student_id: ken.id, ...march, payment_status: 'paid' })
  expect((await sensei.get('/students')).body[0].current_month_paid).toBe(true)
  expect((await sensei.get('/payment-records')).body).toHaveLength(1)
  setClock('2026-04-01T06:00:00Z')
  expect((await sensei.get('/students')).body[0].current_month_paid).toBe(false)
  expect((await sensei.get('/payment-records?month=&year=')).body).toEqual([])
})

test('resets only the paying students of the month, and records it in the audit log', async () => {
  const { sensei, students } = await createDojo({}, {}, { is_trial: true })
  for (const { id } of students) {
    await sensei.post('/payment-records', { student_id: id, ...march, payment_status: 'paid' })
    await sensei.post('/payment-records', {
      student_id: id,
      payment_month: 1,
      payment_year: 2026,
      payment_status: 'paid',
    })
  }
  const reset = await sensei.post('/reset-monthly-payments', march)
  expect([reset.status, reset.body]).toEqual([
    200,
    {
      students_reset: 2,
      total_paying_students: 2,
      message: 'Reset 2 of 2 paying students to unpaid.',
      act_id: expect.any(String),
      total: 171, // two fees of $85.50
    },
  ])
  const paidCountIn = async (query: string) =>
    ((await sensei.get(`/payment-records${query}`)).body as { payment_status: string }[]).filter(
      (record) => record.payment_status === 'paid',
    ).length
  expect([await paidCountIn(inMarch), await paidCountIn('?month=1&year=2026')]).toEqual([1, 3])
  expect((await sensei.post('/reset-monthly-payments', march)).body).toMatchObject({
    students_reset: 0,
    act_id: null,
    total: 0,
  })
  const superAdmin = await server.signInSuperAdmin()
  expect((await superAdmin.get('/super-admin/audit-log')).body[1]).toMatchObject({
    action: 'month reset',
    actor: sensei.email,
    dojo_name: 'Cedar Park Judo',
    details: { month: 2, year: 2026, students_reset: 2, total_paying_students: 2, amount: 171 },
  })
})

test.each([
  [{ payment_month: 12 }, 'Month must be 0 (January) to 11 (December)'],
  [{ payment_year: 'now' }, 'Year must be between 2000 and 2199'],
  [{ payment_status: 'yet_to_pay' }, 'Payment status is not valid'],
  [{ monthly_payment_amount: -1 }, 'Monthly payment amount must be 0 or more'],
])('refuses a mark with %j', async (changes, detail) => {
  const {
    sensei,
    students: [ken],
  } = await createDojo({})
  const refusal = await sensei.post('/payment-records', {
    student_id: ken.id,
    ...march,
    payment_status: 'paid',
    ...changes,
  })
  expect([refusal.status, refusal.body.detail]).toEqual([422, detail])
  expect((await sensei.get(`/payment-records${inMarch}`)).body).toEqual([])
})

test('responds with 404 for a student of another dojo', async () => {
  const {
    students: [otherStudent],
  } = await createDojo({})
  const { sensei } = await createDojo()
  const refusal = await sensei.post('/payment-records', {
    student_id: otherStudent.id,
    ...march,
    payment_status: 'paid',
  })
  expect([refusal.status, refusal.body]).toEqual([404, { detail: 'Student not found' }])
})

test('agrees with a model of marks, resets and statistics', { timeout: 60_000 }, async () => {
  const fees = [10.01, 0.1, 0.2, 85.5]
  const randomAct = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        who: fc.nat(3),
        status: fc.constantFrom('paid' as const, 'unpaid' as const),
        sentAmount: fc.option(
          fc.nat(99_999).map((cents) => toDollars(cents)),
          { nil: undefined },
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ who: fc.nat(3), on_vacation: fc.boolean(), is_trial: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.constant('reset' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(randomAct, { minLength: 1, maxLength: 10 }), async (acts) => {
      const { sensei, students } = await createDojo(
        ...fees.map((monthly_payment_amount) => ({ monthly_payment_amount })),
      )
      const people = fees.map((fee, index) => ({
        ...students[index],
        fee,
        is_trial: false,
        on_vacation: false,
      }))
      const records = new Map<number, { status: 'paid' | 'unpaid'; amount: number }>()
      for (const act of acts) {
        if (act === 'reset') {
          const payers = people.flatMap((person, index) =>
            person.is_trial || person.on_vacation ? [] : [index],
          )
          const paidIndexes = payers.filter((payer) => records.get(payer)?.status === 'paid')
          for (const payer of paidIndexes) records.get(payer)!.status = 'unpaid'
          expect((await sensei.post('/reset-monthly-payments', march)).body).toMatchObject({
            students_reset: paidIndexes.length,
            total_paying_students: payers.length,
          })
        } else if ('status' in act) {
          const { who, status, sentAmount } = act
          if (records.get(who)?.status !== status)
            records.set(who, { status, amount: sentAmount ?? people[who]!.fee })
          await sensei.post('/payment-records', {
            student_id: people[who]!.id,
            payment_status: status,
            monthly_payment_amount: sentAmount,
            ...march,
          })
        } else {
          const { who, ...flags } = act
          Object.assign(people[who] ?? {}, flags)
          await sensei.put(`/students/${people[who]!.id}`, studentForm(people[who] ?? {}))
        }
      }
      const listedRecords = (await sensei.get(`/payment-records${inMarch}`)).body as {
        student_id: string
        payment_status: string
        monthly_payment_amount: number
      }[]
      const recordByStudent = Object.fromEntries(
        listedRecords.map((record) => [
          record.student_id,
          [record.payment_status, record.monthly_payment_amount],
        ]),
      )
      expect(recordByStudent).toEqual(
        Object.fromEntries(
          [...records].map(([personIndex, { status, amount }]) => [
            people[personIndex]!.id,
            [status, amount],
          ]),
        ),
      )
      expect((await sensei.get(`/payment-statistics${inMarch}`)).body).toEqual(
        statisticsOf(
          (await sensei.get('/students')).body,
          listedRecords as never,
          (await sensei.get(`/month-dues${inMarch}`)).body,
        ),
      )
    }),
    { numRuns: 12 },
  )
})
