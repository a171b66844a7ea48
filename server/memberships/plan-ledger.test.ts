import type { StatementLine } from '@tatami/contract/bookkeeping/statements'
import { describe, expect, test } from 'vitest'
import { APRIL, FEBRUARY, MARCH, MAY } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const NEW_STUDENT = { monthly_payment_amount: 0 }
const WEEKLY = { name: 'Weekly', price: 25, cycle_unit: 'week' }

test('a late fee counts from the day on which the plan is due, and is charged once', async () => {
  const { addPlan, start, get, put, post, id, moveClockTo, account } = await createPlanDojo(
    server,
    NEW_STUDENT,
  )
  await put('/late-fee-rule', { grace_days: 5, percent: 10 })
  await start(await addPlan(WEEKLY), '2027-03-10')
  const preview = async () => (await get(`/late-fees/preview?month=${MARCH}&year=2027`)).body
  await moveClockTo('2027-03-14T18:00:00Z')
  expect(await preview()).toEqual([])
  await moveClockTo('2027-03-20T18:00:00Z')
  expect(await preview()).toMatchObject([{ student_id: id(), owed: 100, days_late: 10, fee: 10 }])
  const fees = { month: MARCH, year: 2027, student_ids: [id()] }
  expect((await post('/late-fees', fees)).status).toBe(200)
  expect(await preview()).toEqual([])
  expect((await account()).balance).toBe(110)
})

test('a reminder goes to students whose plan has something due in the month', async () => {
  const { addPlan, start, get, id, moveClockTo } = await createPlanDojo(
    server,
    NEW_STUDENT,
    NEW_STUDENT,
  )
  await start(await addPlan(), '2027-03-01')
  await start(
    await addPlan({ name: 'Yearly', price: 900, cycle_unit: 'year' }),
    '2027-03-01',
    {},
    1,
  )
  const isReminded = async () => {
    const { body } = await get('/sms/reminders/on_due/preview')
    return [id(0), id(1)].map((studentId) =>
      body.students.some(
        (row: { student_id: string; sends: boolean }) => row.student_id === studentId && row.sends,
      ),
    )
  }
  expect(await isReminded()).toEqual([true, true])
  await moveClockTo('2027-04-01T18:00:00Z')
  expect(await isReminded()).toEqual([true, false])
})

test('a statement lists the months of a plan, its add-ons and fees', async () => {
  const { addPlan, start, get, mark, id, moveClockTo } = await createPlanDojo(server, NEW_STUDENT)
  await start(await addPlan({ sign_up_fee: 50 }), '2027-03-17')
  await start(await addPlan({ name: 'Weapons', price: 20, is_add_on: true }), '2027-04-01')
  await mark('paid')
  await moveClockTo('2027-04-10T18:00:00Z')
  const { body } = await get(`/statements?student_id=${id()}&year=2027`)
  const rows = body.lines.map(({ kind, line, amount }: StatementLine) => [line, kind, amount])
  expect(rows).toEqual(
    expect.arrayContaining([
      ['charge', 'sign_up', 50],
      ['charge', 'month', 46.45],
      ['payment', 'month', -46.45],
      ['charge', 'plan', 20],
      ['charge', 'month', 96],
    ]),
  )
  expect(body).toMatchObject({ closing: 166, owed: 166 })
})

test('records of earlier months stay what they were, and Mark Paid takes the plan’s price', async () => {
  const { addPlan, start, mark, records, moveClockTo } = await createPlanDojo(server, {
    monthly_payment_amount: 80,
  })
  await mark('paid', { payment_month: FEBRUARY })
  await start(await addPlan(), '2027-04-01')
  expect(await records(FEBRUARY)).toMatchObject([{ monthly_payment_amount: 80 }])
  expect((await mark('paid')).body).toMatchObject({ monthly_payment_amount: 80 })
  await moveClockTo('2027-04-02T18:00:00Z')
  const april = await mark('paid', { payment_month: APRIL })
  expect(april.body).toMatchObject({ monthly_payment_amount: 96 })
  expect(await records(MARCH)).toMatchObject([{ monthly_payment_amount: 80 }])
})

test('a receipt names the plan of the month', async () => {
  const { addPlan, start, mark, account, post } = await createPlanDojo(server, NEW_STUDENT)
  await start(await addPlan(), '2027-03-01')
  await mark('paid')
  const payment = (await account()).lines.find(({ kind }) => kind === 'payment')
  const { body } = await post('/receipts', { act_id: payment?.act_id })
  expect(body.lines).toMatchObject([{ kind: 'month', month: MARCH, note: 'Twice a week' }])
})

describe('a hold makes a sibling pay more only in months that it fills', () => {
  const FREE = { kind: 'injury', billing: 'free' }
  const createSiblings = async () => {
    const dojo = await createPlanDojo(server, NEW_STUDENT, NEW_STUDENT)
    const { sensei, students, addPlan, start, put, post, dues, id } = dojo
    await put('/sibling-prices', {
      ...{ ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] },
    })
    await server.createGuardian(sensei, students, {
      students: students.map((student) => ({ student_id: student.id, pays: true })),
    })
    const { body } = await start(await addPlan({ price: 100 }), '2027-03-01')
    await start(await addPlan({ name: 'Kids', price: 80 }), '2027-03-01', {}, 1)
    const subscription_id = body.subscription_id as string
    return {
      subscription_id,
      hold: async (starts_on: string, ends_on: string, changes: object = {}) => {
        const days = { starts_on, ends_on, ...FREE, ...changes }
        expect((await post(`/students/${id()}/holds`, days)).status).toBe(200)
      },
      costsOfSecond: async () => {
        const costs = []
        for (const month of [MARCH, APRIL, MAY])
          costs.push((await dues(month)).find(({ student_id }) => student_id === id(1))?.cost)
        return costs
      },
    }
  }

  test('if it is for all plans', async () => {
    const { hold, costsOfSecond } = await createSiblings()
    expect(await costsOfSecond()).toEqual([72, 72, 72])
    await hold('2027-03-20', '2027-04-30')
    expect(await costsOfSecond()).toEqual([72, 80, 72])
  })

  test('if it is for the plan only, and so no vacation', async () => {
    const { hold, costsOfSecond, subscription_id } = await createSiblings()
    await hold('2027-03-20', '2027-04-30', { subscription_id })
    expect(await costsOfSecond()).toEqual([72, 80, 72])
  })

  test('if two holds that touch fill the month together', async () => {
    const { hold, costsOfSecond } = await createSiblings()
    await hold('2027-03-20', '2027-04-10')
    await hold('2027-04-11', '2027-05-31')
    expect(await costsOfSecond()).toEqual([72, 80, 80])
  })

  test('but not if the days on hold cost a fee', async () => {
    const { hold, costsOfSecond, subscription_id } = await createSiblings()
    await hold('2027-03-20', '2027-05-31', { subscription_id, billing: 'fee', fee: 10 })
    expect(await costsOfSecond()).toEqual([72, 72, 72])
  })
})
