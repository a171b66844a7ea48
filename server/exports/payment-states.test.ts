import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { unzipTexts } from '../test/files.ts'
import { createLedgerDojo, MARCH } from '../test/ledger-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('the list of payments has the statuses and amounts of the Payment Center', async () => {
  const dojo = await createLedgerDojo(
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
  const downloadRows = async (body: object) => {
    const csv: string = (await dojo.post('/export/payments', body)).body.toString()
    const { data } = Papa.parse<Record<string, string>>(csv.slice(1).trimEnd(), { header: true })
    return data.map((row) => [row.student_name, row.payment_status, row.amount])
  }
  expect(await downloadRows({ of: { month: MARCH, year: 2027 } })).toEqual([
    ['Ana Part', 'unpaid', '40.00'],
    ['Ben Free', 'nothing_due', ''],
    ['Cal Open', 'unpaid', ''],
    ['Dan Undone', 'nothing_due', ''],
  ])
  expect(await downloadRows({})).toEqual([
    ['Ana Part', 'unpaid', '40.00'],
    ['Dan Undone', 'nothing_due', ''],
  ])
})

test('the list of payments has the price of each month, and adds up to the revenue', async () => {
  const dojo = await createLedgerDojo(
    server,
    { name: 'Ana Diaz', monthly_payment_amount: 90 },
    { name: 'Ben Diaz', monthly_payment_amount: 90 },
    { name: 'Cal Gone' },
    { name: 'Dan Gone' },
    { name: 'Eve Away', monthly_payment_amount: 75.5 },
    { name: 'Fay Trial', is_trial: true },
  )
  await server.createGuardian(dojo.sensei, [], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
    students: [0, 1].map((index) => ({ student_id: dojo.id(index), pays: true })),
  })
  const prices = [{ nth: 2, percent: null, amount_off: 10 }]
  await dojo.put('/sibling-prices', { ordered_by: 'highest_fee', prices })
  await dojo.mark('paid', {}, 0)
  await dojo.mark('paid', {}, 2)
  await dojo.pay(40, {}, 3)
  await dojo.mark('paid', {}, 4)
  await dojo.put(`/students/${dojo.id(4)}/vacation`, {
    vacation_from: '2027-03-10',
    vacation_until: null,
  })
  const client = server.clientFor(dojo.sensei.token)
  for (const index of [2, 3]) await client.delete(`/students/${dojo.id(index)}`)
  const downloadRows = async (body: object) => {
    const csv: string = (await dojo.post('/export/payments', body)).body.toString()
    return Papa.parse<Record<string, string>>(csv.slice(1).trimEnd(), { header: true }).data
  }
  const rows = await downloadRows({ of: { month: MARCH, year: 2027 } })
  expect(
    rows.map(({ student_name, monthly_fee, payment_status, amount, price_reason }) =>
      [student_name, monthly_fee, payment_status, amount, price_reason].join(' | '),
    ),
  ).toEqual([
    'Ana Diaz | 90.00 | paid | 90.00 | ',
    'Ben Diaz | 80.00 | unpaid |  | 2nd of 2: −$10.00',
    'Eve Away | 75.50 | paid | 75.50 | ',
    'Fay Trial | 100.00 | nothing_due |  | ',
    'Deleted student | 100.00 | paid | 100.00 | ',
    'Deleted student | 40.00 | paid | 40.00 | ',
  ])
  const sum = rows.reduce((dollars, { amount }) => dollars + Number(amount), 0)
  expect(sum).toBe((await dojo.statistics()).monthly_revenue)
  const allRows = await downloadRows({})
  expect(allRows.reduce((dollars, { amount }) => dollars + Number(amount), 0)).toBe(sum)
  const namedStudents = { of: { month: MARCH, year: 2027, student_ids: [dojo.id(0)] } }
  expect((await downloadRows(namedStudents)).map(({ student_name }) => student_name)).toEqual([
    'Ana Diaz',
  ])
})

test('a trial student’s file says that nothing is due for an unpaid month', async () => {
  const dojo = await createLedgerDojo(server, { name: 'Cal Open' }, { name: 'Dan Undone' })
  const trialStudent = (await dojo.get(`/students/${dojo.id(1)}`)).body.student
  await dojo.mark('unpaid')
  await dojo.mark('paid', { monthly_payment_amount: 60 }, 1)
  await dojo.put(`/students/${dojo.id(1)}`, { ...trialStudent, is_trial: true })
  await dojo.mark('unpaid', {}, 1)
  const readMarchFromFile = async (index: number) => {
    const zip = (await dojo.post(`/students/${dojo.id(index)}/export`)).body as Buffer
    const [, marchLine = ''] = unzipTexts(zip)['payments.csv']?.split('\r\n') ?? []
    return marchLine.split(',').slice(0, 3)
  }
  expect(await readMarchFromFile(0)).toEqual(['2027-03', 'unpaid', '100.00'])
  expect(await readMarchFromFile(1)).toEqual(['2027-03', 'nothing_due', '0.00'])
})
