import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'
import { PASSWORD } from '../../test/fixtures.ts'

const autopay = await startServerWithAutopay()
const { stripe, createAutopayer, clientOf, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

describe('a card', () => {
  /** The card was declined this often in March, for this amount in cents. */
  async function createDeclinedPayer(count: number, cents: number) {
    const payer = await createAutopayer()
    await queryRows(
      payer.sensei,
      `insert into online_payments (id, payer_id, state, amount, is_live, attempt, debit_id,
          saved_method_id, created_at, next_check_at)
        select gen_random_uuid(), m.payer_id, 'declined', ${cents}, false, 1, gen_random_uuid(),
          m.id, '2026-03-05T16:00:00Z'::timestamptz + day * interval '1 day', '2026-03-05T16:00:00Z'
        from saved_methods m, generate_series(1, ${count}) day returning id`,
    )
    await payer.liveThrough('2026-03-29')
    await payer.liveThrough('2026-04-01')
    return payer
  }

  test('is tried at most 14 times in 30 days for the same amount', async () => {
    const { taken, debits, sensei } = await createDeclinedPayer(14, 17500)
    expect(await taken()).toEqual([])
    expect(await debits()).toMatchObject([{ state: 'given_up', tries: 0 }])
    const { body } = await (await clientOf(sensei)).get('/notifications')
    expect(body[0].title).toBe('Autopay has stopped trying')
  })

  test.each([
    [13, 17500],
    [14, 17600],
  ])('after %i tries for %i cents, is tried again', async (count, cents) => {
    const { taken } = await createDeclinedPayer(count, cents)
    expect(await taken()).toEqual([17500])
  })

  test('that was saved again is the same card', async () => {
    const { liveThrough, sensei, ana, taken } = await createAutopayer()
    await queryRows(sensei, "update saved_methods set fingerprint = 'same' returning id")
    await queryRows(
      sensei,
      `insert into online_payments (id, payer_id, state, amount, is_live, attempt, debit_id,
          saved_method_id, created_at, next_check_at)
        select gen_random_uuid(), m.payer_id, 'declined', 17500, false, 1, gen_random_uuid(),
          m.id, '2026-03-05T16:00:00Z'::timestamptz + day * interval '1 day', '2026-03-05T16:00:00Z'
        from saved_methods m, generate_series(1, 14) day returning id`,
    )
    const { body } = await (await clientOf(ana)).post('/payer/method')
    await autopay.complete(body.url)
    await queryRows(sensei, "update saved_methods set fingerprint = 'same' returning id")
    await liveThrough('2026-03-29')
    await liveThrough('2026-04-01')
    expect(await taken()).toEqual([])
  })
})

test('the bad key of one school never delays the debits of another', async () => {
  const first = await createAutopayer()
  const badKey = 'rk_test_51WorksOnlyToday'
  stripe.account(badKey)
  const saving = { secret_key: badKey, current_password: PASSWORD }
  expect((await first.sensei.put('/online-payment/account', saving)).status).toBe(200)
  stripe.revoke(badKey)
  const second = await createAutopayer()
  await queryRows(
    first.sensei,
    `update accounts set is_active = true where id = '${first.sensei.id}' returning id`,
  )
  await autopay.liveThrough('2026-03-29')
  await autopay.liveThrough('2026-04-01')
  expect(await first.taken()).toEqual([])
  expect(await first.debits()).toMatchObject([{ state: 'failed' }])
  expect(await second.taken()).toEqual([17500])
  const account = await queryRows(first.sensei, 'select state from stripe_accounts')
  expect(account).toEqual([{ state: 'wrong_key' }])
  const otherAccount = await queryRows(second.sensei, 'select state from stripe_accounts')
  expect(otherAccount).toEqual([{ state: 'ready' }])
})

describe('after the 18th birthday of a student', () => {
  async function createAdult() {
    const payer = await createAutopayer()
    const leo = payer.students[0] ?? payer.ana
    await queryRows(
      payer.sensei,
      `update students set date_of_birth = '2008-04-03' where id = '${leo.id}' returning id`,
    )
    await payer.liveThrough('2026-03-29')
    await payer.liveThrough('2026-04-01')
    await payer.liveThrough('2026-04-03')
    return { ...payer, leo }
  }

  test('the parent keeps paying', async () => {
    const { liveThrough, taken } = await createAdult()
    await liveThrough('2026-05-01')
    expect(await taken()).toEqual([17500, 17500])
  })

  test('the student may become the payer, with an agreement of their own', async () => {
    const { liveThrough, taken, sensei, ana, leo } = await createAdult()
    const instructor = await clientOf(sensei)
    const change = { relation: 'mother', pays: false }
    expect((await instructor.put(`/guardians/${ana.id}/students/${leo.id}`, change)).status).toBe(
      200,
    )
    await autopay.turnOnAutopay(leo)
    await liveThrough('2026-04-28')
    await liveThrough('2026-05-01')
    expect((await taken()).toSorted((a, b) => a - b)).toEqual([8000, 9500, 17500])
  })
})
