import { addDays } from '@tatami/contract/lib/calendar-day'
import { asc } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { holds } from '../plans/tables.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { createPlan, insertSubscription } from '../test/plan-members.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
/** Noon in Chicago. */
const noonOf = (day: string) => `${day}T18:00:00Z`
const TODAY = '2026-03-20'
const throwError = (error: unknown) => {
  throw error
}

async function createMember(plan: Parameters<typeof createPlan>[1] = {}) {
  setClock(noonOf(TODAY))
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const subscribedPlan = await createPlan(sensei, {
    price: 96,
    hold_billing: 'prorated',
    ...plan,
  })
  const subscriptionId = await insertSubscription(server, sensei, {
    studentId: student.id,
    plan: subscribedPlan,
  })
  const path = `/students/${student.id}/holds`
  const newHold = (starts_on: string, ends_on: string | null, changes: object = {}) => ({
    ...{ starts_on, ends_on, kind: 'injury' },
    ...changes,
  })
  return {
    ...{ sensei, student, class_id, subscriptionId },
    newHold,
    preview: (...days: Parameters<typeof newHold>) =>
      sensei.post(`${path}/preview`, newHold(...days)),
    hold: (...days: Parameters<typeof newHold>) => sensei.post(path, newHold(...days)),
    vacation: async () => {
      const { vacation_from, vacation_until } = (await sensei.get(`/students/${student.id}`)).body
      const { on_vacation } = (await sensei.get('/students')).body[0]
      return [vacation_from, vacation_until, on_vacation]
    },
    setVacation: (vacation_from: string | null, vacation_until: string | null) =>
      sensei.put(`/students/${student.id}/vacation`, { vacation_from, vacation_until }),
    mark: (day: string) =>
      sensei.post('/attendance', {
        student_id: student.id,
        class_id,
        class_date: day,
        present: true,
      }),
    storedHolds: () => readHolds(sensei.dojoId),
  }
}

const readHolds = (dojoId: string) =>
  server.db.inDojo(dojoId, async (tx) => {
    const rows = await tx.select().from(holds).orderBy(asc(holds.starts_on))
    return rows.map(({ starts_on, ends_on, kind }) => [starts_on, ends_on, kind])
  })

async function runNightlyJobs(day: string) {
  setClock(noonOf(day))
  await runDueJobs(server.db, throwError)
}

describe('a hold that an instructor ended', () => {
  test('is taken up again, with its last day', async () => {
    const { hold, sensei, storedHolds } = await createMember()
    const { body } = await hold('2026-03-10', null, { ends_on_return: true })
    expect((await sensei.post(`/holds/${body.hold_id}/reopen`, {})).status).toBe(409)
    await sensei.post(`/holds/${body.hold_id}/end`, {})
    expect(await storedHolds()).toEqual([['2026-03-10', '2026-03-19', 'injury']])
    expect((await sensei.post(`/holds/${body.hold_id}/reopen`, {})).status).toBe(200)
    expect(await storedHolds()).toEqual([['2026-03-10', null, 'injury']])
  })
})

describe('a new hold', () => {
  test('shows what it changes before it is saved', async () => {
    const { preview, storedHolds } = await createMember()
    expect((await preview('2026-04-01', '2026-05-31')).body).toEqual({
      sentences: [
        'On hold from April 1 through May 31.',
        'The first payment after the hold is $96 on June 1.',
      ],
      charges: [
        { name: 'April 2026', due_on: '2026-04-01', amount: 0, reason: 'on hold' },
        { name: 'May 2026', due_on: '2026-05-01', amount: 0, reason: 'on hold' },
      ],
      last_day: null,
      last_sum: null,
    })
    expect(await storedHolds()).toEqual([])
  })

  test('is a vacation, too', async () => {
    const { hold, vacation } = await createMember()
    const { status, body } = await hold('2026-04-01', '2026-04-15')
    expect(status).toBe(200)
    expect(body).toMatchObject({ hold_id: expect.any(String), charges: [{ amount: 48 }] })
    expect(await vacation()).toEqual(['2026-04-01', '2026-04-15', false])
    await runNightlyJobs('2026-04-01')
    expect(await vacation()).toEqual(['2026-04-01', '2026-04-15', true])
    await runNightlyJobs('2026-04-16')
    expect(await vacation()).toEqual([null, null, false])
  })

  test('of one plan is no vacation', async () => {
    const { hold, vacation, subscriptionId } = await createMember()
    await hold(TODAY, null, { subscription_id: subscriptionId })
    expect(await vacation()).toEqual([null, null, false])
  })

  test('without a last day has no end', async () => {
    const { hold, vacation } = await createMember()
    const { body } = await hold(TODAY, null)
    expect(body.sentences).toEqual(['On hold from March 20 until you end it.'])
    expect(await vacation()).toEqual([TODAY, null, true])
  })

  test('moves the end of the plan by exactly its days', async () => {
    const { sensei, student, newHold } = await createMember()
    const term = await createPlan(sensei, {
      ...{ name: 'Weapons class', kind: 'term', minimum_months: 3, is_add_on: true },
    })
    await insertSubscription(
      server,
      sensei,
      { studentId: student.id, plan: term },
      { ends_on: '2026-06-30' },
    )
    const { body } = await sensei.post(
      `/students/${student.id}/holds/preview`,
      newHold('2026-04-01', '2026-04-10', { moves_end: true }),
    )
    expect(body.last_day).toBe('2026-07-10')
    expect(body.sentences).toContain('Weapons class ends on July 10 instead of June 30.')
  })

  test('costs what the plan says, or what the hold says', async () => {
    const { preview } = await createMember({ hold_billing: 'full' })
    expect((await preview('2026-04-01', '2026-04-30')).body.charges).toEqual([])
    const withFee = await preview('2026-04-01', '2026-04-30', { billing: 'fee', fee: 10 })
    expect(withFee.body.charges).toMatchObject([{ amount: 10 }])
    const feePlan = await createMember({ hold_fee: 15 })
    expect((await feePlan.preview('2026-04-01', '2026-04-30')).body.charges).toMatchObject([
      { amount: 15 },
    ])
  })

  test.each([
    ['2025-03-19', '2026-04-30', 422, 'A hold can start up to a year ago'],
    ['2026-04-02', '2026-04-01', 422, 'The hold must not end before it starts'],
  ])('from %s to %s is refused', async (starts_on, ends_on, status, detail) => {
    const { hold, preview, storedHolds } = await createMember()
    expect(await hold(starts_on, ends_on)).toMatchObject({ status, body: { detail } })
    expect(await preview(starts_on, ends_on)).toMatchObject({ status, body: { detail } })
    expect(await storedHolds()).toEqual([])
  })

  test('must not overlap another, but may touch it', async () => {
    const { hold, storedHolds, vacation } = await createMember()
    await hold('2026-03-25', '2026-03-31')
    expect(await hold('2026-03-31', null)).toMatchObject({
      status: 409,
      body: { detail: 'There is already a hold from March 25 through March 31' },
    })
    expect((await hold('2026-04-01', null)).status).toBe(200)
    expect(await storedHolds()).toHaveLength(2)
    await runNightlyJobs('2026-03-31')
    expect(await vacation()).toEqual(['2026-03-25', '2026-03-31', true])
    await runNightlyJobs('2026-04-01')
    expect(await vacation()).toEqual(['2026-04-01', null, true])
  })

  test('of another dojo’s plan or student is refused', async () => {
    const { hold, student } = await createMember()
    const otherMember = await createMember()
    const subscription_id = otherMember.subscriptionId
    expect((await hold('2026-04-01', null, { subscription_id })).status).toBe(404)
    const { status } = await otherMember.sensei.post(
      `/students/${student.id}/holds`,
      otherMember.newHold('2026-04-01', null),
    )
    expect(status).toBe(404)
  })
})

describe('the end of a hold', () => {
  const endOf = async (
    member: Awaited<ReturnType<typeof createMember>>,
    ends_on: string | null,
  ) => {
    const { hold_id } = (await member.hold('2026-03-10', null)).body
    return { hold_id, reply: await member.sensei.post(`/holds/${hold_id}/end`, { ends_on }) }
  }

  test('is yesterday, so that the student is back today', async () => {
    const member = await createMember()
    const { hold_id, reply } = await endOf(member, null)
    expect(reply.body).toMatchObject({
      hold_id,
      sentences: [
        'On hold from March 10 through March 19.',
        'The first payment after the hold is $65.03 on March 20.',
      ],
      charges: [
        { name: 'March 2026', amount: 65.03, reason: '21 of 31 days' },
        { name: 'April 2026', amount: 96 },
        { name: 'May 2026', amount: 96 },
        { name: 'June 2026', amount: 96 },
      ],
    })
    expect(await member.vacation()).toEqual([null, null, false])
    expect(await member.storedHolds()).toEqual([['2026-03-10', '2026-03-19', 'injury']])
    const secondReply = await member.sensei.post(`/holds/${hold_id}/end`, { ends_on: null })
    expect(secondReply.status).toBe(200)
    expect(await member.storedHolds()).toEqual([['2026-03-10', '2026-03-19', 'injury']])
  })

  test('can be a later day', async () => {
    const member = await createMember()
    await endOf(member, '2026-04-15')
    expect(await member.vacation()).toEqual(['2026-03-10', '2026-04-15', true])
  })

  test('is not before the start', async () => {
    const member = await createMember()
    const { reply } = await endOf(member, '2026-03-09')
    expect(reply).toMatchObject({ status: 422 })
  })

  test('of one that has not started is refused', async () => {
    const { hold, sensei, storedHolds } = await createMember()
    const { hold_id } = (await hold('2026-04-01', null)).body
    expect(await sensei.post(`/holds/${hold_id}/end`, { ends_on: null })).toMatchObject({
      status: 409,
      body: { detail: 'This hold has not started. Delete it instead.' },
    })
    expect((await sensei.delete(`/holds/${hold_id}`)).status).toBe(200)
    expect(await storedHolds()).toEqual([])
  })
})

test('deleting a hold takes the vacation back', async () => {
  const { hold, sensei, vacation } = await createMember()
  const { hold_id } = (await hold('2026-03-10', '2026-04-20')).body
  expect((await sensei.delete(`/holds/${hold_id}`)).status).toBe(200)
  expect(await vacation()).toEqual([null, null, false])
})

describe('a month that is paid', () => {
  const payMarch = async () => {
    const member = await createMember()
    const { sensei, student } = member
    const { status } = await sensei.post('/payments', {
      ...{ student_id: student.id, amount: 96, method: 'cash' },
      toward: { month: 2, year: 2026 },
    })
    expect(status).toBe(200)
    const credit = async () => (await sensei.get(`/students/${student.id}/account`)).body.credit
    return { ...member, credit }
  }

  test('gives back the days on hold as credit, and takes them back', async () => {
    const { sensei, hold, credit } = await payMarch()
    const { hold_id } = (await hold('2026-03-10', '2026-03-19')).body
    expect(await credit()).toBe(30.97)
    await sensei.delete(`/holds/${hold_id}`)
    expect(await credit()).toBe(0)
  })

  test('gives back the days of a vacation, too', async () => {
    const { setVacation, credit } = await payMarch()
    await setVacation('2026-03-22', null)
    expect(await credit()).toBe(30.97)
    await setVacation(null, null)
    expect(await credit()).toBe(0)
  })
})

describe('a hold in a month that was paid, which ends with a mark', () => {
  /** March is paid except for March 10 to 31. */
  const payHeldMarch = async () => {
    const member = await createMember()
    const { sensei, student, hold } = member
    const hold_id = (await hold('2026-03-10', '2026-04-20', { ends_on_return: true })).body.hold_id
    await sensei.post('/payments', {
      ...{ student_id: student.id, amount: 27.87, method: 'cash' },
      toward: { month: 2, year: 2026 },
    })
    const balances = async () => (await sensei.get('/payment-balances')).body
    return { ...member, hold_id, balances }
  }

  test('charges the days since then, and gives them back if that is undone', async () => {
    const { sensei, mark, hold_id, balances } = await payHeldMarch()
    expect(await balances()).toEqual([])
    await mark('2026-03-20')
    expect(await balances()).toMatchObject([{ owed: 37.16, credit: 0 }])
    await sensei.post(`/holds/${hold_id}/reopen`)
    expect(await balances()).toEqual([])
  })

  test('charges them also if a coach who sees only the own class makes the mark', async () => {
    const { sensei, student, class_id, balances } = await payHeldMarch()
    const coach = await server.createStaff(sensei, { rights: ['roll'], class_ids: [class_id] })
    const { status } = await coach.post('/attendance', {
      ...{ student_id: student.id, class_id, class_date: '2026-03-20', present: true },
    })
    expect(status).toBe(200)
    expect(await balances()).toMatchObject([{ owed: 37.16, credit: 0 }])
  })
})

describe('a vacation of a student with a plan', () => {
  test('is a hold, which follows it', async () => {
    const { setVacation, storedHolds } = await createMember()
    await setVacation('2026-03-18', null)
    expect(await storedHolds()).toEqual([['2026-03-18', null, 'vacation']])
    await setVacation('2026-03-18', '2026-04-02')
    expect(await storedHolds()).toEqual([['2026-03-18', '2026-04-02', 'vacation']])
    await setVacation(null, null)
    expect(await storedHolds()).toEqual([['2026-03-18', '2026-03-19', 'vacation']])
  })

  test('that is planned after another has started is a hold of its own', async () => {
    const { setVacation, storedHolds } = await createMember()
    await setVacation('2026-03-18', null)
    await setVacation('2026-07-01', '2026-07-31')
    expect(await storedHolds()).toEqual([
      ['2026-03-18', '2026-03-19', 'vacation'],
      ['2026-07-01', '2026-07-31', 'vacation'],
    ])
    await setVacation(null, null)
    expect(await storedHolds()).toEqual([['2026-03-18', '2026-03-19', 'vacation']])
  })

  test('that is switched on and off in the form is a hold', async () => {
    const { sensei, student, storedHolds } = await createMember()
    const edit = (on_vacation: boolean) =>
      sensei.put(
        `/students/${student.id}`,
        exampleStudent({ ...student, monthly_payment_amount: 96, on_vacation }),
      )
    expect((await edit(true)).status).toBe(200)
    expect(await storedHolds()).toEqual([[TODAY, null, 'vacation']])
    setClock(noonOf('2026-03-25'))
    await edit(false)
    expect(await storedHolds()).toEqual([[TODAY, '2026-03-24', 'vacation']])
  })

  test('ends when the student leaves', async () => {
    const { sensei, student, setVacation, hold, storedHolds } = await createMember()
    await setVacation('2026-03-10', null)
    await sensei.post(`/students/${student.id}/leave`, { left_on: TODAY, reason: 'moved_away' })
    expect(await storedHolds()).toEqual([['2026-03-10', TODAY, 'vacation']])
    expect((await hold('2026-04-01', null)).status).toBe(409)
  })

  test('of a student without a plan has no hold', async () => {
    setClock(noonOf(TODAY))
    const sensei = await server.createSensei()
    const student = await server.createStudent(sensei)
    await sensei.put(`/students/${student.id}/vacation`, {
      vacation_from: TODAY,
      vacation_until: null,
    })
    expect(await readHolds(sensei.dojoId)).toEqual([])
  })
})

describe('a hold that ends on return', () => {
  const createAbsentMember = async () => {
    const member = await createMember()
    const { hold_id } = (await member.hold('2026-03-10', '2026-04-20', { ends_on_return: true }))
      .body
    return { ...member, hold_id }
  }

  test('ends with the first mark, and staff are told', async () => {
    const { sensei, mark, storedHolds, vacation } = await createAbsentMember()
    await mark('2026-03-20')
    expect(await storedHolds()).toEqual([['2026-03-10', '2026-03-19', 'injury']])
    expect(await vacation()).toEqual([null, null, false])
    const { body } = await sensei.get('/notifications')
    expect(body[0]).toMatchObject({
      title: 'Ken Adams is back',
      message:
        'The hold (injury) ended on March 19, because Ken was marked present. If that is wrong, ' +
        'put the student on hold again.',
    })
    await mark('2026-03-21')
    expect((await sensei.get('/notifications')).body).toHaveLength(1)
  })

  test('can be taken back', async () => {
    const { sensei, mark, storedHolds, vacation, hold_id } = await createAbsentMember()
    expect((await sensei.post(`/holds/${hold_id}/reopen`)).status).toBe(409)
    await mark('2026-03-20')
    expect((await sensei.post(`/holds/${hold_id}/reopen`)).status).toBe(200)
    expect(await storedHolds()).toEqual([['2026-03-10', '2026-04-20', 'injury']])
    expect(await vacation()).toEqual(['2026-03-10', '2026-04-20', true])
    await mark(addDays(TODAY, 1))
    expect(await storedHolds()).toEqual([['2026-03-10', '2026-04-20', 'injury']])
  })

  test('continues if it does not end on return, or the student is absent', async () => {
    const { hold, mark, storedHolds } = await createMember()
    await hold('2026-03-10', null)
    await mark('2026-03-20')
    expect(await storedHolds()).toEqual([['2026-03-10', null, 'injury']])
  })
})
