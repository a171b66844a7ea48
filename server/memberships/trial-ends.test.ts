import { expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Mei is on trial until her plan for $93 a month starts on March 17. Today is March 10. */
async function createTrialStudent(firstDay = '2027-03-17') {
  const dojo = await createPlanDojo(server, { is_trial: true, monthly_payment_amount: 120 })
  await dojo.start(await dojo.addPlan({ price: 93 }), firstDay)
  const figures = async () => (await dojo.get('/membership-figures')).body
  return { ...dojo, figures }
}

test('a plan that ends a trial is charged from its first day', async () => {
  const { moveClockTo, account } = await createTrialStudent()
  await moveClockTo('2027-03-18T18:00:00Z')
  await moveClockTo('2027-05-02T18:00:00Z')
  expect(chargeRows(await account()).slice(0, 2)).toEqual([
    [MARCH, 45, 45],
    [APRIL, 93, 93],
  ])
})

test('it is also charged if the server was off when the trial ended', async () => {
  const { moveClockTo, account, get, id } = await createTrialStudent()
  await moveClockTo('2027-05-02T18:00:00Z')
  expect(chargeRows(await account()).slice(0, 2)).toEqual([
    [MARCH, 45, 45],
    [APRIL, 93, 93],
  ])
  expect((await get(`/students/${id()}`)).body.student.is_trial).toBe(false)
})

test('the figure for the next month includes it', async () => {
  const { figures, dues, id } = await createTrialStudent('2027-04-16')
  // 15 of 30 days.
  expect(await figures()).toMatchObject({
    next_month: 46.5,
    lists: { next_month: [{ student_id: id(), amount: 46.5, plan_name: 'Twice a week' }] },
  })
  expect(await dues(APRIL)).toMatchObject([{ cost: 46.5, since: '2027-04-16' }])
  expect(await dues(MARCH)).toEqual([])
})

test('a trial without a plan costs nothing', async () => {
  const dojo = await createPlanDojo(server, { is_trial: true, monthly_payment_amount: 120 })
  await dojo.addPlan()
  expect((await dojo.get('/membership-figures')).body.next_month).toBe(0)
  await dojo.moveClockTo('2027-05-02T18:00:00Z')
  expect((await dojo.account()).charges).toEqual([])
})
