import type { ActPreview } from '@tatami/contract/memberships/act-preview'
import { describe, expect, test } from 'vitest'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const NEW_STUDENT = { monthly_payment_amount: 0 }
const FREE = { kind: 'injury', billing: 'free' }

/** Today is March 10, 2027. The student pays $100 a month. */
async function createMember(plan: object = {}) {
  const dojo = await createPlanDojo(server, NEW_STUDENT, NEW_STUDENT)
  const { addPlan, start, post, put, id } = dojo
  await start(await addPlan({ name: 'Kids', price: 100, ...plan }), '2027-03-01')
  const preview = async (form: object): Promise<ActPreview> =>
    (await post(`/students/${id()}/holds/preview`, { ...FREE, ...form })).body
  return {
    ...dojo,
    preview,
    hold: (form: object) => post(`/students/${id()}/holds`, { ...FREE, ...form }),
    setVacation: (vacation_from: string, vacation_until: string | null) =>
      put(`/students/${id()}/vacation`, { vacation_from, vacation_until }),
    amounts: async () =>
      (await dojo.account()).charges.map(({ charged_on, amount }) => [charged_on, amount]),
  }
}
const sumsOf = ({ charges }: ActPreview) => charges.map(({ due_on, amount }) => [due_on, amount])

describe('the preview of a hold', () => {
  test('has the sums that will be charged, with added tax', async () => {
    const { preview, hold, put, moveClockTo, amounts } = await createMember()
    const tax = { kind: 'month', percent: 10, is_added: true, starts_on: '2027-01-01' }
    await put('/sales-taxes', { taxes: [{ ...tax, ends_on: null }] })
    const days = { starts_on: '2027-04-16', ends_on: '2027-05-31' }
    const sums = await preview(days)
    expect(sums.sentences).toEqual([
      'On hold from April 16 through May 31.',
      'The first payment after the hold is $110 on June 1.',
    ])
    expect(sumsOf(sums)).toEqual([
      ['2027-04-01', 55],
      ['2027-05-01', 0],
    ])
    expect((await hold(days)).body).toMatchObject(sums)
    await moveClockTo('2027-07-02T18:00:00Z')
    expect((await amounts()).slice(1, 3)).toEqual([
      ['2027-04-01', 55],
      ['2027-06-01', 110],
    ])
  })

  test('has what a hold that is over changes on this month', async () => {
    const { preview, hold, amounts } = await createMember()
    const days = { starts_on: '2027-03-02', ends_on: '2027-03-05' }
    const sums = await preview(days)
    expect(sums.sentences).not.toContain('Payments don’t change.')
    expect(sums.charges).toMatchObject([{ name: 'March 2027', amount: 87.1 }])
    expect((await hold(days)).body).toMatchObject(sums)
    expect((await amounts()).map(([, amount]) => amount)).toEqual([87.1])
  })

  test('has family discounts', async () => {
    const { sensei, students, put, addPlan, start, preview } = await createMember()
    await put('/sibling-prices', {
      ...{ ordered_by: 'highest_fee', prices: [{ nth: 2, percent: 10 }] },
    })
    await server.createGuardian(sensei, students, {
      students: students.map((student) => ({ student_id: student.id, pays: true })),
    })
    await start(await addPlan({ price: 120 }), '2027-03-01', {}, 1)
    const sums = await preview({ starts_on: '2027-04-01', ends_on: '2027-04-15' })
    expect(sumsOf(sums)).toEqual([['2027-04-01', 45]])
    expect(sums.sentences).toContain('The first payment after the hold is $90 on May 1.')
  })

  test('says what becomes credit, and changes nothing', async () => {
    const { preview, mark, account } = await createMember({ price: 93 })
    await mark('paid')
    const { sentences } = await preview({ starts_on: '2027-03-12', ends_on: '2027-03-21' })
    expect(sentences).toContain('$30 already paid becomes credit.')
    expect((await account()).credit).toBe(0)
  })

  test('names each plan, and a later end', async () => {
    const { preview, addPlan, start } = await createMember()
    const term = { name: 'Weapons', kind: 'term', price: 31, minimum_months: 3, is_add_on: true }
    await start(await addPlan(term), '2027-03-01')
    const days = { starts_on: '2027-04-01', ends_on: '2027-04-10', moves_end: true }
    const { sentences, last_day } = await preview(days)
    expect(sentences).toEqual([
      'On hold from April 1 through April 10.',
      'The first payment after the hold for Kids is $100 on May 1.',
      'The first payment after the hold for Weapons is $31 on May 1.',
      'Weapons ends on June 10 instead of May 31.',
    ])
    expect(last_day).toBe('2027-06-10')
  })

  test('of the full price says that payments stay the same', async () => {
    const { preview } = await createMember()
    const { sentences, charges } = await preview({
      ...{ starts_on: '2027-04-01', ends_on: null, billing: 'full' },
    })
    expect(sentences).toEqual(['On hold from April 1 until you end it.', 'Payments don’t change.'])
    expect(charges).toEqual([])
  })
})

describe('the preview of other days of a vacation', () => {
  test('has the sums that the change then makes', async () => {
    const { preview, setVacation, moveClockTo, amounts } = await createMember()
    await setVacation('2027-03-20', null)
    await moveClockTo('2027-06-08T18:00:00Z')
    const change = { ...FREE, kind: 'vacation', changes_vacation: true }
    const sums = await preview({ ...change, starts_on: '2027-05-16', ends_on: '2027-07-15' })
    expect(sums.sentences).toEqual([
      'On hold from May 16 through July 15.',
      'The first payment after the hold is $100 on August 1.',
      '$38.71 is added to earlier charges.',
      '$148.39 is charged for the time before.',
    ])
    expect(sumsOf(sums)).toContainEqual(['2027-07-01', 51.61])
    expect((await setVacation('2027-05-16', '2027-07-15')).status).toBe(200)
    expect((await amounts()).slice(0, 3)).toEqual([
      ['2027-03-10', 100],
      ['2027-04-01', 100],
      ['2027-05-01', 48.39],
    ])
  })

  test('is refused for days that are over', async () => {
    const { post, id } = await createMember()
    const form = { starts_on: '2027-03-01', ends_on: '2027-03-09', kind: 'vacation' }
    const reply = await post(`/students/${id()}/holds/preview`, {
      ...{ ...form, changes_vacation: true },
    })
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      'The last day of the vacation must not be before today.',
    ])
  })
})
