import { expect, test } from 'vitest'
import { aLedgerDojo, APRIL, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('deleting a child changes the month of brothers and sisters from the next on', async () => {
  const dojo = await aLedgerDojo(
    server,
    { name: 'Ana Diaz', monthly_payment_amount: 100 },
    { name: 'Leo Diaz', monthly_payment_amount: 90 },
  )
  const ids = [dojo.id(0), dojo.id(1)]
  await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: ids.map((student_id) => ({ student_id, pays: true, sees_fees: true })),
  })
  const prices = [{ nth: 2, percent: 50, amount_off: null }]
  await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  await dojo.mark('paid', { monthly_payment_amount: 100 })
  const owedOfLeo = async (month: number) =>
    (await dojo.dues(month)).find(({ student_id }) => student_id === dojo.id(1))?.owed
  expect(await owedOfLeo(MARCH)).toBe(45)
  const client = server.clientFor(dojo.sensei.token)
  expect((await client.delete(`/students/${dojo.id(0)}`)).status).toBe(200)
  expect([await owedOfLeo(MARCH), await owedOfLeo(APRIL)]).toEqual([45, 90])
  await dojo.goTo('2027-04-10T18:00:00Z')
  expect([await owedOfLeo(MARCH), await owedOfLeo(APRIL)]).toEqual([45, 90])
})

test('deleting a child leaves the month of a sibling who pays nothing free', async () => {
  const dojo = await aLedgerDojo(
    server,
    { name: 'Ana Diaz', monthly_payment_amount: 100 },
    { name: 'Leo Diaz', monthly_payment_amount: 90 },
    { name: 'Mia Diaz', monthly_payment_amount: 80 },
  )
  const ids = [dojo.id(0), dojo.id(1), dojo.id(2)]
  await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: ids.map((student_id) => ({ student_id, pays: true, sees_fees: true })),
  })
  const prices = [
    { nth: 2, percent: 50, amount_off: null },
    { nth: 3, percent: 100, amount_off: null },
  ]
  await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  const owed = async (month: number) => {
    const dues = await dojo.dues(month)
    return ids.flatMap((id, index) => {
      const due = dues.find(({ student_id }) => student_id === id)
      return due ? [[index, due.owed]] : []
    })
  }
  expect(await owed(MARCH)).toEqual([
    [0, 100],
    [1, 45],
  ])
  const client = server.clientFor(dojo.sensei.token)
  expect((await client.delete(`/students/${dojo.id(0)}`)).status).toBe(200)
  const LATER = [
    [1, 90],
    [2, 40],
  ]
  expect([await owed(MARCH), await owed(APRIL)]).toEqual([[[1, 45]], LATER])
  expect(await dojo.statistics(MARCH)).toMatchObject({
    total_paid_this_month: 0,
    total_yet_to_pay: 1,
  })
  await dojo.goTo('2027-04-10T18:00:00Z')
  expect([await owed(MARCH), await owed(APRIL)]).toEqual([[[1, 45]], LATER])
})
