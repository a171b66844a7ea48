import { describe, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { aLedgerDojo, APRIL, chargesOf, linesOf, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const aDojo = (...people: object[]) => aLedgerDojo(server, ...people)

describe('while a server of the version before serves', () => {
  /** It writes the record alone. */
  const markThere = (dojoId: string, student: string, status: string, month = MARCH) =>
    server.db.inDojo(dojoId, (tx) =>
      tx.execute(sql`insert into payment_records (student_id, payment_year, payment_month, payment_status, amount, marked_at, updated_at)
        values (${student}, 2027, ${month}, ${status}, 10000, now(), now())
        on conflict (dojo_id, payment_year, payment_month, student_id) do update set payment_status = excluded.payment_status`),
    )

  test('a month that it marks is asked for no more, and can be marked here', async () => {
    const { account, balances, goTo, id, mark, sensei } = await aDojo({}, {}, {})
    for (const who of [0, 1, 2]) await markThere(sensei.dojoId, id(who), 'paid')
    expect(await balances()).toEqual([])
    expect((await mark('unpaid', {}, 1)).body.act_id).toEqual(expect.any(String))
    await mark('paid', {}, 2)
    expect([linesOf(await account()), (await account(1)).balance]).toEqual([[], 100])
    await goTo('2027-04-01T18:00:00Z')
    expect([chargesOf(await account()), chargesOf(await account(1))]).toEqual([
      [
        [MARCH, 100, 0],
        [APRIL, 100, 100],
      ],
      [
        [MARCH, 100, 100],
        [APRIL, 100, 100],
      ],
    ])
  })

  test('a month that it marks unpaid is owed again', async () => {
    const { account, id, mark, pay, sensei } = await aDojo({})
    await mark('paid')
    await markThere(sensei.dojoId, id(), 'unpaid')
    await pay(30)
    expect(await account()).toMatchObject({ balance: 70, charges: [{ amount: 100, owed: 70 }] })
  })
})
