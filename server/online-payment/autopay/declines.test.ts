import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'
import { setBankAnswer } from '../../test/stripe/payment-methods.ts'

const autopay = await startServerWithAutopay()
const { stripe, createPayer, createAutopayer, turnOnAutopay, readHome, clientOf, queryRows } =
  autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

describe('a decline', () => {
  test('is tried again after 2, 4 and 7 days, with a text after the first and the last', async () => {
    const { liveThrough, setBank, taken, texts, debits, ana } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('visa_chargeDeclinedInsufficientFunds')
    const emails = await liveThrough('2026-04-01')
    expect(emails.at(-1)?.text).toContain(
      'Your bank declined the autopay payment. You owe $175.00.',
    )
    expect(await texts()).toHaveLength(1)
    expect((await texts())[0]?.['text']).toMatch(
      /your autopay payment for Leo and Mia was declined\. You owe \$175\.00\. Pay here: https:\S+\/pay\//,
    )
    expect((await readHome(ana)).autopay?.trouble).toBe('open')
    const triesOn = async (day: string) => {
      const triesBefore = autopay.store().payment_intent.size
      await liveThrough(day)
      return autopay.store().payment_intent.size - triesBefore
    }
    const tries: number[] = []
    for (const day of ['02', '03', '04', '05', '07', '08', '10'])
      tries.push(await triesOn(`2026-04-${day}`))
    expect(tries).toEqual([0, 1, 0, 1, 0, 1, 0])
    expect(await texts()).toHaveLength(2)
    expect(await debits()).toMatchObject([{ state: 'given_up', tries: 4 }])
    expect(await taken()).toEqual([])
    expect(await readHome(ana)).toMatchObject({ owed: 175, autopay: { trouble: 'given_up' } })
    expect(JSON.stringify(await texts())).not.toMatch(/lost|stolen|fraud/)
  })

  test('that goes through later is paid once', async () => {
    const { liveThrough, setBank, taken, debits } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('visa_chargeDeclined')
    await liveThrough('2026-04-01')
    await setBank('visa')
    await liveThrough('2026-04-03')
    await liveThrough('2026-04-05')
    expect(await taken()).toEqual([17500])
    expect(await debits()).toMatchObject([{ state: 'paid', tries: 2 }])
  })

  test('of a stolen card stops it, and says nothing of that', async () => {
    const { liveThrough, setBank, texts, debits, ana, method } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('visa_chargeDeclinedStolenCard')
    const emails = await liveThrough('2026-04-01')
    await autopay.performTasks()
    expect(await debits()).toMatchObject([{ state: 'needs_method', tries: 1 }])
    expect(await texts()).toHaveLength(1)
    expect(JSON.stringify([emails, await texts()])).not.toMatch(/lost|stolen|fraud/i)
    expect(await readHome(ana)).toMatchObject({
      method: null,
      autopay: { trouble: 'needs_method' },
    })
    expect(autopay.store().payment_method.get(method)?.customer).toBeNull()
  })

  test('of an expired card waits for a new one, and then takes the money', async () => {
    const { liveThrough, setBank, taken, ana } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('chargeDeclinedExpiredCard')
    await liveThrough('2026-04-01')
    await liveThrough('2026-04-03')
    expect(await taken()).toEqual([])
    const { body } = await (await clientOf(ana)).post('/payer/method')
    await autopay.complete(body.url)
    await liveThrough('2026-04-04')
    expect(await taken()).toEqual([17500])
  })

  test('that asks for the payer is not tried again', async () => {
    const { liveThrough, setBank, debits, texts } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('authenticationRequired')
    await liveThrough('2026-04-01')
    await liveThrough('2026-04-03')
    expect(await debits()).toMatchObject([{ state: 'needs_payer', tries: 1 }])
    expect(await texts()).toHaveLength(1)
  })

  test('by our own fault is told to the school, and not to the family', async () => {
    const { liveThrough, sensei, texts, debits } = await createAutopayer()
    await liveThrough('2026-03-29')
    stripe.account().forbiddenOperations.add('PostPaymentIntents')
    const emails = await liveThrough('2026-04-01')
    stripe.account().forbiddenOperations.clear()
    expect(emails).toEqual([])
    expect(await texts()).toEqual([])
    expect(await debits()).toMatchObject([{ state: 'failed' }])
    const { body } = await (await clientOf(sensei)).get('/notifications')
    expect(body[0].title).toBe('Autopay did not work')
  })

  test('of a month that was paid in cash meanwhile is not tried again', async () => {
    const { liveThrough, setBank, sensei, students, taken, debits } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('visa_chargeDeclined')
    await liveThrough('2026-04-01')
    await setBank('visa')
    const instructor = await clientOf(sensei)
    await autopay.payInCash(instructor, students[0]?.id ?? '', 95)
    await autopay.payInCash(instructor, students[1]?.id ?? '', 80)
    await liveThrough('2026-04-03')
    expect(await taken()).toEqual([])
    expect(await debits()).toMatchObject([{ state: 'nothing_owed', tries: 1 }])
  })
})

describe('an unknown outcome', () => {
  test.each([
    ...(['cut-after', 'cut-before'] as const),
    ...(['broken-after', 'broken-late', 'broken-before'] as const),
    ...(['rate-limited', 'key-in-use', 'silent'] as const),
  ])('after the fault %s, the money is taken once', async (fault) => {
    const { liveThrough, taken, debits, ana } = await createAutopayer()
    await liveThrough('2026-03-29')
    autopay.setFaults(({ operation }) => (operation === 'PostPaymentIntents' ? fault : null))
    await liveThrough('2026-04-01')
    // Meanwhile, nobody can pay the same.
    expect(await readHome(ana)).toMatchObject({ owed: 0, on_its_way: 175 })
    autopay.setFaults(() => null)
    await liveThrough('2026-04-01', 19)
    expect(await taken()).toEqual([17500])
    expect(await debits()).toMatchObject([{ state: 'paid', tries: 1 }])
    expect(await readHome(ana)).toMatchObject({ owed: 0, on_its_way: 0 })
  })

  test('that Stripe stores as an error gets a new key, once the list shows that nothing was taken', async () => {
    const { liveThrough, taken, debits, ana } = await createAutopayer()
    await liveThrough('2026-03-29')
    autopay.setFaults(({ operation }) =>
      operation === 'PostPaymentIntents' ? 'broken-stored' : null,
    )
    await liveThrough('2026-04-01')
    autopay.setFaults(() => null)
    // The second call only repeats the error, and shows that the first one is over.
    await liveThrough('2026-04-01', 19)
    expect(await taken()).toEqual([])
    expect(await readHome(ana)).toMatchObject({ owed: 0, on_its_way: 175 })
    await liveThrough('2026-04-01', 20)
    expect(await taken()).toEqual([17500])
    expect(await debits()).toMatchObject([{ state: 'paid', tries: 1 }])
  })

  test('two servers at the same time take it once', async () => {
    const { liveThrough, taken } = await createAutopayer()
    await liveThrough('2026-03-29')
    await Promise.all([liveThrough('2026-04-01'), liveThrough('2026-04-01')])
    await Promise.all([autopay.performTasks(), autopay.performTasks()])
    expect(await taken()).toEqual([17500])
  })
})

describe('a bank account', () => {
  test('shows the debit as on its way for days, and nothing else is taken', async () => {
    const family = await createPayer('2026-03-10', { Leo: 95 })
    const { ana, sensei, students } = family
    await autopay.payInCash(sensei, students[0]?.id ?? '', 95)
    await turnOnAutopay(ana, {}, 'usBankAccount')
    await autopay.liveThrough('2026-03-29')
    await autopay.liveThrough('2026-04-01')
    expect(await readHome(ana)).toMatchObject({ owed: 0, on_its_way: 95 })
    const path = await autopay.createLink(sensei, students[0]?.id ?? '')
    expect((await autopay.openPage(path)).html).toContain('Nothing else to pay.')
    await autopay.liveThrough('2026-04-03')
    await autopay.liveThrough('2026-04-06')
    expect(await readHome(ana)).toMatchObject({
      owed: 0,
      on_its_way: 0,
      payments: [{ amount: 95 }],
    })
  })

  test('without enough money is tried again at most twice, a closed one never', async () => {
    const { ana, sensei, students } = await createPayer('2026-03-10', { Leo: 95 })
    await autopay.payInCash(sensei, students[0]?.id ?? '', 95)
    await turnOnAutopay(ana, {}, 'usBankAccount')
    await autopay.liveThrough('2026-03-29')
    setBankAnswer(
      autopay.store(),
      await autopay.savedMethodOf(sensei),
      'usBankAccount_insufficientFunds',
    )
    const rows = () => queryRows(sensei, 'select state, tries from autopay_debits')
    await autopay.liveThrough('2026-04-01')
    await autopay.liveThrough('2026-04-06')
    expect(await rows()).toEqual([{ state: 'open', tries: 1 }])
    setBankAnswer(
      autopay.store(),
      await autopay.savedMethodOf(sensei),
      'usBankAccount_accountClosed',
    )
    await autopay.liveThrough('2026-04-07')
    await autopay.liveThrough('2026-04-12')
    expect(await rows()).toEqual([{ state: 'needs_method', tries: 2 }])
    expect((await readHome(ana)).method).toBeNull()
  })
})
