import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../test/autopay-payers.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { TEST_KEY } from '../test/stripe/fake-stripe.ts'

const autopay = await startServerWithAutopay()
const { clientOf, complete, readHome } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

/** Ana has autopay from April on, and $95 for Leo's March are on their way from her bank. */
async function createPayerWithDebit() {
  const { sensei, students, ana } = await autopay.createPayer('2026-03-10', { Leo: 95 })
  const { status, body } = await autopay.agree(ana, { pays_amount: 95 })
  expect(status).toBe(200)
  await complete(body.url, 'usBankAccount')
  await autopay.performTasks()
  const client = await clientOf(sensei)
  const leo = students[0] ?? ana
  return {
    sensei: client,
    ana,
    leo,
    turnOff: () => client.post('/online-payment/account/remove', { current_password: PASSWORD }),
    turnOn: () =>
      client.put('/online-payment/account', { secret_key: TEST_KEY, current_password: PASSWORD }),
  }
}

async function readMessages(person: { id: string }): Promise<Record<string, string>> {
  const { body } = await (await clientOf(person)).get('/notifications')
  return Object.fromEntries(
    body.map(({ title, message }: { title: string; message: string }) => [title, message]),
  )
}

describe('turning off online payment', () => {
  test('is preceded by what is on its way, and how many have autopay', async () => {
    const { sensei } = await createPayerWithDebit()
    expect((await sensei.get('/online-payment')).body).toMatchObject({
      on_its_way: 95,
      autopay_payers: 1,
    })
  })

  test('tells payers with autopay, and again when the key comes back', async () => {
    const { ana, turnOff, turnOn } = await createPayerWithDebit()
    expect((await turnOff()).status).toBe(200)
    const { 'Autopay is paused': pauseMessage } = await readMessages(ana)
    expect(pauseMessage).toContain('nothing more is charged')
    expect(pauseMessage).toContain('A payment of $95.00 was already on its way.')
    expect((await turnOff()).status).toBe(404)
    expect((await turnOn()).status).toBe(200)
    expect(await readMessages(ana)).toHaveProperty('Autopay is on again')
    expect(await readHome(ana)).toMatchObject({ autopay: { day_of_month: 1 } })
  })

  test('keeps listing what is on its way, and records it when the key comes back', async () => {
    const { sensei, leo, turnOff, turnOn } = await createPayerWithDebit()
    await turnOff()
    const listStudents = async () => (await sensei.get('/online-payment/students')).body
    const pendingStudent = {
      student_id: leo.id,
      on_its_way: 95,
      is_turned_off: true,
      autopay: null,
    }
    expect(await listStudents()).toMatchObject([pendingStudent])
    expect((await sensei.get('/online-payment/status')).body).toMatchObject({
      is_on: false,
      has_payments: true,
    })
    await autopay.liveThrough('2026-03-16')
    expect(await listStudents()).toMatchObject([pendingStudent])
    expect((await turnOn()).status).toBe(200)
    await autopay.liveThrough('2026-03-17')
    expect((await sensei.get(`/students/${leo.id}/account`)).body.balance).toBe(0)
    expect(await listStudents()).toMatchObject([{ on_its_way: 0, is_turned_off: false }])
  })

  test('sends the school to Stripe for a refund', async () => {
    const { sensei, leo, turnOff } = await createPayerWithDebit()
    await autopay.liveThrough('2026-03-16')
    const [payment] = (await sensei.get('/online-payments')).body
    await turnOff()
    const part = { student_id: leo.id, amount: 95 }
    const { parts } = (await sensei.get(`/online-payments/${payment.id}`)).body
    const { status, body } = await sensei.post(`/online-payments/${payment.id}/refunds`, {
      parts: [{ ...part, charge_id: parts[0].charge_id }],
      outcome: 'owed',
    })
    expect(status).toBe(409)
    expect(body.detail).toContain('refund this payment in Stripe')
  })
})
