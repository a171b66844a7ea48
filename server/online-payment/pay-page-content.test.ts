import { describe, expect, test } from 'vitest'
import { startServerWithStripe } from '../test/server-with-stripe.ts'

const { server, stripe, ...online } = await startServerWithStripe()
const { createFamily, createLink, openPage, pressPay, returnPathOf } = online
type Sensei = Awaited<ReturnType<typeof server.createSensei>>

const MAX_PAGE_BYTES = 15_000

/** The path of the link in a text about fees that is sent now. */
async function textLink(sensei: Sensei): Promise<string> {
  await online.allowLinksInTexts(sensei)
  await sensei.post('/sms/send-bulk-message', {
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, you owe {amount}.',
  })
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ text: string }>("select text from messages where text like '%Leo%' limit 1"),
  )
  return new URL(/https:\S+$/.exec(rows[0]?.text ?? '')?.[0] ?? '').pathname
}

const charge = (sensei: Sensei, studentId: string, amount: number) =>
  sensei.post('/charges', { student_ids: [studentId], kind: 'equipment', amount })

describe('the pay page', () => {
  test('is small and works without JavaScript', async () => {
    const { sensei, leo } = await createFamily()
    const { html } = await openPage(await createLink(sensei, leo.id))
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_PAGE_BYTES)
    expect(html).not.toMatch(/<script|onclick|javascript:/i)
  })

  test('shows no note of a charge, and Stripe gets none', async () => {
    const { sensei, leo } = await createFamily()
    const note = 'Tape <b>for</b> his sprained ankle'
    const body = { student_ids: [leo.id], kind: 'equipment', amount: 20, note }
    expect((await sensei.post('/charges', body)).status).toBe(200)
    const path = await createLink(sensei, leo.id)
    const { html } = await openPage(path)
    expect(html).toContain('Leo: Equipment<')
    expect(html).not.toContain('ankle')
    const { sessionId } = await pressPay(path)
    expect(JSON.stringify(stripe.calls)).toContain('Leo: Equipment')
    expect(JSON.stringify(stripe.calls)).not.toContain('ankle')
    stripe.pay(sessionId)
    expect((await openPage(returnPathOf(sessionId))).html).not.toContain('ankle')
  })

  test('lets the bank statement name the month and the child', async () => {
    const { sensei, leo } = await createFamily()
    const formerCount = stripe.calls.length
    await pressPay(await createLink(sensei, leo.id))
    expect(JSON.stringify(stripe.calls.slice(formerCount))).toMatch(
      /"statement_descriptor_suffix":"[A-Z]{3} LEO"/,
    )
  })

  test('says the old and the new sum if more is owed than when the text was sent', async () => {
    const { sensei, leo } = await createFamily()
    const path = await textLink(sensei)
    expect((await openPage(path)).html).not.toContain('when we sent you this link')
    await charge(sensei, leo.id, 20)
    expect((await openPage(path)).html).toContain(
      'You owed $95.00 when we sent you this link. Now it is $115.00.',
    )
  })

  test('says nothing of that for money that is on its way', async () => {
    const { sensei, leo } = await createFamily()
    const path = await textLink(sensei)
    await online.payOnline(sensei, leo.id, 'usBankAccount')
    await charge(sensei, leo.id, 20)
    const { html } = await openPage(path)
    expect(html).toContain('$95.00 is on its way from the bank.')
    expect(html).toContain('Pay $20.00')
  })

  test('says what credit has paid', async () => {
    const { sensei, leo } = await createFamily()
    await sensei.post('/payments', { student_id: leo.id, amount: 100, method: 'cash' })
    await charge(sensei, leo.id, 20)
    const { html } = await openPage(await createLink(sensei, leo.id))
    expect(html).toContain('Pay $15.00')
    expect(html).toContain('Your credit has already paid $5.00.')
  })

  test('says what siblings save', async () => {
    const { sensei } = await createFamily()
    const createStudent = (name: string, monthly_payment_amount: number) =>
      server.createStudent(sensei, { name, monthly_payment_amount })
    const siblings = [await createStudent('Ben Lind', 100), await createStudent('Zoe Lind', 80)]
    await server.createGuardian(sensei, [], {
      name: 'Ola Lind',
      students: siblings.map(({ id }) => ({ student_id: id, relation: 'father', pays: true })),
    })
    const { status } = await sensei.put('/sibling-prices', {
      ordered_by: 'highest_fee',
      prices: [{ nth: 2, percent: 10 }],
    })
    expect(status).toBe(200)
    const { html } = await openPage(await createLink(sensei, siblings[0]?.id ?? ''))
    expect(html).toContain('Pay $172.00')
    expect(html).toContain(', instead of $80.00')
  })

  test('shows a receipt with each line after the payment', async () => {
    const { sensei, leo } = await createFamily()
    await charge(sensei, leo.id, 20)
    const { sessionId } = await pressPay(await createLink(sensei, leo.id))
    stripe.pay(sessionId)
    const { html } = await openPage(returnPathOf(sessionId))
    expect(html).toContain('<h2>Receipt</h2>')
    expect(html).toContain('<a href="/dashboard">Go to your home page</a>')
    expect(html).toContain('Leo: Equipment')
    expect(html).toMatch(/Paid online<\/td><td>\$115\.00/)
    expect(html).not.toContain('Diaz')
  })

  test('leads to the payer’s home for autopay, and saves nothing itself', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    expect((await openPage(path)).html).toContain('<a href="/dashboard">Set up autopay</a>')
    const { sessionId } = await pressPay(path)
    const session = stripe.account().store['checkout.session'].get(sessionId)
    expect(session).not.toHaveProperty('payment_intent_data.setup_future_usage')
    stripe.pay(sessionId)
    await openPage(returnPathOf(sessionId))
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute('select id from saved_methods'),
    )
    expect(rows).toEqual([])
  })

  test('works after the school has changed to another account at Stripe', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(
        "update online_payers set customer_id = 'cus_elsewhere', customer_is_live = false",
      ),
    )
    const { status, sessionId } = await pressPay(path)
    expect(status).toBe(303)
    stripe.pay(sessionId)
    expect((await openPage(returnPathOf(sessionId))).html).toContain('<h2>Receipt</h2>')
  })

  test('has no button in a copy of the database', async () => {
    const { sensei, leo } = await createFamily()
    const path = await createLink(sensei, leo.id)
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute("update stripe_accounts set server_identity = 'elsewhere'"),
    )
    const { html } = await openPage(path)
    expect(html).toContain('Online payment is turned off')
    expect(html).not.toContain('<button>')
    expect((await sensei.post('/pay-links', { student_id: leo.id })).status).toBe(409)
  })
})
