import { describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { approveHours, createStaffedDojo, enterHours, setRate } from '../../test/staff-hours.ts'
import { type ApiClient, startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()

const NOVEMBER = { from: '2026-11-01', until: '2026-11-20' }
type Person = ApiClient & { id: string }
type Hours = { day?: string; from?: string; until?: string; minutes?: number; task?: string }

/** Enters hours of a person, and approves them. */
async function enterApprovedHours(
  owner: ApiClient,
  person: ApiClient,
  hours: Hours,
): Promise<string> {
  const entries = await enterHours(person, hours)
  await approveHours(owner, entries)
  return entries.at(-1)?.id ?? ''
}
const readPay = async (manager: ApiClient, query: Record<string, string> = NOVEMBER) =>
  (await manager.get(`/pay?${new URLSearchParams(query)}`)).body
const readPersonPay = async (
  manager: ApiClient,
  { id }: Person,
  query?: Record<string, string>,
) => {
  const { people } = await readPay(manager, query)
  return people.find((person: { id: string }) => person.id === id)?.pay
}
const closePeriod = (manager: ApiClient, days: object = NOVEMBER) =>
  manager.post('/pay/periods', days)

describe('pay', () => {
  test('is the hours times the rate on that day', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await setRate(owner, desk.id, { amount: 20 })
    await setRate(owner, desk.id, { amount: 25.5, from: '2026-11-10' })
    await setRate(owner, desk.id, { task: 'Cleaning', amount: 12, from: '2026-11-01' })
    await enterApprovedHours(owner, desk, { day: '2026-11-09', minutes: 90 })
    await enterApprovedHours(owner, desk, { day: '2026-11-10', minutes: 60, task: 'desk' })
    await enterApprovedHours(owner, desk, { day: '2026-11-11', minutes: 30, task: 'Cleaning' })
    expect(await readPay(owner)).toMatchObject({
      people: [{ id: desk.id, name: 'Kim Park', minutes: 180, pay: 61.5, without_rate: 0 }],
      total: { minutes: 180, pay: 61.5 },
      lines: [
        { day: '2026-11-09', rate: 20, unit: 'hour', pay: 30, is_correction: false },
        { day: '2026-11-10', rate: 25.5, pay: 25.5 },
        { day: '2026-11-11', rate: 12, pay: 6 },
      ],
    })
  })

  test('rounds half a cent up', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await setRate(owner, desk.id, { amount: 10.1 })
    await enterApprovedHours(owner, desk, { day: '2026-11-09', minutes: 3 }) // 50.5 cents
    expect(await readPersonPay(owner, desk)).toBe(0.51)
    await enterApprovedHours(owner, desk, { day: '2026-11-10', minutes: 1 }) // 16.8 cents
    await enterApprovedHours(owner, desk, { day: '2026-11-11', minutes: 2 }) // 33.7 cents
    expect(await readPersonPay(owner, desk)).toBe(0.51 + 0.17 + 0.34)
  })

  test('counts a class past midnight once if it is per class', async () => {
    const { owner, coach } = await createStaffedDojo(server)
    await setRate(owner, coach.id, { task: 'Class', unit: 'class', amount: 30 })
    const entries = await enterHours(coach, {
      day: '2026-11-12',
      from: '23:00',
      until: '00:30',
      task: 'Class',
    })
    await approveHours(owner, entries)
    expect(await readPay(owner)).toMatchObject({ total: { minutes: 90, pay: 30 } })
  })

  test('counts only approved hours, and shows hours without a rate', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    const entries = await enterHours(desk, { day: '2026-11-09', minutes: 60 })
    expect(await readPay(owner)).toMatchObject({
      people: [],
      unapproved: [{ person_name: 'Kim Park', minutes: 60, may_approve: true }],
    })
    await approveHours(owner, entries)
    expect(await readPay(owner)).toMatchObject({
      people: [{ minutes: 60, pay: 0, without_rate: 1 }],
      unapproved: [],
    })
  })

  test('is hidden from staff who may not see money', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await setRate(owner, desk.id)
    await enterApprovedHours(owner, desk, { day: '2026-11-09', minutes: 60 })
    const manager = await server.createStaff(owner, { rights: ['staff'] })
    expect(await readPay(manager)).toMatchObject({
      people: [{ minutes: 60, pay: null, without_rate: 0 }],
      total: { minutes: 60, pay: null },
      lines: [{ pay: null, rate: null, unit: null }],
    })
    const bookkeeper = await server.createStaff(owner, { rights: ['students.read', 'money.see'] })
    expect([
      (await manager.get('/pay/rates')).status,
      (await closePeriod(manager)).status,
      (await manager.post('/pay/export', NOVEMBER)).status,
      (await bookkeeper.get('/pay')).status,
      (await bookkeeper.get('/pay/rates')).status,
    ]).toEqual([403, 403, 403, 403, 403])
  })
})

describe('a rate', () => {
  test('replaces a rate from the same day, and keeps earlier rates', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await setRate(owner, desk.id, { amount: 20 })
    await setRate(owner, desk.id, { amount: 21, task: 'DESK' })
    const { body } = await setRate(owner, desk.id, { amount: 22, from: '2026-06-01' })
    const { rates, people } = (await owner.get('/pay/rates')).body
    expect(rates).toMatchObject([{ amount: 22, from: '2026-06-01' }, { amount: 21 }])
    expect(people).toHaveLength(3)
    expect((await owner.delete(`/pay/rates/${body.rate.id}`)).status).toBe(200)
    expect((await owner.get('/pay/rates')).body.rates).toHaveLength(1)
  })

  test('can only be set for staff of this school', async () => {
    const { owner } = await createStaffedDojo(server)
    const otherDojo = await createStaffedDojo(server)
    expect((await setRate(owner, otherDojo.desk.id)).status).toBe(404)
  })
})

describe('a period', () => {
  test('is closed once, and the next one begins the day after', async () => {
    const { owner } = await createStaffedDojo(server)
    const replies = await Promise.all([closePeriod(owner), closePeriod(owner), closePeriod(owner)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
    setClock('2026-11-25T18:00:00Z')
    const latePeriod = await closePeriod(owner, { from: '2026-11-23', until: '2026-11-24' })
    expect(latePeriod).toMatchObject({
      status: 409,
      body: { detail: 'The next period begins on November 21, 2026.' },
    })
    expect(await closePeriod(owner, { from: '2026-11-21', until: '2026-11-26' })).toMatchObject({
      status: 409,
      body: { detail: 'This period is not over yet.' },
    })
    expect((await closePeriod(owner, { from: '2026-11-21', until: '2026-11-25' })).status).toBe(200)
    expect(await readPay(owner, {})).toMatchObject({
      from: '2026-11-26',
      until: '2026-11-30',
      next_from: '2026-11-26',
      periods: [{ from: '2026-11-21', closed_by: owner.name }, { from: '2026-11-01' }],
    })
  })

  test('keeps what it paid, and later changes become corrections', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await setRate(owner, desk.id, { amount: 20 })
    const changedId = await enterApprovedHours(owner, desk, { day: '2026-11-02', minutes: 60 })
    const removedId = await enterApprovedHours(owner, desk, { day: '2026-11-03', minutes: 60 })
    const movedId = await enterApprovedHours(owner, desk, { day: '2026-11-04', minutes: 60 })
    const { id } = (await closePeriod(owner)).body.period
    const longer = { day: '2026-11-02', minutes: 90, task: 'Desk' }
    await owner.put(`/staff-hours/${changedId}`, longer)
    await owner.delete(`/staff-hours/${removedId}`)
    setClock('2026-11-25T18:00:00Z')
    await owner.put(`/staff-hours/${movedId}`, { ...longer, day: '2026-11-24', minutes: 60 })
    await enterApprovedHours(owner, desk, { day: '2026-11-05', minutes: 30 })
    await enterApprovedHours(owner, desk, { day: '2026-11-23', minutes: 60 })

    expect(await readPay(owner, { period_id: id })).toMatchObject({
      closed_period: { id },
      total: { minutes: 180, pay: 60 },
    })
    const nextPeriod = await readPay(owner, { until: '2026-11-23' })
    const lines = nextPeriod.lines.map(
      (line: { day: string; minutes: number; pay: number; is_correction: boolean }) =>
        `${line.day} ${line.minutes} $${line.pay}${line.is_correction ? ' correction' : ''}`,
    )
    expect(lines).toEqual([
      '2026-11-02 30 $10 correction',
      '2026-11-03 -60 $-20 correction',
      '2026-11-04 -60 $-20 correction',
      '2026-11-05 30 $10 correction',
      '2026-11-23 60 $20',
    ])
    expect(nextPeriod.total).toEqual({ minutes: 0, pay: 0 })
    await closePeriod(owner, { from: '2026-11-21', until: '2026-11-23' })
    const lastPeriod = await readPay(owner, {})
    expect(lastPeriod.lines).toMatchObject([{ day: '2026-11-24', pay: 20, is_correction: false }])
  })

  test('corrects the pay if a rate changes for closed days', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await enterApprovedHours(owner, desk, { day: '2026-11-02', minutes: 60 })
    await closePeriod(owner)
    await setRate(owner, desk.id, { amount: 18 })
    expect(await readPay(owner, {})).toMatchObject({
      lines: [{ minutes: 0, pay: 18, rate: 18, is_correction: true }],
    })
  })

  test('does not pay hours from before the first period', async () => {
    const { owner, desk } = await createStaffedDojo(server)
    await setRate(owner, desk.id)
    await enterApprovedHours(owner, desk, { day: '2026-10-02', minutes: 60 })
    expect((await readPay(owner, {})).from).toBe('2026-10-02')
    await closePeriod(owner)
    expect((await readPay(owner, {})).lines).toEqual([])
  })
})

test('a download has a line for each entry, and no formulas', async () => {
  const { owner, desk } = await createStaffedDojo(server)
  await setRate(owner, desk.id, { task: '=1+1', amount: 20 })
  await enterApprovedHours(owner, desk, { day: '2026-11-02', minutes: 50, task: '=1+1' })
  await setRate(owner, desk.id, { task: 'Desk, "front"', amount: 10 })
  await enterApprovedHours(owner, desk, { day: '2026-11-03', minutes: 60, task: 'Desk, "front"' })
  const { body, headers } = await owner.post('/pay/export', NOVEMBER)
  expect(headers['content-disposition']).toContain('pay-2026-11-01-2026-11-20.csv')
  expect(String(body).trim().split('\r\n')).toEqual([
    'day,person_name,task,class_name,minutes,hours,rate,per,pay,correction,person_id',
    `2026-11-02,Kim Park,"'=1+1",,50,0.83,20.00,hour,16.67,no,${desk.id}`,
    `2026-11-03,Kim Park,"Desk, ""front""",,60,1.00,10.00,hour,10.00,no,${desk.id}`,
  ])
})
