import { describe, expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH, MAY } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const JUNE = 5

/** Today is March 10, 2027, and a free hold starts on March 20. */
async function createHeldMember(hold: object = {}) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const { addPlan, start, post, id, account } = dojo
  await start(await addPlan({ price: 93 }), '2027-03-01')
  const { body } = await post(`/students/${id()}/holds`, {
    ...{ starts_on: '2027-03-20', ends_on: null, kind: 'injury', billing: 'free' },
    ...hold,
  })
  const sums = async () => chargeRows(await account()).map(([month, amount]) => [month, amount])
  return { ...dojo, holdId: body.hold_id as string, sums }
}

describe('months that passed during a hold', () => {
  test('are charged once the hold is deleted as a mistake', async () => {
    const { moveClockTo, sums, remove, holdId } = await createHeldMember()
    await moveClockTo('2027-06-08T18:00:00Z')
    expect(await sums()).toEqual([[MARCH, 57]])
    expect((await remove(`/holds/${holdId}`)).status).toBe(200)
    expect((await sums()).slice(0, 3)).toEqual([
      [MARCH, 93],
      [APRIL, 93],
      [MAY, 93],
    ])
  })

  test('are charged if the hold turns out to have ended before them', async () => {
    const { moveClockTo, sums, post, holdId } = await createHeldMember()
    await moveClockTo('2027-06-08T18:00:00Z')
    await post(`/holds/${holdId}/end`, { ends_on: '2027-04-10' })
    expect((await sums()).slice(0, 3)).toEqual([
      [MARCH, 57],
      [APRIL, 62],
      [MAY, 93],
    ])
  })

  test('are charged if a vacation turns out to have started after them', async () => {
    const { moveClockTo, sums, put, id } = await createHeldMember({ kind: 'vacation' })
    await moveClockTo('2027-06-08T18:00:00Z')
    const dates = { vacation_from: '2027-05-11', vacation_until: null }
    expect((await put(`/students/${id()}/vacation`, dates)).status).toBe(200)
    expect(await sums()).toEqual([
      [MARCH, 93],
      [APRIL, 93],
      [MAY, 30],
    ])
  })

  test('stay free when the student comes back', async () => {
    const { moveClockTo, sums, post, holdId } = await createHeldMember()
    await moveClockTo('2027-06-01T18:00:00Z')
    await post(`/holds/${holdId}/end`)
    expect(await sums()).toEqual([
      [MARCH, 57],
      [JUNE, 93],
    ])
  })

  test('are free again if the hold is taken up again', async () => {
    const { moveClockTo, sums, post, holdId } = await createHeldMember()
    await moveClockTo('2027-06-08T18:00:00Z')
    await post(`/holds/${holdId}/end`, { ends_on: '2027-04-10' })
    await post(`/holds/${holdId}/reopen`)
    expect(await sums()).toEqual([[MARCH, 57]])
  })

  test('of a weekly plan and of an add-on are charged alike', async () => {
    const { addPlan, start, post, remove, id, moveClockTo, account } = await createPlanDojo(
      server,
      { monthly_payment_amount: 0 },
    )
    const sums = async () => chargeRows(await account()).map(([kind, amount]) => [kind, amount])
    await start(await addPlan({ price: 10, cycle_unit: 'week', cycle_count: 2 }), '2027-04-05')
    await start(await addPlan({ name: 'Weapons', price: 31, is_add_on: true }), '2027-04-01')
    const { body } = await post(`/students/${id()}/holds`, {
      ...{ starts_on: '2027-03-20', ends_on: null, kind: 'injury', billing: 'free' },
    })
    await moveClockTo('2027-05-01T18:00:00Z')
    expect(await sums()).toEqual([])
    await remove(`/holds/${body.hold_id}`)
    expect(await sums()).toEqual([
      ['plan', 31],
      [APRIL, 20],
      ['plan', 31],
      [MAY, 30],
    ])
  })
})

test('a hold that is entered late reopens an ended plan and moves its end', async () => {
  const { addPlan, start, post, id, moveClockTo, fee, membership } = await createPlanDojo(server, {
    monthly_payment_amount: 0,
  })
  const plan = await addPlan({ kind: 'term', price: 93, minimum_months: 1 })
  await start(plan, '2027-03-15', { billing_day: 'start' })
  await moveClockTo('2027-04-16T18:00:00Z')
  expect([(await membership()).subscriptions[0].state, await fee()]).toEqual(['ended', 0])
  await post(`/students/${id()}/holds`, {
    ...{ starts_on: '2027-04-10', ends_on: '2027-04-20', kind: 'injury', billing: 'free' },
    moves_end: true,
  })
  expect((await membership()).subscriptions).toMatchObject([
    { state: 'ending', ends_on: '2027-04-25' },
  ])
  expect(await fee()).toBe(93)
  await moveClockTo('2027-04-27T18:00:00Z')
  expect(await fee()).toBe(0)
})
