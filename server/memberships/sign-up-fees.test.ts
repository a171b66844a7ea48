import { describe, expect, test } from 'vitest'
import { APRIL } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const NEW_STUDENT = { monthly_payment_amount: 0 }

/** Students without a plan, the rules of the school, and the fees that were charged. */
async function createFeeDojo(rules: object, ...students: object[]) {
  const dojo = await createPlanDojo(server, ...students)
  await dojo.put('/plan-rules', { ...(await dojo.get('/plan-rules')).body, ...rules })
  const daysOf = async (feeKind: 'sign_up' | 'yearly', index = 0) =>
    (await dojo.account(index)).charges
      .filter(({ kind, amount }) => kind === feeKind && amount > 0)
      .map(({ charged_on }) => charged_on)
  return { ...dojo, daysOf }
}

describe('a sign-up fee after a break', () => {
  /** The first plan ends on March 20, 2027. Two months later, the fee is due again. */
  async function startAgainOn(day: string) {
    const rules = { sign_up_again_after_months: 2 }
    const dojo = await createFeeDojo(rules, NEW_STUDENT)
    const { addPlan, start, post, moveClockTo, daysOf } = dojo
    const plan = await addPlan({ sign_up_fee: 40 })
    const { subscription_id } = (await start(plan, '2027-03-10')).body
    await post(`/subscriptions/${subscription_id}/end`, { last_day: '2027-03-20' })
    await moveClockTo(`${day}T18:00:00Z`)
    await start(plan, day)
    return daysOf('sign_up')
  }

  test('is not charged if the break was short', async () => {
    expect(await startAgainOn('2027-05-20')).toEqual(['2027-03-10'])
  })

  test('is charged again if the break was long', async () => {
    expect(await startAgainOn('2027-05-21')).toEqual(['2027-03-10', '2027-05-21'])
  })
})

describe('the sign-up fees of a family', () => {
  async function createFamily(rules: object = {}) {
    const dojo = await createFeeDojo(rules, NEW_STUDENT, NEW_STUDENT)
    const { sensei, id, addPlan, start, moveClockTo, daysOf } = dojo
    await server.createGuardian(sensei, [], {
      students: [id(0), id(1)].map((student_id) => ({ student_id, pays: true })),
    })
    const plan = await addPlan({ sign_up_fee: 40 })
    const startBoth = async (firstDay: string, secondDay: string) => {
      const { body } = await start(plan, firstDay)
      await start(plan, secondDay, {}, 1)
      return body.subscription_id
    }
    const signUpDays = async () => {
      await moveClockTo('2027-04-10T18:00:00Z')
      return [await daysOf('sign_up', 0), await daysOf('sign_up', 1)]
    }
    return { ...dojo, plan, startBoth, signUpDays }
  }

  test('are charged for each child', async () => {
    const { startBoth, signUpDays } = await createFamily()
    await startBoth('2027-03-10', '2027-03-10')
    expect(await signUpDays()).toEqual([['2027-03-10'], ['2027-03-10']])
  })

  test('are one if the school wants that', async () => {
    const { startBoth, signUpDays } = await createFamily({ sign_up_once_per_family: true })
    await startBoth('2027-03-10', '2027-03-10')
    expect(await signUpDays()).toEqual([['2027-03-10'], []])
  })

  test('are one also if both plans start later', async () => {
    const { startBoth, signUpDays } = await createFamily({ sign_up_once_per_family: true })
    await startBoth('2027-04-01', '2027-04-01')
    expect(await signUpDays()).toEqual([['2027-04-01'], []])
  })

  test('are due for the other child if the first plan was a mistake', async () => {
    const { plan, start, post, signUpDays } = await createFamily({ sign_up_once_per_family: true })
    const { subscription_id } = (await start(plan, '2027-03-10')).body
    await post(`/subscriptions/${subscription_id}/undo`)
    await start(plan, '2027-03-10', {}, 1)
    expect(await signUpDays()).toEqual([[], ['2027-03-10']])
  })
})

test('a yearly fee is charged once in a calendar year, also after a break', async () => {
  const { addPlan, start, post, moveClockTo, daysOf } = await createFeeDojo({}, NEW_STUDENT)
  const plan = await addPlan({ yearly_fee: 30, yearly_fee_month: APRIL })
  const { subscription_id } = (await start(plan, '2027-03-10')).body
  await moveClockTo('2027-04-05T18:00:00Z')
  await post(`/subscriptions/${subscription_id}/end`, { last_day: '2027-04-05' })
  await moveClockTo('2027-04-06T18:00:00Z')
  await start(await addPlan({ yearly_fee: 30, yearly_fee_month: APRIL + 1 }), '2027-04-06')
  await moveClockTo('2028-05-05T18:00:00Z')
  expect(await daysOf('yearly')).toEqual(['2027-04-01', '2028-05-01'])
})
