import { asc } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { holds } from '../plans/tables.ts'
import { APRIL, chargeRows, MARCH } from '../test/ledger-dojo.ts'
import { createPlanDojo } from '../test/plan-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

/** A member for $93 a month, who is injured for some days in April. Today is March 10. */
async function createInjuredMember(firstDay = '2027-04-01', lastDay: string | null = '2027-04-20') {
  const dojo = await createPlanDojo(server, { monthly_payment_amount: 0 })
  const { id, put, post, get, sensei } = dojo
  await dojo.start(await dojo.addPlan({ price: 93 }), '2027-03-01')
  const injury = { starts_on: firstDay, ends_on: lastDay, kind: 'injury', billing: 'free' }
  expect((await post(`/students/${id()}/holds`, injury)).status).toBe(200)
  const setVacation = (vacation_from: string | null, vacation_until: string | null) =>
    put(`/students/${id()}/vacation`, { vacation_from, vacation_until })
  const previewVacation = (starts_on: string, ends_on: string, changes_vacation: boolean) =>
    post(`/students/${id()}/holds/preview`, {
      ...{ starts_on, ends_on, kind: 'vacation', changes_vacation },
    })
  const switchVacation = async (on_vacation: boolean) => {
    const { student } = (await get(`/students/${id()}`)).body
    return put(`/students/${id()}`, { ...student, on_vacation })
  }
  const vacation = async () => {
    const { vacation_from, vacation_until, student } = (await get(`/students/${id()}`)).body
    return [vacation_from, vacation_until, student.on_vacation]
  }
  const storedHolds = () =>
    server.db.inDojo(sensei.dojoId, async (tx) => {
      const rows = await tx.select().from(holds).orderBy(asc(holds.starts_on))
      return rows.map(({ starts_on, ends_on, kind }) => [starts_on, ends_on, kind])
    })
  return { ...dojo, setVacation, previewVacation, switchVacation, vacation, storedHolds }
}

const INJURY = ['2027-04-01', '2027-04-20', 'injury']

describe('a vacation beside a hold of another kind', () => {
  test('is a hold of its own, and changes nothing of the other', async () => {
    const { setVacation, storedHolds, moveClockTo, account, vacation } = await createInjuredMember()
    const { status, body } = await setVacation('2027-05-05', '2027-05-10')
    expect(status).toBe(200)
    // The hold that comes first is shown as the vacation of the student.
    expect(body).toEqual({
      ...{ vacation_from: '2027-04-01', vacation_until: '2027-04-20', on_vacation: false },
    })
    expect(await storedHolds()).toEqual([INJURY, ['2027-05-05', '2027-05-10', 'vacation']])
    await moveClockTo('2027-04-02T18:00:00Z')
    expect(await vacation()).toEqual(['2027-04-01', '2027-04-20', true])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect(await vacation()).toEqual(['2027-05-05', '2027-05-10', false])
    expect(chargeRows(await account()).slice(0, 2)).toEqual([
      [MARCH, 93, 93],
      [APRIL, 31, 31],
    ])
  })

  test('is saved once, and can be cancelled', async () => {
    const { setVacation, storedHolds } = await createInjuredMember()
    await setVacation('2027-05-05', '2027-05-10')
    expect((await setVacation('2027-05-05', '2027-05-10')).status).toBe(200)
    expect(await storedHolds()).toHaveLength(2)
    expect((await setVacation(null, null)).status).toBe(200)
    expect(await storedHolds()).toEqual([INJURY])
    expect(await setVacation(null, null)).toMatchObject({
      status: 409,
      body: {
        detail:
          'There is no vacation, but a hold (injury) from April 1. Delete it on the Membership card.',
      },
    })
    expect(await storedHolds()).toEqual([INJURY])
  })

  test.each([
    ['2027-04-15', '2027-05-10'],
    ['2027-03-20', null],
  ])('from %s until %s is refused, because they overlap', async (firstDay, lastDay) => {
    const { setVacation, storedHolds, vacation } = await createInjuredMember()
    expect(await setVacation(firstDay, lastDay)).toMatchObject({
      status: 409,
      body: { detail: 'There is already a hold from April 1 through April 20' },
    })
    expect(await storedHolds()).toEqual([INJURY])
    expect(await vacation()).toEqual(['2027-04-01', '2027-04-20', false])
  })

  test('changes nothing if it has the days of the other', async () => {
    const { setVacation, storedHolds } = await createInjuredMember()
    expect((await setVacation('2027-04-01', '2027-04-20')).status).toBe(200)
    expect(await storedHolds()).toEqual([INJURY])
  })

  test.each([true, false])('is previewed with what it costs (changes: %s)', async (changes) => {
    const { previewVacation } = await createInjuredMember()
    const { body } = await previewVacation('2027-05-01', '2027-05-31', changes)
    expect(body.charges).toMatchObject([{ name: 'May 2027', amount: 0 }])
  })

  test('is recorded as a second hold while the first one continues', async () => {
    const { setVacation, storedHolds, vacation, moveClockTo } = await createInjuredMember()
    await moveClockTo('2027-04-05T18:00:00Z')
    await setVacation('2027-05-05', '2027-05-10')
    expect(await storedHolds()).toEqual([INJURY, ['2027-05-05', '2027-05-10', 'vacation']])
    expect(await vacation()).toEqual(['2027-04-01', '2027-04-20', true])
  })
})

describe('a vacation that is cancelled', () => {
  test('leaves the hold of another kind that is on', async () => {
    const { setVacation, storedHolds, vacation, moveClockTo } = await createInjuredMember()
    await moveClockTo('2027-04-05T18:00:00Z')
    await setVacation('2027-05-05', '2027-05-10')
    expect((await setVacation(null, null)).status).toBe(200)
    expect(await storedHolds()).toEqual([INJURY])
    expect(await vacation()).toEqual(['2027-04-01', '2027-04-20', true])
  })
})

describe('on_vacation of a student with a hold of another kind', () => {
  test('starts a vacation today, which ends before the hold starts', async () => {
    const { switchVacation, storedHolds, vacation } = await createInjuredMember()
    expect((await switchVacation(true)).status).toBe(200)
    expect(await vacation()).toEqual(['2027-03-10', '2027-03-31', true])
    expect(await storedHolds()).toEqual([['2027-03-10', '2027-03-31', 'vacation'], INJURY])
  })

  test('ends the hold that is on, and leaves a vacation to come', async () => {
    const { switchVacation, setVacation, storedHolds, moveClockTo } = await createInjuredMember()
    await moveClockTo('2027-04-05T18:00:00Z')
    await setVacation('2027-05-05', '2027-05-10')
    expect((await switchVacation(false)).status).toBe(200)
    expect(await storedHolds()).toEqual([
      ['2027-04-01', '2027-04-04', 'injury'],
      ['2027-05-05', '2027-05-10', 'vacation'],
    ])
  })

  test('ends a hold without a last day that is on', async () => {
    const { switchVacation, storedHolds, vacation } = await createInjuredMember('2027-03-01', null)
    expect(await vacation()).toEqual(['2027-03-01', null, true])
    expect((await switchVacation(false)).status).toBe(200)
    expect(await vacation()).toEqual([null, null, false])
    expect(await storedHolds()).toEqual([['2027-03-01', '2027-03-09', 'injury']])
  })
})
