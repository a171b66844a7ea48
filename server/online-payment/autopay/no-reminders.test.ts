import type { Preview } from '@tatami/contract/texting/bulk-message'
import { expect, test, vi } from 'vitest'
import {
  type AgreementChoice,
  LIFE_TIMEOUT_MS,
  startServerWithAutopay,
} from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { createAutopayer, clientOf, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

/** Autopay of a school with a live key. */
async function createLivePayer(choice: AgreementChoice = {}) {
  const family = await createAutopayer(choice)
  const { sensei } = family
  await queryRows(sensei, 'update stripe_accounts set is_live = true returning 1')
  await queryRows(sensei, 'update online_payers set customer_is_live = true returning 1')
  await queryRows(sensei, 'update saved_methods set is_live = true returning 1')
  return family
}

async function readReasons(sensei: { id: string }, day: string, reminder: string) {
  autopay.setDay(day)
  const client = await clientOf(sensei)
  const { body } = await client.get(`/sms/reminders/${reminder}/preview`)
  return (body as Preview).students.map(({ reason }) => reason)
}

test('whoever autopay pays for gets no automatic reminder of it', async () => {
  const { sensei } = await createLivePayer({ day_of_month: 15 })
  expect(await readReasons(sensei, '2026-03-31', 'pre_due')).toEqual(['autopaid', 'autopaid'])
  expect(await readReasons(sensei, '2026-04-02', 'post_due')).toEqual(['autopaid', 'autopaid'])
})

test('nor does a text about fees go to them, unless they are selected', async () => {
  const { sensei, students } = await createLivePayer({ day_of_month: 15 })
  autopay.setDay('2026-04-02')
  const client = await clientOf(sensei)
  const message = {
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, your fee is due.',
    exclude_paid_students: true,
  }
  const reasonsOf = async (changes: object = {}) => {
    const { body } = await client.post('/sms/preview', { ...message, ...changes })
    return (body as Preview).students.map(({ reason }) => reason)
  }
  expect(await reasonsOf()).toEqual(['autopaid', 'autopaid'])
  const [reason] = await reasonsOf({ selected_students: students.map(({ id }) => id) })
  expect(reason).not.toBe('autopaid')
})

test('a payer above the limit is reminded', async () => {
  const { sensei } = await createLivePayer({ day_of_month: 15, limit: 100 })
  expect(await readReasons(sensei, '2026-04-02', 'post_due')).not.toContain('autopaid')
})

test('a payer whose month autopay leaves out is reminded', async () => {
  const { sensei, students } = await createLivePayer({ day_of_month: 15 })
  autopay.setDay('2026-03-20')
  const mark = { student_id: students[0]?.id, payment_month: 2, payment_year: 2026 }
  await (await clientOf(sensei)).post('/payment-records', { ...mark, payment_status: 'unpaid' })
  const [leosReason, miasReason] = await readReasons(sensei, '2026-04-02', 'post_due')
  expect(leosReason).not.toBe('autopaid')
  expect(miasReason).toBe('autopaid')
})

test('a payer with autopay of a test key is reminded, because it takes no money', async () => {
  const { sensei } = await createAutopayer({ day_of_month: 15 })
  expect(await readReasons(sensei, '2026-04-02', 'post_due')).not.toContain('autopaid')
})

test('a fee is not late before the day that the payer has chosen for autopay', async () => {
  const { sensei } = await createLivePayer({ day_of_month: 15 })
  const readNames = async (day: string): Promise<string[]> => {
    autopay.setDay(day)
    const client = await clientOf(sensei)
    await client.put('/late-fee-rule', { grace_days: 5, amount: 10 })
    const { body } = await client.get('/late-fees/preview?month=3&year=2026')
    return body.map(({ name }: { name: string }) => name)
  }
  expect(await readNames('2026-04-14')).toEqual([])
  expect(await readNames('2026-04-16')).toEqual(['Leo Diaz', 'Mia Diaz'])
})
