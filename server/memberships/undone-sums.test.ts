import { mustExist } from '@tatami/contract/lib/must-exist'
import { describe, expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const FOLLOWS_PLAN = 'This sum follows from the plan. Change the plan or the hold instead.'

/** Ken pays $62 a month until the plan for $96 starts on March 17: 16 days of $62 are $32, and 15
 *  days of $96 are $46.45. */
async function createMember() {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 62 })
  const planId = await dojo.addPlan({ sign_up_fee: 30 })
  const startPlan = async () => (await dojo.start(planId, '2027-03-17')).body
  return { ...dojo, planId, startPlan }
}

describe('undoing a sum of the ledger that follows from a plan', () => {
  test('is refused for the difference that a new plan made', async () => {
    const { pay, startPlan, moveClockTo, undo, account } = await createMember()
    await pay(62)
    await moveClockTo('2027-03-17T18:00:00Z')
    const body = await startPlan()
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 16.45])
    const reply = await undo({ body })
    expect(reply).toMatchObject({ status: 409, body: { detail: FOLLOWS_PLAN } })
    const { charges, lines } = await account()
    expect(charges).toMatchObject([{ amount: 78.45 }, { kind: 'sign_up', amount: 30 }])
    expect(lines.map(({ follows_plan }: { follows_plan: boolean }) => follows_plan)).toEqual(
      expect.arrayContaining([true, false]),
    )
  })

  test('is refused for what a hold took off', async () => {
    const { pay, startPlan, moveClockTo, undo, account, post, id } = await createMember()
    await moveClockTo('2027-03-17T18:00:00Z')
    await startPlan()
    await pay(108.45)
    const hold = { starts_on: '2027-03-20', ends_on: '2027-03-31', kind: 'injury' }
    await post(`/students/${id()}/holds`, hold)
    const [lastLine] = (await account()).lines
    const reply = await undo({ body: { act_id: mustExist(lastLine, 'The last line').act_id } })
    expect(reply).toMatchObject({ status: 409, body: { detail: FOLLOWS_PLAN } })
  })
})

describe('undoing a payment of a month to which a plan added days', () => {
  const payBeforePlan = async () => {
    const member = await createMember()
    const payment = await member.pay(62)
    await member.moveClockTo('2027-03-17T18:00:00Z')
    await member.startPlan()
    return { ...member, payment }
  }

  test('leaves the month at what the plan says', async () => {
    const { payment, undo, account, moveClockTo } = await payBeforePlan()
    const { status, body } = await undo(payment)
    expect(status).toBe(200)
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 78.45])
    await undo({ body })
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 16.45])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 16.45])
  })

  test('does so in a later month, too', async () => {
    const { payment, undo, account, moveClockTo } = await payBeforePlan()
    await moveClockTo('2027-04-10T18:00:00Z')
    await undo(payment)
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 78.45])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(chargeRows(await account())).toEqual(
      expect.arrayContaining([
        [MARCH, 78.45, 78.45],
        [APRIL, 96, 96],
      ]),
    )
  })

  test.each(['2027-03-18', '2027-04-10'])('as Mark Unpaid does on %s', async (day) => {
    const { mark, account, moveClockTo } = await payBeforePlan()
    await mark('paid')
    await moveClockTo(`${day}T18:00:00Z`)
    expect((await mark('unpaid')).status).toBe(200)
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 78.45])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(chargeRows(await account())).toContainEqual([MARCH, 78.45, 78.45])
  })
})
