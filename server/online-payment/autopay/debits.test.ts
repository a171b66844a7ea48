import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { stripe, createAutopayer, createPayer, turnOnAutopay, setDay } = autopay
const { readHome, readTaken, clientOf, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

test('one debit takes the months of all children, after a notice three days before', async () => {
  const { liveThrough, ana, students, taken, notices, sensei } = await createAutopayer()
  expect(await liveThrough('2026-03-28')).toEqual([])
  const emails = await liveThrough('2026-03-29')
  expect(emails).toHaveLength(1)
  expect(emails[0]?.text).toContain('On April 1, autopay pays $175.00. This is the first payment.')
  expect(emails[0]?.text).toContain('Leo: April 2026: $95.00')
  expect(emails[0]?.text).toContain('https://tatami.example.org/pay/stop/')
  expect(await notices()).toMatchObject([{ amount: 17500, reason: 'first' }])
  expect(await liveThrough('2026-03-30')).toEqual([])
  expect(await taken()).toEqual([])
  await liveThrough('2026-04-01')
  expect(await taken()).toEqual([17500])
  await liveThrough('2026-04-01', 20)
  expect(await taken()).toEqual([17500])
  const balances = await Promise.all(students.map(({ id }) => autopay.balanceOf(sensei, id)))
  expect(balances).toEqual([0, 0])
  expect(await readHome(ana)).toMatchObject({
    owed: 0,
    payments: [{ amount: 175 }],
    autopay: { next: { on: '2026-05-01', amount: 175 } },
  })
  expect(stripe.violations).toEqual([])
})

test('whoever agrees three days before the first payment gets the notice at once', async () => {
  const { ana, sensei } = await createPayer('2026-03-29')
  await autopay.liveThrough('2026-03-29')
  setDay('2026-03-29', 20)
  await turnOnAutopay(ana, {})
  const client = await clientOf(ana)
  const readTitles = async () =>
    (await client.get('/notifications')).body.map(({ title }: { title: string }) => title)
  expect(await readTitles()).toEqual(['Coming autopay payment', 'Autopay is on'])
  for (const day of ['2026-03-30', '2026-03-31', '2026-04-01']) await autopay.liveThrough(day)
  expect(await readTitles()).toEqual(['Coming autopay payment', 'Autopay is on'])
  expect(await readTaken(sensei)).toHaveLength(1)
})

test('a payment above the payer’s limit is announced as one that will not be charged', async () => {
  const { liveThrough, taken } = await createAutopayer({ limit: 100 })
  const emails = await liveThrough('2026-03-29')
  expect(emails[0]?.text).toContain(
    'On April 1, you owe $175.00, which is more than your limit of $100.00. Unless you pay a ' +
      'part before, autopay charges nothing. You can raise the limit on your home page.',
  )
  const emailsOfDay = await liveThrough('2026-04-01')
  expect(emailsOfDay[0]?.text).toContain('more than the limit you set, so nothing was charged')
  expect(await taken()).toEqual([])
})

test('the same amount as last time needs no notice', async () => {
  const { liveThrough, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  await liveThrough('2026-04-01')
  expect(await liveThrough('2026-04-28')).toEqual([])
  await liveThrough('2026-05-01')
  expect(await taken()).toEqual([17500, 17500])
})

test('it runs at 10:00 of the school, not before', async () => {
  const { liveThrough, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  await liveThrough('2026-04-01', 14)
  expect(await taken()).toEqual([])
  await liveThrough('2026-04-01', 15)
  expect(await taken()).toEqual([17500])
})

test('the 31st is the last day of a shorter month', async () => {
  const { liveThrough, taken } = await createAutopayer({ day_of_month: 31 })
  await liveThrough('2026-03-28')
  await liveThrough('2026-03-31')
  expect(await taken()).toEqual([])
  await liveThrough('2026-04-27')
  await liveThrough('2026-04-30')
  expect(await taken()).toEqual([17500])
})

test('another amount than last time is announced three days before', async () => {
  const { liveThrough, students, sensei, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  await liveThrough('2026-04-01')
  const instructor = await clientOf(sensei)
  await instructor.post('/charges', {
    student_ids: [students[0]?.id],
    kind: 'equipment',
    amount: 20,
  })
  const emails = await liveThrough('2026-04-28')
  expect(emails[0]?.text).toContain('autopay pays $195.00. The amount differs from the last one.')
  await liveThrough('2026-05-01')
  expect(await taken()).toEqual([17500, 19500])
})

test('a charge that came after the notice waits for a notice of its own', async () => {
  const { liveThrough, students, sensei, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  const instructor = await clientOf(sensei)
  await instructor.post('/charges', {
    student_ids: [students[0]?.id],
    kind: 'equipment',
    amount: 20,
  })
  const emails = await liveThrough('2026-04-01')
  expect(await taken()).toEqual([])
  expect(emails[0]?.text).toContain('On April 4, autopay pays $195.00.')
  await liveThrough('2026-04-04')
  expect(await taken()).toEqual([19500])
})

test('a sum that grows after the notice is announced again, and waits for three days', async () => {
  const { liveThrough, students, sensei, taken, notices } = await createAutopayer()
  await liveThrough('2026-03-29')
  const instructor = await clientOf(sensei)
  const equipment = { student_ids: [students[0]?.id], kind: 'equipment', amount: 20 }
  expect((await instructor.post('/charges', equipment)).status).toBe(200)
  const emails = await liveThrough('2026-03-30')
  expect(emails[0]?.text).toContain('On April 2, autopay pays $195.00.')
  expect(await notices()).toMatchObject([{ amount: 17500 }, { amount: 19500 }])
  expect(await liveThrough('2026-03-31')).toEqual([])
  await liveThrough('2026-04-01')
  expect(await taken()).toEqual([])
  await liveThrough('2026-04-02')
  expect(await taken()).toEqual([19500])
})

test('credit lowers the payment that is announced, and what a pay link says is due', async () => {
  const { liveThrough, students, sensei, ana, taken } = await createAutopayer()
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(sensei)
  const leoId = students[0]?.id ?? ''
  expect((await autopay.payInCash(instructor, leoId, 30)).status).toBe(200)
  expect(await readHome(ana)).toMatchObject({ owed: 0, autopay: { next: { amount: 145 } } })
  const { body } = await instructor.post('/pay-links', { student_id: leoId })
  const { html } = await autopay.openPage(new URL(body.link).pathname)
  expect(html).toContain('$145.00 is due on April 1, 2026.')
  const emails = await liveThrough('2026-03-29')
  expect(emails[0]?.text).toContain('On April 1, autopay pays $145.00.')
  await liveThrough('2026-04-01')
  expect(await taken()).toEqual([14500])
})

describe('never takes', () => {
  test('what was paid in cash in the meantime', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    autopay.setDay('2026-04-01', 13)
    await autopay.payInCash(await clientOf(sensei), students[0]?.id ?? '', 95)
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([8000])
  })

  test('a month that is only marked unpaid after it was paid', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    const instructor = await clientOf(sensei)
    await instructor.post('/reset-monthly-payments', {})
    await liveThrough('2026-04-02')
    await liveThrough('2026-04-03')
    expect(await taken()).toEqual([17500])
    expect(students).toHaveLength(2)
  })

  test('what is promised, until that day', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    const instructor = await clientOf(sensei)
    const promise = { student_ids: [students[0]?.id], promised_on: '2026-04-10' }
    expect((await instructor.post('/payment-promises', promise)).status).toBe(200)
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([8000])
    await liveThrough('2026-04-09')
    expect(await taken()).toEqual([8000])
    const emails = await liveThrough('2026-04-10')
    expect(emails[0]?.text).toContain('On April 13, autopay pays $95.00')
    await liveThrough('2026-04-13')
    expect(await taken()).toEqual([8000, 9500])
  })

  test('for somebody on vacation, and nothing for the past afterward', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    const instructor = await clientOf(sensei)
    const vacation = {
      on_vacation: true,
      vacation_from: '2026-04-01',
      vacation_until: '2026-04-30',
    }
    const { status } = await instructor.put(`/students/${students[0]?.id}/vacation`, vacation)
    expect(status).toBe(200)
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([8000])
    await liveThrough('2026-04-28')
    await liveThrough('2026-05-01')
    expect(await taken()).toEqual([8000, 17500])
  })

  test('back what a vacation that was entered after the debit would have saved', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    const instructor = await clientOf(sensei)
    const vacation = {
      on_vacation: true,
      vacation_from: '2026-04-02',
      vacation_until: '2026-04-30',
    }
    const { status } = await instructor.put(`/students/${students[0]?.id}/vacation`, vacation)
    expect(status).toBe(200)
    await liveThrough('2026-04-03')
    expect(await taken()).toEqual([17500])
    expect(await autopay.balanceOf(sensei, students[0]?.id ?? '')).toBe(0)
    expect(autopay.store().refund.size).toBe(0)
  })

  test('for somebody on trial', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    await queryRows(
      sensei,
      `update students set is_trial = true where id = '${students[0]?.id}' returning id`,
    )
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([8000])
  })

  test('for somebody who has left, and ends with the last student', async () => {
    const { liveThrough, students, sensei, ana, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    const instructor = await clientOf(sensei)
    const leave = (id = '') =>
      instructor.post(`/students/${id}/leave`, { left_on: '2026-03-29', reason: 'schedule' })
    expect((await leave(students[0]?.id)).status).toBe(200)
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([8000])
    expect((await readHome(ana)).autopay).not.toBeNull()
    await leave(students[1]?.id)
    expect(await readHome(ana)).toMatchObject({ autopay: null, method: null })
  })

  test('for somebody whom another guardian pays for now', async () => {
    const { liveThrough, students, sensei, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    await autopay.server.createGuardian(sensei, [], {
      name: 'Ben Diaz',
      students: [{ student_id: students[0]?.id ?? '', relation: 'father', pays: true }],
    })
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([8000])
  })

  test('more than the limit that the payer set', async () => {
    const { liveThrough, ana, taken } = await createAutopayer({ limit: 100 })
    await liveThrough('2026-03-29')
    const emails = await liveThrough('2026-04-01')
    expect(await taken()).toEqual([])
    expect(emails[0]?.text).toContain('That is more than the limit you set')
    expect((await readHome(ana)).autopay).toMatchObject({
      trouble: 'over_limit',
      next: { amount: 0, owed: 350, is_over_limit: true },
    })
  })

  test('in a restored or copied database', async () => {
    const { liveThrough, sensei, taken } = await createAutopayer()
    await queryRows(sensei, "update stripe_accounts set server_identity = 'other' returning 1")
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([])
  })

  test('what the payer is paying in a checkout at this moment', async () => {
    const { liveThrough, ana, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    autopay.setDay('2026-04-01', 14)
    const { body } = await (await clientOf(ana)).post('/payer/pay', { amount: 175 })
    autopay.setDay('2026-04-01', 15)
    await liveThrough('2026-04-01', 15)
    expect(body.url).toBeTruthy()
    expect(await taken()).toEqual([])
    await liveThrough('2026-04-02')
    expect(await taken()).toEqual([17500])
  })
})

test('after days without a server, it takes the last debit day, and announces several months', async () => {
  const { liveThrough, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  // The server was off from March 30 to May 3.
  const emails = await liveThrough('2026-05-03')
  expect(await taken()).toEqual([])
  expect(emails[0]?.text).toContain('Leo: April 2026')
  expect(emails[0]?.text).toContain('Leo: May 2026')
  await liveThrough('2026-05-06')
  expect(await taken()).toEqual([35000])
})
