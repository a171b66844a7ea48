import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const online = await startServerWithStripe()
const { stripe, createFamily, createLink, pressPay, payOnline, openPage } = online
type Sensei = Awaited<ReturnType<typeof createFamily>>['sensei']

async function readPayment(sensei: Sensei) {
  const [{ id }] = (await sensei.get('/online-payments')).body
  return (await sensei.get(`/online-payments/${id}`)).body
}
const countReviews = async (sensei: Sensei): Promise<number> =>
  (await sensei.get('/online-payments')).body.filter(
    ({ review_reason }: { review_reason: string | null }) => review_reason !== null,
  ).length

describe('a payment that was made twice', () => {
  /** Leo's mother pays $95 online while his father pays it in cash. */
  async function createDoublePayment() {
    setClock('2026-04-10T15:00:00Z')
    const { sensei, leo } = await createFamily()
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    await sensei.post('/payments', {
      student_id: leo.id,
      amount: 95,
      method: 'cash',
      even_if_on_its_way: true,
    })
    stripe.pay(sessionId)
    await openPage(online.returnPathOf(sessionId))
    expect(await countReviews(sensei)).toBe(1)
    return { sensei, leo }
  }

  test('needs nobody anymore once its credit went back to the card', async () => {
    const { sensei, leo } = await createDoublePayment()
    const { id } = await readPayment(sensei)
    const refund = (amount: number) =>
      sensei.post(`/online-payments/${id}/refunds`, {
        parts: [{ student_id: leo.id, charge_id: null, amount }],
        outcome: 'owed',
      })
    expect((await refund(40)).status).toBe(200)
    expect(await countReviews(sensei)).toBe(1)
    expect((await refund(55)).status).toBe(200)
    expect(await countReviews(sensei)).toBe(0)
  })

  test('needs nobody anymore once its credit was given back in cash', async () => {
    const { sensei, leo } = await createDoublePayment()
    const refund = (amount: number) =>
      sensei.post('/refunds', { student_id: leo.id, amount, method: 'cash' })
    expect((await refund(40)).status).toBe(200)
    expect(await countReviews(sensei)).toBe(1)
    expect((await refund(55)).status).toBe(200)
    expect(await countReviews(sensei)).toBe(0)
  })

  test('needs nobody anymore once its credit has paid something else', async () => {
    const { sensei, leo } = await createDoublePayment()
    const charge = (amount: number) =>
      sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount })
    expect((await charge(40)).status).toBe(200)
    expect(await countReviews(sensei)).toBe(1)
    expect((await charge(60)).status).toBe(200)
    expect(await countReviews(sensei)).toBe(0)
    expect((await readPayment(sensei)).review_reason).toBeNull()
    expect((await sensei.get('/dashboard/stats')).body.payments_to_review).toBe(0)
  })
})

test('what can be refunded is the sum of the parts, also after a refund in cash', async () => {
  setClock('2026-04-10T15:00:00Z')
  const { sensei, leo } = await createFamily()
  await payOnline(sensei, leo.id)
  const [{ charge_id }] = (await readPayment(sensei)).parts
  const refund = { student_id: leo.id, charge_id, amount: 35, method: 'cash' }
  expect((await sensei.post('/refunds', refund)).status).toBe(200)
  expect(await readPayment(sensei)).toMatchObject({ refundable: 60, parts: [{ refundable: 60 }] })
})

test('a card that was declined by link is listed as declined, until something is paid', async () => {
  setClock('2026-04-10T15:00:00Z')
  const { sensei, leo } = await createFamily()
  const { sessionId } = await pressPay(await createLink(sensei, leo.id))
  expect(() => stripe.pay(sessionId, 'visa_chargeDeclinedInsufficientFunds')).toThrow('declined')
  await openPage(online.returnPathOf(sessionId))
  const declinedStudent = {
    student_id: leo.id,
    problem: { kind: 'card', reason: 'Not enough money in the account', next_step: 'ask_payer' },
  }
  const listStudents = async () => (await sensei.get('/online-payment/students')).body
  const readStates = async () =>
    (await sensei.get('/online-payments')).body.map(({ state }: { state: string }) => state)
  expect(await listStudents()).toMatchObject([declinedStudent])
  expect(await readStates()).toEqual(['declined'])
  // Something else is owed by now, so the page of Stripe ends.
  await sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount: 12 })
  setClock('2026-04-10T15:05:00Z')
  await online.performDueTasks()
  expect(await listStudents()).toMatchObject([declinedStudent])
  expect(await readStates()).toEqual(['declined'])
  await payOnline(sensei, leo.id)
  expect(await listStudents()).toEqual([])
  expect((await readStates()).toSorted()).toEqual(['declined', 'paid'])
})
