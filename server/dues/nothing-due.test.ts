import { expect, test } from 'vitest'
import { unzipTexts } from '../test/files.ts'
import { createLedgerDojo, APRIL, FEBRUARY, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = (...people: object[]) => createLedgerDojo(server, ...people)
const FEE_TEXT = {
  message_type: 'monthly_fee',
  selected_month: MARCH,
  selected_year: 2027,
  exclude_paid_students: true,
}

type Preview = { students: { name: string; reason: string | null; amount: number | null }[] }
const reasonsOf = ({ students }: Preview) => students.map(({ name, reason }) => [name, reason])

test('does not count students who owe nothing as yet to pay', async () => {
  const { dues, id, statistics } = await createDojo(
    { name: 'Ana Fee' },
    { name: 'Ben Free', monthly_payment_amount: 0 },
    { name: 'Cal Trial', is_trial: true },
    { name: 'Dan Sibling', monthly_payment_amount: 10 },
    { name: 'Eva Sibling', monthly_payment_amount: 90 },
  )
  expect((await dues()).map(({ student_id }) => student_id)).toEqual([id(0), id(3), id(4)])
  expect(await statistics()).toEqual({
    total_monthly_paying_students: 4,
    total_paid_this_month: 0,
    total_yet_to_pay: 3,
    monthly_revenue: 0,
    revenue_of_deleted_students: 0,
  })
})

test('does not ask a sibling whose price is $0 to pay', async () => {
  const { dues, id, put, sensei, statistics } = await createDojo({}, { monthly_payment_amount: 10 })
  await server.createGuardian(sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: [id(0), id(1)].map((student_id) => ({ student_id, pays: true, sees_fees: true })),
  })
  const prices = [{ nth: 2, percent: null, amount_off: 15 }]
  await put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  expect((await dues()).map(({ student_id }) => student_id)).toEqual([id(0)])
  expect(await statistics()).toMatchObject({ total_yet_to_pay: 1 })
})

test('asks for no payment for months before enrollment or before the ledger began', async () => {
  const { dues, moveClockTo, statistics } = await createDojo({})
  expect([await dues(FEBRUARY), (await statistics(FEBRUARY)).total_yet_to_pay]).toEqual([[], 0])
  expect((await statistics(APRIL)).total_yet_to_pay).toBe(1)
  await moveClockTo('2027-04-10T18:00:00Z')
  expect((await statistics(MARCH)).total_yet_to_pay).toBe(1)
})

test('sends no fee text, reminder or notice to students who owe nothing', async () => {
  const { moveClockTo, id, post, get } = await createDojo(
    { name: 'Ana Fee' },
    { name: 'Ben Free', monthly_payment_amount: 0 },
    { name: 'Cal Trial', is_trial: true },
  )
  await moveClockTo('2027-03-11T18:00:00Z')
  const preview = (await post('/sms/preview', { ...FEE_TEXT, custom_message: 'Hi {name}' })).body
  expect(reasonsOf(preview)).toEqual([
    ['Ana Fee', null],
    ['Ben Free', 'owes_nothing'],
    ['Cal Trial', 'trial'],
  ])
  const lateFeeText = { ...FEE_TEXT, message_type: 'late_fee', custom_message: 'Hi {name}' }
  const sentReply = await post('/sms/send-bulk-message', lateFeeText)
  expect(sentReply.body).toMatchObject({ success_count: 1, total_recipients: 1 })
  const februaryText = { ...lateFeeText, selected_month: FEBRUARY }
  expect((await post('/sms/send-bulk-message', februaryText)).body.total_recipients).toBe(0)
  const textToAll = { ...februaryText, message_type: 'monthly_fee', exclude_paid_students: false }
  expect((await post('/sms/send-bulk-message', textToAll)).body.total_recipients).toBe(1)
  for (const reminder of ['pre', 'on', 'post'])
    expect((await post(`/sms/send-${reminder}-due-reminder`)).body.total_recipients).toBe(1)
  await post('/notifications/send-fee-reminder', { custom_message: 'Please pay' })
  const bensClient = await server.signIn((await get(`/students/${id(1)}`)).body.student.email)
  expect((await bensClient.get('/announcements')).body).toEqual([])
})

test('texts only what is left to pay, and nothing if credit pays the month', async () => {
  const { id, get, pay, post, put } = await createDojo(
    { name: 'Ana Part' },
    { name: 'Ben Credit', is_trial: true },
  )
  await pay(30)
  await pay(150, {}, 1)
  const { student } = (await get(`/students/${id(1)}`)).body
  await put(`/students/${id(1)}`, { ...student, is_trial: false })
  const preview: Preview = (
    await post('/sms/preview', { ...FEE_TEXT, custom_message: 'Hi {name}, {amount}' })
  ).body
  expect(preview.students).toMatchObject([
    { name: 'Ana Part', reason: null, amount: 70 },
    { name: 'Ben Credit', reason: 'owes_nothing' },
  ])
})

test('counts a partial payment as revenue of its month', async () => {
  const { dues, pay, statistics } = await createDojo({ monthly_payment_amount: 95 })
  await pay(50)
  expect(await statistics()).toMatchObject({ total_yet_to_pay: 1, monthly_revenue: 50 })
  expect(await dues()).toMatchObject([{ cost: 95, received: 50, owed: 45 }])
  await pay(45)
  expect(await statistics()).toMatchObject({ total_paid_this_month: 1, monthly_revenue: 95 })
})

test('shows a month marked paid with $0 as nothing due', async () => {
  const dojo = await createDojo(
    { name: 'Ana Free', monthly_payment_amount: 0 },
    { name: 'Ben Waived', monthly_payment_amount: 80 },
    { name: 'Cal Paid', monthly_payment_amount: 0 },
  )
  const markedReply = await dojo.mark('paid', { monthly_payment_amount: 0 })
  expect(markedReply.body).toMatchObject({ payment_status: 'paid', monthly_payment_amount: 0 })
  await dojo.mark('paid', { monthly_payment_amount: 0 }, 1)
  await dojo.mark('paid', { monthly_payment_amount: 20 }, 2)
  expect(await dojo.statistics()).toMatchObject({
    total_paid_this_month: 1,
    total_yet_to_pay: 0,
    monthly_revenue: 20,
  })
  const students = (await dojo.get('/students')).body as {
    name: string
    current_month_paid: boolean
  }[]
  expect(students.map(({ name, current_month_paid }) => [name, current_month_paid])).toEqual([
    ['Ana Free', false],
    ['Ben Waived', false],
    ['Cal Paid', true],
  ])
  const preview = (await dojo.post('/sms/preview', { ...FEE_TEXT, custom_message: 'Hi {name}' }))
    .body
  expect(reasonsOf(preview)).toEqual([
    ['Ana Free', 'owes_nothing'],
    ['Ben Waived', 'owes_nothing'],
    ['Cal Paid', 'paid'],
  ])
  const csv = (await dojo.post('/export/payments')).body.toString() as string
  expect(csv.match(/,(paid|unpaid|nothing_due),/g)).toEqual([
    ',nothing_due,',
    ',nothing_due,',
    ',paid,',
  ])
  const zip = (await dojo.post(`/students/${dojo.id(1)}/export`)).body as Buffer
  expect(unzipTexts(zip)['payments.csv']).toContain('2027-03,nothing_due,0.00')
  const guardian = await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: [{ student_id: dojo.id(1), pays: true, sees_fees: true }],
  })
  const home = (await (await server.signIn(guardian.email)).get('/family/home')).body
  expect(home.children[0].fees).toMatchObject({ is_paid: false, paid: 0, owed: 0 })
  // Without the mark, the month costs the fee again.
  await dojo.mark('unpaid', {}, 1)
  expect(await dojo.statistics()).toMatchObject({ total_yet_to_pay: 1 })
})
