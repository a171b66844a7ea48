import { formatShortMoney, sumDollars } from '@tatami/contract/lib/money'
import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const SIX_MONTHS = { kind: 'term', minimum_months: 6, price: 96 }
const AFTER_THE_TERM = '2027-12-01T18:00:00Z'

async function startTerm(plan: object, startsOn: string, form: object = {}) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const { body } = await dojo.start(await dojo.addPlan({ ...SIX_MONTHS, ...plan }), startsOn, form)
  const chargedInAll = async () =>
    sumDollars((await dojo.account()).charges.map(({ amount }) => amount ?? 0))
  const hold = (changes: object) =>
    dojo.post(`/students/${dojo.id()}/holds`, {
      ...{ starts_on: '2027-05-03', ends_on: '2027-05-12', kind: 'injury', moves_end: true },
      ...changes,
    })
  return { ...dojo, body, chargedInAll, hold }
}

describe('a hold within a period that was charged in an earlier month', () => {
  test('gives its days back', async () => {
    const { hold, moveClockTo, chargedInAll } = await startTerm(
      { kind: 'open', minimum_months: 0, price: 365, cycle_unit: 'year' },
      '2027-03-10',
      { billing_day: 'start' },
    )
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(await chargedInAll()).toBe(365)
    await hold({ billing: 'free', moves_end: false })
    // The year from March 10, 2027 has 366 days.
    expect(await chargedInAll()).toBe(355.03)
  })
})

describe('a term of 6 × $96', () => {
  test.each(['free', 'prorated', 'full'])(
    'costs $576 with ten days on hold (%s), which move its end',
    async (billing) => {
      const { hold, membership, moveClockTo, chargedInAll } = await startTerm({}, '2027-03-10')
      await hold({ billing })
      expect((await membership()).subscriptions).toMatchObject([{ ends_on: '2027-09-19' }])
      await moveClockTo(AFTER_THE_TERM)
      expect(await chargedInAll()).toBe(576)
    },
  )

  test('costs $576 also if the hold is entered late and ended early', async () => {
    const { hold, post, moveClockTo, chargedInAll } = await startTerm({}, '2027-03-10')
    await moveClockTo('2027-06-20T18:00:00Z')
    await hold({})
    const { body } = await hold({ starts_on: '2027-06-25', ends_on: null })
    await moveClockTo('2027-07-20T18:00:00Z')
    await post(`/holds/${body.hold_id}/end`, { ends_on: '2027-07-02' })
    await moveClockTo(AFTER_THE_TERM)
    expect(await chargedInAll()).toBe(576)
  })

  test.each([
    ['prorated', 576],
    ['full', 576],
    ['free', 508.8],
  ])('costs, with a first period that is %s, $%d, as its preview says', async (period, sum) => {
    const { body, moveClockTo, chargedInAll } = await startTerm({}, '2027-03-10', {
      first_period: period,
    })
    expect(body.sentences).toContain(
      `It ends on September 9, and costs ${formatShortMoney(sum)} in total.`,
    )
    await moveClockTo(AFTER_THE_TERM)
    expect(await chargedInAll()).toBe(sum)
  })
})

test('the sum of a term says if the family pays less', async () => {
  const { sensei, id, put, addPlan, start } = await createPlanDojo(server, {}, {})
  await server.createGuardian(sensei, [], {
    students: [id(0), id(1)].map((student_id) => ({ student_id, pays: true })),
  })
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] })
  const plan = await addPlan(SIX_MONTHS)
  const startFor = async (index: number): Promise<string | undefined> => {
    const { sentences } = (await start(plan, '2027-03-01', {}, index)).body
    return sentences.find((sentence: string) => sentence.startsWith('It ends'))
  }
  expect(await startFor(0)).toBe(
    'It ends on August 31, and costs $576 in total, before the family discount.',
  )
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices: [] })
  expect(await startFor(1)).toBe('It ends on August 31, and costs $576 in total.')
})

describe('the end of a term', () => {
  test('is not moved by a hold over the start of the next plan', async () => {
    const { addPlan, start, post, id, membership } = await createPlanDojo(server, {})
    await start(await addPlan({ kind: 'term', minimum_months: 2 }), '2027-03-10')
    await start(await addPlan({ price: 110 }), '2027-05-15')
    const hold = (lastDay: string) =>
      post(`/students/${id()}/holds`, {
        ...{ kind: 'injury', billing: 'free', moves_end: true },
        ...{ starts_on: '2027-04-01', ends_on: lastDay },
      })
    expect(await hold('2027-04-20')).toMatchObject({
      status: 409,
      body: {
        detail:
          'The hold would move the end of Twice a week to May 29, but Twice a week 2 starts on ' +
          'May 15. Choose a hold that does not move the end.',
      },
    })
    expect((await membership()).holds).toEqual([])
    const { body } = await hold('2027-04-04')
    expect((await post(`/holds/${body.hold_id}/end`, { ends_on: '2027-04-20' })).status).toBe(409)
    expect((await membership()).holds).toMatchObject([{ ends_on: '2027-04-04' }])
  })

  test('can be asked for on its last day, and costs what was agreed', async () => {
    const { body, post, membership, moveClockTo, chargedInAll } = await startTerm({}, '2027-03-10')
    const path = `/subscriptions/${body.subscription_id}/end`
    expect((await post(path, {})).body).toMatchObject({ last_day: '2027-09-09', last_sum: 27.87 })
    expect((await membership()).subscriptions).toMatchObject([{ ends_on: '2027-09-09' }])
    await moveClockTo(AFTER_THE_TERM)
    expect(await chargedInAll()).toBe(576)
  })

  test('has the last sum of its hold, also if it is asked for', async () => {
    const { body, post, hold, membership, moveClockTo, chargedInAll } = await startTerm(
      {},
      '2027-03-01',
    )
    await hold({ starts_on: '2027-05-10', ends_on: '2027-05-19', billing: 'free' })
    const path = `/subscriptions/${body.subscription_id}/end`
    const end = { last_day: '2027-09-10', last_sum: 30.97 }
    expect((await post(`${path}/preview`, {})).body).toMatchObject(end)
    expect((await post(path, {})).body).toMatchObject(end)
    expect((await membership()).subscriptions).toMatchObject([{ ends_on: '2027-09-10' }])
    await moveClockTo(AFTER_THE_TERM)
    expect(await chargedInAll()).toBe(576)
  })

  test('cannot be later than agreed', async () => {
    const { body, post, membership } = await startTerm({}, '2027-03-10')
    const path = `/subscriptions/${body.subscription_id}/end`
    for (const call of [path, `${path}/preview`]) {
      const { status, body: refusal } = await post(call, { last_day: '2028-12-31' })
      expect([status, refusal.errors]).toMatchObject([422, [{ field: 'last_day' }]])
    }
    expect((await membership()).subscriptions).toMatchObject([
      { ends_on: '2027-09-09', may_keep: false },
    ])
  })
})
