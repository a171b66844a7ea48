import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { aLedgerDojo, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('a CSV of payments has the words and amounts of the Payment Center', async () => {
  const dojo = await aLedgerDojo(
    server,
    { name: 'Ana Part' },
    { name: 'Ben Free', monthly_payment_amount: 0 },
    { name: 'Cal Open' },
    { name: 'Dan Undone' },
  )
  await dojo.pay(40)
  await dojo.mark('paid', { monthly_payment_amount: 60 }, 3)
  await dojo.put(`/students/${dojo.id(3)}`, {
    ...(await dojo.get(`/students/${dojo.id(3)}`)).body.student,
    is_trial: true,
  })
  await dojo.mark('unpaid', {}, 3)
  const rowsOf = async (body: object) => {
    const csv: string = (await dojo.post('/export/payments', body)).body.toString()
    const { data } = Papa.parse<Record<string, string>>(csv.slice(1).trimEnd(), { header: true })
    return data.map((row) => [row.student_name, row.payment_status, row.amount])
  }
  expect(await rowsOf({ of: { month: MARCH, year: 2027 } })).toEqual([
    ['Ana Part', 'unpaid', '40.00'],
    ['Ben Free', 'nothing_due', ''],
    ['Cal Open', 'unpaid', ''],
    ['Dan Undone', 'nothing_due', ''],
  ])
  expect(await rowsOf({})).toEqual([
    ['Ana Part', 'unpaid', '40.00'],
    ['Dan Undone', 'nothing_due', ''],
  ])
})
