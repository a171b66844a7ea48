import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const { createFamily, createLink, pressPay, payOnline, balanceOf } = await startServerWithStripe()

const PENDING = '$95.00 is on its way from the bank for Leo Diaz, so this would be paid twice.'

/** Leo's $95 for April are on their way from his mother's bank, and he owes a belt of $12. */
async function createFamilyWithDebit() {
  setClock('2026-04-10T15:00:00Z')
  const family = await createFamily()
  const { sensei, leo, mia } = family
  await payOnline(sensei, leo.id, 'usBankAccount')
  await sensei.post('/charges', { student_ids: [leo.id], kind: 'equipment', amount: 12 })
  const mark = (studentId: string, changes: object = {}) => ({
    student_id: studentId,
    payment_month: 3,
    payment_year: 2026,
    payment_status: 'paid',
    ...changes,
  })
  return {
    ...family,
    mark: (changes?: object) => sensei.post('/payment-records', mark(leo.id, changes)),
    markBoth: (changes?: object) =>
      sensei.post('/payment-records/marks', { marks: [mark(mia.id), mark(leo.id, changes)] }),
    pay: (amount: number, changes: object = {}) =>
      sensei.post('/payments', { student_id: leo.id, amount, method: 'cash', ...changes }),
    payTogether: (amount: number, changes: object = {}) =>
      sensei.post('/payments/together', {
        payments: [
          { student_id: leo.id, amount },
          { student_id: mia.id, amount: 80 },
        ],
        ...changes,
      }),
  }
}

describe('while money is on its way from a bank', () => {
  test('its month is not marked paid, unless somebody says so', async () => {
    const { sensei, leo, mia, mark, markBoth } = await createFamilyWithDebit()
    for (const { status, body } of [await mark(), await markBoth()])
      expect([status, body.detail]).toEqual([409, PENDING])
    expect(await balanceOf(sensei, mia.id)).toBe(80)
    expect((await mark({ payment_month: 4 })).status).toBe(200)
    expect((await mark({ payment_status: 'unpaid' })).status).toBe(200)
    expect((await markBoth({ even_if_on_its_way: true })).status).toBe(200)
    expect(await balanceOf(sensei, leo.id)).toBe(12)
  })

  test('only what is owed besides can be taken, unless somebody says so', async () => {
    const { sensei, leo, pay } = await createFamilyWithDebit()
    expect((await sensei.get(`/students/${leo.id}/account`)).body.on_its_way).toBe(95)
    for (const { status, body } of [
      await pay(107),
      await pay(5, { toward: { month: 3, year: 2026 } }),
    ])
      expect([status, body.detail]).toEqual([409, PENDING])
    expect((await pay(12)).status).toBe(200)
    const { charges } = (await sensei.get(`/students/${leo.id}/account`)).body
    expect(charges).toMatchObject([
      { kind: 'month', owed: 95 },
      { kind: 'equipment', owed: 0 },
    ])
    expect((await pay(95)).status).toBe(409)
    expect((await pay(95, { even_if_on_its_way: true })).status).toBe(200)
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })

  test('its month gets no late fee', async () => {
    const { sensei, mia } = await createFamilyWithDebit()
    setClock('2026-04-20T15:00:00Z')
    await sensei.put('/late-fee-rule', { grace_days: 5, amount: 10 })
    const { body } = await sensei.get('/late-fees/preview?month=3&year=2026')
    expect(body.map(({ student_id }: { student_id: string }) => student_id)).toEqual([mia.id])
  })

  test('the student is not deleted, because nobody could be given the money back', async () => {
    const { sensei, leo } = await createFamilyWithDebit()
    expect(await sensei.delete(`/students/${leo.id}`)).toMatchObject({
      status: 409,
      body: {
        detail:
          '$95.00 is being paid online for this student. You can delete them once the money has ' +
          'arrived.',
      },
    })
    expect((await sensei.get(`/students/${leo.id}`)).status).toBe(200)
  })

  test('a payment for a family is refused as a whole', async () => {
    const { sensei, mia, payTogether } = await createFamilyWithDebit()
    expect((await payTogether(107)).status).toBe(409)
    expect(await balanceOf(sensei, mia.id)).toBe(80)
    expect((await payTogether(12)).status).toBe(200)
    expect(await balanceOf(sensei, mia.id)).toBe(0)
  })
})

describe('while a payer is on the page of Stripe', () => {
  test('cash is taken only if somebody says so, and without a word after it has expired', async () => {
    setClock('2026-04-10T15:00:00Z')
    const { sensei, leo } = await createFamily()
    await pressPay(await createLink(sensei, leo.id))
    const pay = (changes: object = {}) =>
      sensei.post('/payments', { student_id: leo.id, amount: 40, method: 'cash', ...changes })
    const { status, body } = await pay({ amount: 95 })
    expect([status, body.detail]).toEqual([
      409,
      '$95.00 is being paid online for Leo Diaz right now, so this could be paid twice.',
    ])
    expect((await pay({ even_if_on_its_way: true })).status).toBe(200)
    setClock('2026-04-10T15:32:00Z')
    expect((await pay({ amount: 55 })).status).toBe(200)
    expect(await balanceOf(sensei, leo.id)).toBe(0)
  })
})
