import { expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { createAutopayer, createPayer, readHome, performTasks, payOnline } = autopay
const { stripe, setDay, readEvents } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

test('fees are Stripe’s list prices until the school has paid enough of its own', async () => {
  const { ana, liveThrough, taken } = await createAutopayer()
  const readFees = async () => (await readHome(ana)).fees
  expect(await readFees()).toEqual({
    card: { amount: 5.38, is_measured: false },
    bank: { amount: 1.4, is_measured: false },
  })
  for (const day of ['2026-03-29', '2026-04-01', '2026-05-01', '2026-06-01']) await liveThrough(day)
  await performTasks()
  expect(await taken()).toEqual([17500, 17500, 17500])
  // The stand-in keeps 2.9% and 30 cents of a card payment.
  expect(await readFees()).toEqual({
    card: { amount: 5.38, is_measured: true },
    bank: { amount: 1.4, is_measured: false },
  })
})

test('fees of payments by link are measured, too', async () => {
  const { sensei, students, ana } = await createPayer('2026-03-10')
  const studentId = students[0]?.id ?? ''
  // A bank debit takes four days.
  for (const day of ['2026-03-15', '2026-03-20', '2026-03-25']) {
    await sensei.post('/charges', { student_ids: [studentId], kind: 'equipment', amount: 50 })
    await payOnline(sensei, studentId, 'usBankAccount')
    setDay(day)
    stripe.advance()
    await readEvents(sensei)
  }
  expect((await readHome(ana)).fees).toEqual({
    card: { amount: 5.38, is_measured: false },
    bank: { amount: 1.4, is_measured: true },
  })
})
