import { expect, test } from 'vitest'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('says what is left of a month that was paid in part, which is what Mark Paid takes', async () => {
  const sensei = await server.createSensei()
  const form = exampleStudent({ class_preferences: ['saturday'], monthly_payment_amount: 85.5 })
  const { id: student_id } = (await sensei.post('/students', form)).body.student
  const balances = async (query = '') => (await sensei.get(`/payment-balances${query}`)).body
  expect(await balances()).toMatchObject([{ student_id, owed: 85.5, month_owed: null }])
  await sensei.post('/charges', {
    student_ids: [student_id],
    kind: 'equipment',
    amount: 100,
    charged_on: '2020-01-10',
  })
  await sensei.post('/payments', { student_id, amount: 110 })
  expect(await balances()).toMatchObject([{ student_id, owed: 75.5, month_owed: 75.5 }])
  await sensei.post('/charges', { student_ids: [student_id], kind: 'other', amount: 20 })
  expect(await balances()).toMatchObject([{ student_id, owed: 95.5, month_owed: 75.5 }])
  expect(await balances('?month=0&year=2020')).toMatchObject([
    { student_id, owed: 95.5, month_owed: null },
  ])
  const { payment_month, payment_year } = await sensei
    .get('/payment-records')
    .then(
      ({ body }) =>
        body[0] ?? { payment_month: new Date().getMonth(), payment_year: new Date().getFullYear() },
    )
  const marked = await sensei.post('/payment-records/marks', {
    marks: [{ student_id, payment_month, payment_year, payment_status: 'paid' }],
  })
  expect(marked.body.total).toBe(75.5)
})
