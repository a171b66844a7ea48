import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function startPlan(terms: object, startsOn: string, student: object = {}) {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0, ...student })
  const { body } = await dojo.start(await dojo.addPlan(terms), startsOn)
  const path = `/subscriptions/${body.subscription_id}`
  const act = (name: string, form: object = {}) => dojo.post(`${path}/${name}`, form)
  const hold = (form: object, isPreview = false) =>
    dojo.post(`/students/${dojo.id()}/holds${isPreview ? '/preview' : ''}`, {
      ...{ kind: 'injury', ...form },
    })
  return { ...dojo, preview: body, act, hold }
}

describe('what is shown of a plan that starts', () => {
  test('lists the month of the start first, even if it is far ahead', async () => {
    const { preview } = await startPlan({ price: 93 }, '2027-09-16', {
      monthly_payment_amount: 120,
    })
    expect(preview.charges).toMatchObject([
      { due_on: '2027-09-01', amount: 106.5 },
      { due_on: '2027-10-01', amount: 93 },
      { due_on: '2027-11-01', amount: 93 },
    ])
  })
})

describe('what is shown of a change', () => {
  test('says that a plan will not start after all', async () => {
    const { act, addPlan } = await startPlan({ name: 'Six weeks' }, '2027-04-01')
    const plan_id = await addPlan({ name: 'Twice' })
    const { body } = await act('change/preview', { plan_id, from: 'next_period' })
    expect(body.sentences.slice(0, 2)).toEqual([
      'Twice starts on April 1, $96 a month.',
      'Six weeks won’t start.',
    ])
  })
})

describe('what is shown of a weekly plan', () => {
  test('says that weeks are collected by the month', async () => {
    const { preview } = await startPlan(
      { price: 25, cycle_unit: 'week', cycle_count: 1 },
      '2027-04-01',
    )
    expect(preview.sentences).toContain(
      'Weeks that start in the same month are billed together, with the first one.',
    )
  })
})

describe('what is shown of the end of a plan', () => {
  test('adds up all that is due on the last day of payment', async () => {
    const { act } = await startPlan({ price: 62, sign_up_fee: 30 }, '2027-03-10')
    const { body } = await act('end/preview')
    expect(body.sentences).toContain('The last payment is $32 on March 10.')
  })

  test('promises nothing about payments after a hold without an end', async () => {
    const { act, hold } = await startPlan({ price: 93, minimum_months: 6 }, '2027-03-01')
    await hold({ starts_on: '2027-03-05', moves_end: true })
    const { sentences, last_sum } = (await act('end/preview')).body
    expect(sentences).toContain('What is still due depends on when the hold ends.')
    expect(last_sum).toBe(null)
  })

  test('names the monthly fee that still applies, and can be undone that day', async () => {
    const { act, membership } = await startPlan({ price: 93 }, '2027-04-01', {
      monthly_payment_amount: 85,
    })
    expect((await act('end')).body.sentences).toEqual([
      'The plan ends as if it had never started.',
      'Nothing more is due for this plan.',
      'The monthly fee of $85 still applies.',
    ])
    expect((await act('keep')).status).toBe(200)
    expect((await membership()).subscriptions[0]).toMatchObject({ state: 'coming', ends_on: null })
  })
})

describe('what is shown of a hold', () => {
  test('has the payment that the hold moves behind its last day', async () => {
    const { hold } = await startPlan(
      { price: 25, cycle_unit: 'week', cycle_count: 1 },
      '2027-04-01',
    )
    const form = { starts_on: '2027-04-01', ends_on: '2027-04-28', billing: 'free' }
    const { body } = await hold(form, true)
    expect(body.charges).toMatchObject([{ due_on: '2027-04-29', amount: 25 }])
    expect(body.sentences).not.toContain('Payments don’t change.')
  })

  test('says that an end which was asked for stays', async () => {
    const { act, hold } = await startPlan({ price: 93 }, '2027-03-01')
    await act('end', { last_day: '2027-05-31' })
    const form = { starts_on: '2027-04-01', ends_on: '2027-04-10', moves_end: true }
    expect((await hold(form, true)).body.sentences).toContain(
      'The plan still ends on May 31, as it was asked for.',
    )
  })

  test.each(['fee', 'full'])(
    'refuses %s without a plan, which would be dropped',
    async (billing) => {
      const { post, id } = await createPlanDojo(server, { monthly_payment_amount: 85 })
      const form = { starts_on: '2027-04-01', ends_on: '2027-04-30', kind: 'injury', billing }
      const { status, body } = await post(`/students/${id()}/holds`, { ...form, fee: 10 })
      expect(status).toBe(422)
      expect(body.errors).toMatchObject([{ field: 'billing' }])
    },
  )
})
