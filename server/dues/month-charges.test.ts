import { describe, expect, test } from 'vitest'
import { newId } from '../db/columns.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent, signInAs } from '../test/fixtures.ts'
import {
  createLedgerDojo,
  APRIL,
  chargeRows,
  lineRows,
  MARCH,
  MAY,
  runJobs,
} from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createDojo = (...people: object[]) => createLedgerDojo(server, ...people)

describe('the current month', () => {
  test('is owed without a charge until a payment toward it', async () => {
    const { account, balances, id, pay, records, put, students } = await createDojo({})
    expect(await account()).toMatchObject({
      balance: 100,
      credit: 0,
      lines: [],
      charges: [
        { id: null, kind: 'month', month: MARCH, amount: 100, owed: 100, charged_on: '2027-03-10' },
      ],
    })
    expect(await balances()).toEqual([
      { student_id: id(), owed: 100, credit: 0, owed_since: '2027-03-10' },
    ])
    expect((await pay(30, { method: 'cash', note: 'Half of it' })).body).toEqual({
      act_id: expect.any(String),
      total: 30,
      lines: 2,
    })
    await put(
      `/students/${id()}`,
      exampleStudent({
        ...students[0],
        class_preferences: ['saturday'],
        monthly_payment_amount: 150,
      }),
    )
    const laterAccount = await account()
    expect([laterAccount.balance, chargeRows(laterAccount), lineRows(laterAccount)]).toEqual([
      70,
      [[MARCH, 100, 70]],
      [
        ['charge', 100],
        ['payment', -30],
      ],
    ])
    expect(laterAccount.lines[0]).toMatchObject({
      method: 'cash',
      note: 'Half of it',
      made_on: '2027-03-10',
      created_by: 'Aiko Tanaka',
    })
    expect(await records()).toEqual([])
    await pay(70)
    expect(await records()).toMatchObject([
      { payment_status: 'paid', monthly_payment_amount: 100, price_reason: null },
    ])
    expect(await balances()).toEqual([])
  })

  test('is charged to all paying students when it ends, at the price on its last day', async () => {
    const { account, balances, moveClockTo, id, put, students, mark } = await createDojo(
      {},
      { is_trial: true },
      { monthly_payment_amount: 0 },
      {},
    )
    await mark('paid', {}, 3)
    await moveClockTo('2027-04-02T18:00:00Z')
    await put(
      `/students/${id()}`,
      exampleStudent({
        ...students[0],
        class_preferences: ['saturday'],
        monthly_payment_amount: 120,
      }),
    )
    const laterAccount = await account()
    expect([laterAccount.balance, chargeRows(laterAccount), lineRows(laterAccount)]).toEqual([
      220,
      [
        [MARCH, 100, 100],
        [APRIL, 120, 120],
      ],
      [['charge', 100]],
    ])
    expect(laterAccount.lines[0]).toMatchObject({ made_on: '2027-03-31', created_by: null })
    expect(await balances()).toEqual([
      { student_id: id(), owed: 220, credit: 0, owed_since: '2027-03-10' },
      { student_id: id(3), owed: 100, credit: 0, owed_since: '2027-04-01' },
    ])
    expect(lineRows(await account(1))).toEqual([])
  })

  test('is charged once, even if the schedule runs often or missed months', async () => {
    const { account, moveClockTo } = await createDojo({})
    await moveClockTo('2027-06-10T18:00:00Z')
    await runJobs(server)
    await moveClockTo('2027-06-11T18:00:00Z')
    expect(chargeRows(await account())).toEqual([2, 3, 4, 5].map((month) => [month, 100, 100]))
  })

  // The second moment is still March 31 in Chicago.
  test.each(['2027-03-10T18:00:00Z', '2027-04-01T04:59:30Z'])(
    'is charged in a dojo created at %s, although the server was down until April',
    async (createdAt) => {
      setClock(createdAt)
      const sensei = await server.createSensei()
      const form = exampleStudent({
        class_preferences: ['saturday'],
        monthly_payment_amount: 100,
      })
      const { student } = (await sensei.post('/students', form)).body
      setClock('2027-04-10T18:00:00Z')
      await runJobs(server)
      const client = server.clientFor(await signInAs(server.db, sensei.id))
      const account = (await client.get(`/students/${student.id}/account`)).body
      expect(chargeRows(account)).toEqual([
        [MARCH, 100, 100],
        [APRIL, 100, 100],
      ])
    },
  )

  test('is not charged to students who were on vacation all month', async () => {
    const { account, moveClockTo, id, put } = await createDojo({}, {})
    await put(`/students/${id()}/vacation`, {
      vacation_from: '2027-04-01',
      vacation_until: '2027-04-30',
    })
    await put(`/students/${id(1)}/vacation`, {
      vacation_from: '2027-04-01',
      vacation_until: '2027-04-29',
    })
    await moveClockTo('2027-04-01T18:00:00Z')
    expect(chargeRows(await account())).toEqual([[MARCH, 100, 100]])
    await moveClockTo('2027-05-01T18:00:00Z')
    expect([chargeRows(await account()), chargeRows(await account(1))]).toEqual([
      [
        [MARCH, 100, 100],
        [MAY, 100, 100],
      ],
      [
        [MARCH, 100, 100],
        [APRIL, 100, 100],
        [MAY, 100, 100],
      ],
    ])
  })

  test('is not charged to students who were away all month on two vacations', async () => {
    const { account, moveClockTo, id, mark, put } = await createDojo({})
    await mark('paid')
    const planVacation = (vacation_from: string, vacation_until: string) =>
      put(`/students/${id()}/vacation`, { vacation_from, vacation_until })
    await planVacation('2027-04-01', '2027-04-10')
    await moveClockTo('2027-04-11T18:00:00Z')
    await planVacation('2027-04-11', '2027-05-10')
    await moveClockTo('2027-05-11T18:00:00Z')
    expect(chargeRows(await account())).toEqual([
      [MARCH, 100, 0],
      [MAY, 100, 100],
    ])
  })

  test('is charged with the sibling price of the month, and its reason', async () => {
    const { account, moveClockTo, id, put, sensei } = await createDojo(
      { monthly_payment_amount: 120 },
      {},
      { monthly_payment_amount: 80 },
    )
    const payer = newId()
    await server.db.inDojo(sensei.dojoId, async (tx) => {
      await tx.insert(guardians).values({ id: payer, name: 'Rosa Diaz' })
      await tx.insert(guardianships).values(
        [0, 1, 2].map((index) => ({
          guardian_id: payer,
          student_id: id(index),
          pays: true,
          since: '2026-01-01T00:00:00Z',
        })),
      )
    })
    await put('/sibling-prices', {
      ordered_by: 'highest_fee',
      prices: [
        { nth: 2, percent: 10 },
        { nth: 3, percent: 20 },
      ],
    })
    await put(`/students/${id()}/vacation`, {
      vacation_from: '2027-03-25',
      vacation_until: '2027-04-30',
    })
    await moveClockTo('2027-04-10T18:00:00Z')
    expect((await account(2)).charges).toMatchObject([
      { amount: 64, reason: '3rd of 3: −20%' },
      { amount: 72, reason: '2nd of 2: −10%' },
    ])
    await moveClockTo('2027-05-02T18:00:00Z')
    expect((await account(2)).charges.map(({ amount, reason }) => [amount, reason])).toEqual([
      [64, '3rd of 3: −20%'],
      [72, '2nd of 2: −10%'],
      [64, '3rd of 3: −20%'],
    ])
  })
})
