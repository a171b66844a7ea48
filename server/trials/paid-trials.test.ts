import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { minutesLater, startServerWithPaidTrials } from '../test/paid-trial-dojo.ts'
import { bookingPathIn, CHILD_FORM, olderKey, WEDNESDAY } from '../test/trial-dojo.ts'

const { stripe, createPaidDojo, requestTrial, openStripe, ...dojoTools } =
  await startServerWithPaidTrials()
const { open, post, openForm } = dojoTools
const { listTrials, performDueTasks, mailsTo, setFaults, sessionOf, refundCount } = dojoTools

/** The first test also waits for the school, Stripe and the mail server to start. */
const TIMEOUT = { timeout: 60_000 }

let visitorCount = 0
/** A new visitor each time, because emails stay on the server of the tests. */
const newVisitor = () => {
  visitorCount += 1
  return { email: `payer${visitorCount}@home.org` }
}
const ADDRESS = '198.51.100.7'

describe('a paid trial', () => {
  test(
    'is held while the visitor pays by card, and booked when they come back',
    TIMEOUT,
    async () => {
      const dojo = await createPaidDojo()
      const visitor = newVisitor()
      const choice = await open(`/d/${dojo.slug}/trial?class=${dojo.class_id}&day=${WEDNESDAY}`)
      expect(choice.html).toContain('You pay $20.00 by card on the next page.')
      const payPath = await requestTrial(dojo, visitor)
      const payPage = await open(payPath)
      expect(payPage.html).toContain('Pay $20.00')
      expect(payPage.html).toMatch(/We hold your place until 9:3\d AM/)
      expect(await listTrials(dojo)).toMatchObject([{ state: 'paying', paid: null }])
      const sessionId = await openStripe(payPath)
      const { amount_total, expires_at } = sessionOf(sessionId)
      expect(amount_total).toBe(2000)
      expect(expires_at * 1000).toBeGreaterThanOrEqual(Date.parse(minutesLater(31)))
      stripe.pay(sessionId)
      const returnPath = String(sessionOf(sessionId).success_url).replace('https://tatami.test', '')
      const answer = await open(returnPath)
      expect(answer.status).toBe(303)
      expect((await open(String(answer.headers.location))).html).toContain('You are booked')
      expect(await listTrials(dojo)).toMatchObject([{ state: 'booked', paid: 20 }])
      const [mail] = await mailsTo(visitor.email)
      expect(mail).toContain('Paid: $20.00')
      expect(mail).toContain('text/calendar')
      const { body: notices } = await dojo.sensei.get('/notifications')
      expect(JSON.stringify(notices)).toContain('Paid online: $20.00')
      expect(stripe.violations).toEqual([])
    },
  )

  test('is booked by the server for a visitor who closes the page after paying', async () => {
    const dojo = await createPaidDojo()
    stripe.pay(await openStripe(await requestTrial(dojo, newVisitor())))
    setClock(minutesLater(1))
    await performDueTasks()
    expect(await listTrials(dojo)).toMatchObject([{ state: 'booked', paid: 20 }])
  })

  test('has one page of Stripe for two presses and a form that is sent twice', async () => {
    const dojo = await createPaidDojo()
    const payPath = await requestTrial(dojo, newVisitor())
    const sessionIds = await Promise.all([openStripe(payPath), openStripe(payPath)])
    expect(new Set([...sessionIds, await openStripe(payPath)]).size).toBe(1)
    expect(await listTrials(dojo)).toHaveLength(1)
  })

  test('shows the form nobody’s booking: somebody who is booked pays again and is refunded', async () => {
    const dojo = await createPaidDojo()
    const visitor = newVisitor()
    stripe.pay(await openStripe(await requestTrial(dojo, visitor)))
    setClock(minutesLater(1))
    await performDueTasks()
    const formerCount = refundCount()
    const strangersPath = await requestTrial(dojo, visitor, ADDRESS)
    expect((await open(strangersPath)).html).toContain('Pay $20.00')
    stripe.pay(await openStripe(strangersPath))
    expect((await open(strangersPath)).html).toContain('Your money goes back')
    await performDueTasks()
    await performDueTasks()
    expect(refundCount()).toBe(formerCount + 1)
    expect(await listTrials(dojo)).toMatchObject([{ state: 'booked', paid: 20 }])
    expect((await mailsTo(visitor.email, 2))[1]).toContain('your second payment goes back')
  })
})

describe('a trial that is not paid in time', () => {
  test('is free for others after 31 minutes, and nothing is charged', async () => {
    const dojo = await createPaidDojo({ trial_places: 1 })
    const otherVisitor = newVisitor()
    const otherForm = await openForm(dojo.slug, dojo.class_id, WEDNESDAY)
    const payPath = await requestTrial(dojo, newVisitor())
    const sessionId = await openStripe(payPath)
    const refusal = await post(
      `/d/${dojo.slug}/trial`,
      { ...otherForm, key: olderKey(otherForm.key), ...CHILD_FORM, ...otherVisitor },
      ADDRESS,
    )
    expect(refusal.status).toBe(409)
    expect(refusal.html).not.toContain('Wait for a place')
    setClock(minutesLater(45))
    await performDueTasks()
    expect(() => stripe.pay(sessionId)).toThrow('expired')
    expect(await listTrials(dojo)).toEqual([])
    expect((await open(payPath)).html).toContain('The time is over')
    await requestTrial(dojo, otherVisitor, ADDRESS)
  })

  test('is free again, too, if the visitor never opened the page of Stripe', async () => {
    const dojo = await createPaidDojo({ trial_places: 1 })
    const payPath = await requestTrial(dojo, newVisitor())
    setClock(minutesLater(45))
    await performDueTasks()
    expect(await listTrials(dojo)).toEqual([])
    const { headers } = await open(payPath.replace('/trial/pay?', '/trial/checkout?'))
    expect(headers.location).toContain('/trial/pay?')
  })

  /** The visitor pays at the last moment, while Stripe does not answer us until the place is
   *  free. */
  async function payUnnoticed(dojo: Awaited<ReturnType<typeof createPaidDojo>>, email: string) {
    const sessionId = await openStripe(await requestTrial(dojo, { email }))
    setClock(minutesLater(30))
    stripe.pay(sessionId)
    setFaults(() => 'cut-before')
    setClock(minutesLater(45))
    await performDueTasks()
    expect(await listTrials(dojo)).toEqual([])
  }

  test('but paid after all is booked if the place is still free', async () => {
    const dojo = await createPaidDojo({ trial_places: 1 })
    const { email } = newVisitor()
    await payUnnoticed(dojo, email)
    setFaults(() => null)
    setClock(minutesLater(50))
    await performDueTasks()
    expect(await listTrials(dojo)).toMatchObject([{ state: 'booked', paid: 20 }])
  })

  test('but paid after all is refunded if the place is taken, and the visitor is told', async () => {
    const dojo = await createPaidDojo({ trial_places: 1 })
    const { email } = newVisitor()
    await payUnnoticed(dojo, email)
    const formerCount = refundCount()
    await requestTrial(dojo, { ...newVisitor(), visitor: 'Mia' }, ADDRESS)
    setFaults(() => null)
    setClock(minutesLater(50))
    await performDueTasks()
    setClock(minutesLater(51))
    await performDueTasks()
    expect(refundCount()).toBe(formerCount + 1)
    expect(await listTrials(dojo)).toMatchObject([{ visitor_name: 'Mia', state: 'paying' }])
    expect((await mailsTo(email))[0]).toContain('It goes back to your card')
  })
})

describe('money goes back', () => {
  async function bookAndPay() {
    const dojo = await createPaidDojo()
    const { email } = newVisitor()
    stripe.pay(await openStripe(await requestTrial(dojo, { email })))
    setClock(minutesLater(1))
    await performDueTasks()
    const [mail = ''] = await mailsTo(email)
    return { dojo, email, linkPath: bookingPathIn(mail), formerCount: refundCount() }
  }

  test('if the visitor cancels with the link, which does not book again without paying', async () => {
    const { dojo, linkPath, formerCount } = await bookAndPay()
    const { html } = await post(linkPath, { action: 'cancel' })
    expect(html).toContain('$20.00 goes back to your card.')
    expect(html).not.toContain('Choose a new day')
    await performDueTasks()
    expect(refundCount()).toBe(formerCount + 1)
    const move = await post(linkPath, { action: 'move', date: `${dojo.class_id} ${WEDNESDAY}` })
    expect(move.status).toBe(409)
  })

  test('if the school cancels, once for two presses and several servers', async () => {
    const { dojo, email, formerCount } = await bookAndPay()
    const [trial] = await listTrials(dojo)
    await dojo.sensei.post(`/trials/${trial.id}/cancel`)
    await dojo.sensei.post(`/trials/${trial.id}/cancel`)
    await Promise.all([performDueTasks(), performDueTasks()])
    expect(refundCount()).toBe(formerCount + 1)
    expect((await mailsTo(email, 2))[1]).toContain('$20.00 goes back to your card.')
  })

  test('even if Stripe breaks during the refund', async () => {
    const { dojo, formerCount } = await bookAndPay()
    const [trial] = await listTrials(dojo)
    await dojo.sensei.post(`/trials/${trial.id}/cancel`)
    setFaults(({ operation }) => (operation === 'PostRefunds' ? 'broken-after' : null))
    await performDueTasks()
    setFaults(() => null)
    setClock(minutesLater(2))
    await performDueTasks()
    expect(refundCount()).toBe(formerCount + 1)
  })
})

test('a price is paid at the school while online payment is off', async () => {
  const dojo = await createPaidDojo()
  await dojo.sensei.post('/online-payment/account/remove', { current_password: PASSWORD })
  const { html } = await open(`/d/${dojo.slug}/trial?class=${dojo.class_id}&day=${WEDNESDAY}`)
  expect(html).toContain('This trial costs $20.00. You pay at the school.')
  expect(await requestTrial(dojo, newVisitor())).toContain('/trial/booked?')
})

test('while Stripe does not respond, the page says so and the place is held', async () => {
  const dojo = await createPaidDojo()
  const payPath = await requestTrial(dojo, newVisitor())
  setFaults(() => 'cut-before')
  const answer = await open(payPath.replace('/trial/pay?', '/trial/checkout?'))
  expect(answer.status).toBe(503)
  expect(answer.html).toContain('The payment service is not responding right now.')
  setFaults(() => null)
  stripe.pay(await openStripe(payPath))
  expect((await open(payPath)).status).toBe(303)
})
