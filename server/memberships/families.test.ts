import { describe, expect, test } from 'vitest'
import { APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const [KEN, FINN, RUBY] = [0, 1, 2]

/** Ken pays $85, Finn $75 and Ruby $70. The second child gets 10% off, the third 20%. Ann pays for
 *  all of them. March is paid. Today is March 17. */
async function createFamily() {
  const dojo = await createPlanDojo(
    server,
    { name: 'Ken', monthly_payment_amount: 85 },
    { name: 'Finn', monthly_payment_amount: 75 },
    { name: 'Ruby', monthly_payment_amount: 70 },
  )
  const { sensei, students, put, get, mark, moveClockTo, account, addPlan } = dojo
  const prices = [
    { nth: 2, percent: 10 },
    { nth: 3, percent: 20 },
  ]
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  await server.createGuardian(sensei, students, {
    students: students.map(({ id }) => ({ student_id: id, pays: true })),
  })
  await moveClockTo('2027-03-17T18:00:00Z')
  const amountsOf = async (month: number) => {
    const rows: unknown[] = []
    for (const index of [KEN, FINN, RUBY])
      rows.push(chargeRows(await account(index)).find(([key]) => key === month)?.[1])
    return rows
  }
  const expected = async (month: number) =>
    (await get(`/sibling-prices/students?month=${month}&year=2027`)).body.map(
      ({ amount, reason }: { amount: number; reason: string }) => [amount, reason],
    )
  const payMarch = async () => {
    for (const index of [KEN, FINN, RUBY]) await mark('paid', {}, index)
  }
  const unlimitedId = await addPlan({ name: 'Unlimited', price: 96 })
  return { ...dojo, amountsOf, expected, payMarch, unlimitedId }
}

describe('the order of a family when a plan starts', () => {
  test.each([true, false])('is that of the 1st (March was paid: %s)', async (isPaid) => {
    const { unlimitedId, start, payMarch, amountsOf, moveClockTo } = await createFamily()
    if (isPaid) await payMarch()
    await start(unlimitedId, '2027-03-17', {}, FINN)
    if (!isPaid) await payMarch()
    // Finn: 16 days of $75 and 15 days of $96, less 10%.
    expect(await amountsOf(MARCH)).toEqual([85, 76.64, 56])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(await amountsOf(APRIL)).toEqual([76.5, 96, 56])
  })

  test('is that of the 1st also for a plan that is entered late', async () => {
    const { unlimitedId, start, amountsOf, expected, post, moveClockTo, pay } = await createFamily()
    await moveClockTo('2027-04-17T18:00:00Z')
    for (const [index, amount] of [170, 135, 112].entries()) await pay(amount, {}, index)
    expect(await amountsOf(APRIL)).toEqual([85, 67.5, 56])
    const { body } = await start(unlimitedId, '2027-04-01', {}, FINN)
    expect(await amountsOf(APRIL)).toEqual([85, 86.4, 56])
    expect(await expected(APRIL)).toEqual(
      expect.arrayContaining([
        [86.4, '2nd of 3: −10%'],
        [56, '3rd of 3: −20%'],
      ]),
    )
    await post(`/subscriptions/${body.subscription_id}/undo`)
    expect(await amountsOf(APRIL)).toEqual([85, 67.5, 56])
  })

  test('changes with the plan that starts on the 1st, as the preview says', async () => {
    const { unlimitedId, start, expected } = await createFamily()
    const { body } = await start(unlimitedId, '2027-04-01', {}, FINN)
    expect(body.sentences).toContain('Ken pays $76.50 instead of $85 from April 1 on.')
    expect(body.sentences.join()).not.toContain('Ruby')
    expect(await expected(APRIL)).toEqual(
      expect.arrayContaining([
        [76.5, '2nd of 3: −10%'],
        [56, '3rd of 3: −20%'],
      ]),
    )
  })

  test('puts students who had no fee on the 1st last, the dearer first', async () => {
    const { addPlan, post, sensei, expected } = await createFamily()
    const newIds: string[] = []
    for (const name of ['Ada', 'Bo'])
      newIds.push((await server.createStudent(sensei, { name, monthly_payment_amount: 0 })).id)
    await server.createGuardian(sensei, [], {
      students: newIds.map((student_id) => ({ student_id, pays: true })),
    })
    const cheap = await addPlan({ name: 'Cheap', price: 62 })
    const dear = await addPlan({ name: 'Dear', price: 93 })
    for (const [index, plan_id] of [cheap, dear].entries())
      await post(`/students/${newIds[index]}/subscriptions`, { plan_id, starts_on: '2027-03-17' })
    // Bo's 15 days of $93 cost $45. Ada's 15 days of $62 cost $30, less 10%.
    expect(await expected(MARCH)).toContainEqual([
      27,
      expect.stringContaining('2nd of 2: −10%') as string,
    ])
  })
})

test('what memberships bring each month has the family’s discounts', async () => {
  const { unlimitedId, start, get } = await createFamily()
  await start(unlimitedId, '2027-03-17', {}, FINN)
  const { recurring_revenue, by_plan } = (await get('/membership-figures')).body
  // Finn pays $96, Ken $85 less 10%, Ruby $70 less 20%.
  expect(recurring_revenue).toBe(228.5)
  expect(by_plan).toMatchObject([
    { plan_name: 'Monthly fee', recurring_revenue: 132.5 },
    { plan_name: 'Unlimited', recurring_revenue: 96 },
  ])
})

describe('a hold of a whole month', () => {
  const APRIL_DAYS = { starts_on: '2027-04-01', ends_on: '2027-04-30', kind: 'injury' }

  test('that costs the full price leaves the family’s prices as they are', async () => {
    const { unlimitedId, start, post, id, amountsOf, moveClockTo } = await createFamily()
    await start(unlimitedId, '2027-04-01', {}, KEN)
    await post(`/students/${id(KEN)}/holds`, { ...APRIL_DAYS, billing: 'full' })
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(await amountsOf(APRIL)).toEqual([96, 67.5, 56])
  })

  test('that is free makes brothers and sisters move up, as its preview says', async () => {
    const { unlimitedId, start, post, id, amountsOf, moveClockTo } = await createFamily()
    await start(unlimitedId, '2027-04-01', {}, KEN)
    const form = { ...APRIL_DAYS, billing: 'free' }
    const { sentences } = (await post(`/students/${id(KEN)}/holds/preview`, form)).body
    expect(sentences).toContain('Finn pays $75 instead of $67.50 on April 1.')
    expect(sentences).toContain('Ruby pays $63 instead of $56 on April 1.')
    expect((await post(`/students/${id(KEN)}/holds`, form)).body.sentences).toEqual(sentences)
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(await amountsOf(APRIL)).toEqual([undefined, 75, 63])
  })
})

describe('the days before a plan starts', () => {
  test('cost nothing while the student is on vacation', async () => {
    const { addPlan, start, post, id } = await createPlanDojo(server, {
      monthly_payment_amount: 124,
    })
    const planId = await addPlan({ price: 93 })
    await post(`/students/${id()}/holds`, {
      ...{ starts_on: '2027-03-10', ends_on: '2027-03-20', kind: 'injury', billing: 'free' },
    })
    const preview = (await start(planId, '2027-03-22')).body
    // 10 of 31 days of $124 and 10 of 31 days of $93: March 1–9 and 21, and March 22–31.
    expect(preview.charges[0]).toMatchObject({ amount: 70 })
  })

  test('cost nothing during an open-ended vacation, nor do the days of the plan', async () => {
    const { addPlan, start, put, id } = await createPlanDojo(server, {
      monthly_payment_amount: 124,
    })
    const vacation = { vacation_from: '2027-04-01', vacation_until: null }
    await put(`/students/${id()}/vacation`, vacation)
    const { body } = await start(await addPlan({ price: 93 }), '2027-04-20')
    expect(body.charges.map(({ name }: { name: string }) => name)).not.toContain('April 2027')
  })
})

describe('the due day of the month in which a plan starts', () => {
  test('stays what it was if most of it is the monthly fee', async () => {
    const { addPlan, start } = await createPlanDojo(server, { monthly_payment_amount: 124 })
    const { body } = await start(await addPlan({ price: 93 }), '2027-03-31')
    // The student enrolled on March 10.
    expect(body.charges[0]).toMatchObject({ due_on: '2027-03-10', amount: 123 })
  })

  test('is the first day of the plan if nothing was due before', async () => {
    const { addPlan, start, get, account, moveClockTo } = await createPlanDojo(server, {
      monthly_payment_amount: 0,
    })
    await moveClockTo('2027-03-27T18:00:00Z')
    const { body } = await start(await addPlan({ price: 93, kind: 'term' }), '2027-03-17')
    expect(body.charges[0]).toMatchObject({ due_on: '2027-03-17', amount: 45 })
    expect((await account()).charges[0]).toMatchObject({ charged_on: '2027-03-17' })
    expect((await account()).owed_since).toBe('2027-03-17')
    const owing = (await get('/owing')).body
    expect(JSON.stringify(owing)).toContain('2027-03-17')
    expect(JSON.stringify(owing)).not.toContain('2027-03-01')
  })
})
