import { expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** Ann pays for Ken, who has a plan for $96 a month since March 1. Today is March 10. */
async function createMember() {
  const dojo = await createPlanDojo(server, { name: 'Ken Adams', monthly_payment_amount: 0 })
  const { sensei, students, id, get, put } = dojo
  await dojo.start(await dojo.addPlan(), '2027-03-01')
  const ann = await server.createGuardian(sensei, students, {
    students: [{ student_id: id(), pays: true, sees_fees: true }],
  })
  const setFee = async (monthly_payment_amount: number, fee_from?: string) => {
    const { student } = (await get(`/students/${id()}`)).body
    return put(`/students/${id()}`, { ...student, monthly_payment_amount, fee_from })
  }
  const listPriceNotices = async () =>
    ((await ann.get('/notifications')).body as { title: string; message: string }[])
      .filter(({ title }) => title.startsWith('New price'))
      .map(({ message }) => message)
  return { ...dojo, setFee, listPriceNotices }
}

test('the payer is told when the fee of a student raises the price of the plan', async () => {
  const { setFee, listPriceNotices, moveClockTo, account } = await createMember()
  expect((await setFee(110, 'next_month')).status).toBe(200)
  expect(await listPriceNotices()).toEqual([
    'From the first payment on or after April 1, 2027, Ken Adams’s plan Twice a week costs $110 a ' +
      'month instead of $96 a month.',
  ])
  await moveClockTo('2027-05-02T18:00:00Z')
  expect(chargeRows(await account()).slice(0, 2)).toEqual([
    [MARCH, 96, 96],
    [APRIL, 110, 110],
  ])
})

test('a raise from this month is told with its first day', async () => {
  const { setFee, listPriceNotices } = await createMember()
  await setFee(110, 'this_month')
  expect(await listPriceNotices()).toMatchObject([
    expect.stringContaining('on or after March 1, 2027'),
  ])
})

test('nobody is told of a lower or an unchanged price', async () => {
  const { setFee, listPriceNotices } = await createMember()
  await setFee(96)
  await setFee(80)
  expect(await listPriceNotices()).toEqual([])
})
