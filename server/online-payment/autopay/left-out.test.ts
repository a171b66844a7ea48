import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { server, createAutopayer, readHome, clientOf, complete, payInCash, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

/** Ana's March was paid in cash. On March 12, Leo's March is marked unpaid. */
async function createPayerOfUnmarkedMonth() {
  const family = await createAutopayer()
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(family.sensei)
  const leoId = family.students[0]?.id ?? ''
  const mark = { student_id: leoId, payment_month: 2, payment_year: 2026 }
  const reply = await instructor.post('/payment-records', { ...mark, payment_status: 'unpaid' })
  expect(reply.status).toBe(200)
  const path = `/students/${leoId}/autopay`
  return { ...family, instructor, leoId, path }
}

const LEFT_OUT = [{ name: 'Leo: March 2026', amount: 95 }]

describe('a month that was paid in cash and then marked unpaid', () => {
  test('is left out of the next payment, on the home page and in the notice', async () => {
    const { ana, liveThrough, taken } = await createPayerOfUnmarkedMonth()
    expect(await readHome(ana)).toMatchObject({
      owed: 95,
      autopay: { next: { on: '2026-04-01', amount: 175 }, left_out: LEFT_OUT },
    })
    const emails = await liveThrough('2026-03-29')
    expect(emails[0]?.text).toContain('On April 1, autopay pays $175.00.')
    expect(emails[0]?.text).toContain(
      'Autopay leaves out what was paid before and is owed again. You can pay it on your home ' +
        'page:\nLeo: March 2026: $95.00',
    )
    await liveThrough('2026-04-01')
    await liveThrough('2026-05-01')
    expect(await taken()).toEqual([17500, 17500])
    expect(await readHome(ana)).toMatchObject({ owed: 95, autopay: { left_out: LEFT_OUT } })
  })

  test('is not announced on the pay page as something that autopay will pay', async () => {
    const { sensei, leoId, students } = await createPayerOfUnmarkedMonth()
    const instructor = await clientOf(sensei)
    const openLink = async () => {
      const { body } = await instructor.post('/pay-links', { student_id: leoId })
      return (await autopay.openPage(new URL(body.link).pathname)).html
    }
    const html = await openLink()
    expect(html).not.toContain('Autopay will pay this')
    expect(html).not.toContain('Set up autopay')
    await payInCash(instructor, leoId, 95)
    const equipment = { student_ids: [students[0]?.id], kind: 'equipment', amount: 20 }
    await instructor.post('/charges', equipment)
    expect(await openLink()).toContain('Autopay will pay this on April 1, 2026.')
  })

  test('is paid alone from home in one tap', async () => {
    const { ana, liveThrough, taken } = await createPayerOfUnmarkedMonth()
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01', 14)
    const client = await clientOf(ana)
    const wrongAmount = await client.post('/payer/pay', { amount: 270, is_left_out: true })
    expect([wrongAmount.status, wrongAmount.body.detail]).toEqual([
      409,
      'The amount has changed. Please look again.',
    ])
    const { body } = await client.post('/payer/pay', { amount: 95, is_left_out: true })
    await complete(body.url)
    expect(await readHome(ana)).toMatchObject({ owed: 175, autopay: { left_out: [] } })
    await liveThrough('2026-04-01', 15)
    expect(await taken()).toEqual([9500, 17500])
  })

  test('is taken after the school has allowed it in one tap, and after a notice', async () => {
    const { sensei, instructor, ana, leoId, path, liveThrough, taken } =
      await createPayerOfUnmarkedMonth()
    const { body } = await instructor.get(path)
    expect(body.payer.autopay).toMatchObject({ next_amount: 175, left_out: LEFT_OUT })
    const [{ charge_id }] = body.payer.autopay.left_out
    const reply = await instructor.post(`${path}/permissions`, { charge_id })
    expect(reply.body.payer.autopay).toMatchObject({ next_amount: 270, left_out: [] })
    expect(await readHome(ana)).toMatchObject({ autopay: { next: { amount: 270 }, left_out: [] } })
    const entries = await queryRows(
      sensei,
      `select subject_id from audit_log where dojo_id = '${sensei.dojoId}'
        and action = 'autopay allowed'`,
    )
    expect(entries).toEqual([{ subject_id: leoId }])
    const emails = await liveThrough('2026-03-29')
    expect(emails[0]?.text).toContain('autopay pays $270.00')
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([27000])
  })

  test('is left out again if it is paid and marked unpaid once more', async () => {
    const { sensei, instructor, ana, leoId, path } = await createPayerOfUnmarkedMonth()
    const { body } = await instructor.get(path)
    const [{ charge_id }] = body.payer.autopay.left_out
    await instructor.post(`${path}/permissions`, { charge_id })
    autopay.setDay('2026-03-13')
    expect((await payInCash(await clientOf(sensei), leoId, 95)).status).toBe(200)
    const mark = { student_id: leoId, payment_month: 2, payment_year: 2026 }
    await (await clientOf(sensei)).post('/payment-records', { ...mark, payment_status: 'unpaid' })
    expect(await readHome(ana)).toMatchObject({
      autopay: { next: { amount: 175 }, left_out: LEFT_OUT },
    })
  })

  test('is not left out anymore after the unmarking is undone', async () => {
    const { sensei, instructor, ana, leoId } = await createPayerOfUnmarkedMonth()
    const [act] = await queryRows(
      sensei,
      `select act_id from ledger_lines where student_id = '${leoId}' and reverses is not null`,
    )
    expect((await instructor.post(`/ledger-acts/${String(act?.['act_id'])}/undo`)).status).toBe(200)
    expect(await readHome(ana)).toMatchObject({ owed: 0, autopay: { left_out: [] } })
  })
})

test('the monthly reset charges nobody who had paid', async () => {
  const { sensei, ana, liveThrough, taken } = await createAutopayer()
  autopay.setDay('2026-03-12')
  expect((await (await clientOf(sensei)).post('/reset-monthly-payments', {})).status).toBe(200)
  expect(await readHome(ana)).toMatchObject({
    owed: 175,
    autopay: {
      next: { amount: 175 },
      left_out: [...LEFT_OUT, { name: 'Mia: March 2026', amount: 80 }],
    },
  })
  for (const day of ['2026-03-29', '2026-04-01', '2026-04-04']) await liveThrough(day)
  expect(await taken()).toEqual([17500])
})

test('a payment at the till that is undone is left out, too', async () => {
  const { sensei, ana, students } = await createAutopayer()
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(sensei)
  const equipment = { student_ids: [students[0]?.id], kind: 'equipment', amount: 20 }
  await instructor.post('/charges', equipment)
  const payment = await payInCash(instructor, students[0]?.id ?? '', 20)
  await instructor.post(`/ledger-acts/${String(payment.body.act_id)}/undo`)
  expect(await readHome(ana)).toMatchObject({
    autopay: { next: { amount: 175 }, left_out: [{ name: 'Leo: Equipment', amount: 20 }] },
  })
})

test('a charge that was never paid is not left out when its write-off is undone', async () => {
  const { sensei, ana, students } = await createAutopayer()
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(sensei)
  await instructor.post('/charges', {
    student_ids: [students[0]?.id],
    kind: 'equipment',
    amount: 20,
  })
  const [charge] = await queryRows(sensei, `select id from charges where kind = 'equipment'`)
  const writeOff = await instructor.post(`/charges/${String(charge?.['id'])}/write-off`, {
    amount: 20,
  })
  expect(writeOff.status).toBe(200)
  await instructor.post(`/ledger-acts/${String(writeOff.body.act_id)}/undo`)
  expect(await readHome(ana)).toMatchObject({ autopay: { next: { amount: 195 }, left_out: [] } })
})

test('staff without the right to see what is owed allow a charge, and read no amount', async () => {
  const { sensei, path, instructor } = await createPayerOfUnmarkedMonth()
  const desk = await server.createStaff(sensei, { rights: ['students.read', 'money.take'] })
  const { body } = await desk.get(path)
  const [{ charge_id, name, amount }] = body.payer.autopay.left_out
  expect([name, amount]).toEqual(['Leo: March 2026', null])
  const helper = await server.createStaff(sensei, { rights: ['students.read', 'money.see'] })
  expect((await helper.post(`${path}/permissions`, { charge_id })).status).toBe(403)
  expect((await desk.post(`${path}/permissions`, { charge_id })).status).toBe(200)
  const otherSensei = await server.createSensei()
  expect((await otherSensei.post(`${path}/permissions`, { charge_id })).status).toBe(404)
  const otherStudent = await server.createStudent(sensei, { name: 'Kim Lee' })
  const wrongPath = `/students/${otherStudent.id}/autopay/permissions`
  expect((await instructor.post(wrongPath, { charge_id })).status).toBe(404)
})
