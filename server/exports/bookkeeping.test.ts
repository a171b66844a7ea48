import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { dojoIdOf } from '../test/fixtures.ts'
import { ledgerRowFixtures } from '../test/ledger-rows.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createDojo() {
  setClock('2026-03-05T18:00:00Z')
  const sensei = await server.createSensei()
  const mia = await server.createStudent(sensei, { name: 'Mia Diaz', monthly_payment_amount: 100 })
  await server.createGuardian(sensei, [], {
    name: 'Diaz, Rosa',
    students: [{ student_id: mia.id, pays: true }],
  })
  const ledger = ledgerRowFixtures(server.db, await dojoIdOf(server.db, sensei.id))
  const charge_id = await ledger.addCharge(mia.id, 100)
  const payment = {
    student_id: mia.id,
    charge_id,
    kind: 'payment' as const,
    amount: -100,
    method: 'cash' as const,
  }
  const { act_id, ids } = await ledger.addAct([payment])
  await sensei.post('/receipts', { act_id })
  await ledger.undoLines([{ ...payment, id: ids[0]! }], '2026-03-06')
  await ledger.addAct([
    {
      student_id: mia.id,
      kind: 'payment',
      amount: -1250.5,
      method: 'cheque',
      made_on: '2026-03-09',
    },
  ])
  await ledger.addAct([{ student_id: mia.id, kind: 'refund', amount: 50, made_on: '2026-03-31' }])
  await ledger.addAct([{ student_id: mia.id, kind: 'payment', amount: -1, made_on: '2026-04-01' }])
  const downloadFile = async (format: string) =>
    sensei.post('/export/bookkeeping', { format, from: '2026-03-01', to: '2026-03-31' })
  return { sensei, downloadFile }
}

test('gives QuickBooks Online its three columns', async () => {
  const { downloadFile } = await createDojo()
  const { status, headers, body } = await downloadFile('quickbooks')
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="cedar-park-judo-quickbooks-2026-03-05.csv"',
  ])
  expect(String(body).split('\r\n')).toEqual([
    'Date,Description,Amount',
    '03/05/2026,"Diaz, Rosa: March 2026, Mia Diaz, cash",100.00',
    '03/06/2026,"Diaz, Rosa: Undone: March 2026, Mia Diaz, cash",-100.00',
    '03/09/2026,"Diaz, Rosa: Credit, Mia Diaz, check",1250.50',
    '03/31/2026,"Diaz, Rosa: Refund: Credit, Mia Diaz",-50.00',
    '',
  ])
})

test('gives Xero its six columns, with the receipt’s number', async () => {
  const { downloadFile } = await createDojo()
  expect(String((await downloadFile('xero')).body).split('\r\n')).toEqual([
    '*Date,*Amount,Payee,Description,Reference,Cheque Number',
    '03/05/2026,100.00,"Diaz, Rosa","March 2026, Mia Diaz, cash",2026-0001,',
    '03/06/2026,-100.00,"Diaz, Rosa","Undone: March 2026, Mia Diaz, cash",,',
    '03/09/2026,1250.50,"Diaz, Rosa","Credit, Mia Diaz, check",,',
    '03/31/2026,-50.00,"Diaz, Rosa","Refund: Credit, Mia Diaz",,',
    '',
  ])
})

test('refuses an invalid format and invalid days', async () => {
  const { sensei } = await createDojo()
  const readDetail = async (changes: object) => {
    const { body } = await sensei.post('/export/bookkeeping', {
      format: 'xero',
      from: '2026-03-01',
      to: '2026-03-31',
      ...changes,
    })
    return body.detail
  }
  expect(await readDetail({ to: '2026-02-01' })).toBe('The last day must not be before the first')
  expect(await readDetail({ from: 'March' })).toBe('First day must be a date (YYYY-MM-DD)')
  expect(await readDetail({ format: 'abacus' })).toBe('Format is not valid')
})

test('adds columns for sales tax at the end if a payment includes sales tax', async () => {
  setClock('2026-03-05T18:00:00Z')
  const sensei = await server.createSensei()
  const { id: student_id } = await server.createStudent(sensei, {
    name: 'Mia Diaz',
    monthly_payment_amount: 0,
  })
  await sensei.put('/sales-taxes', {
    taxes: [
      {
        kind: 'equipment',
        percent: 8.25,
        is_added: true,
        starts_on: '2026-01-01',
        ends_on: null,
      },
    ],
  })
  await sensei.post('/charges', { student_ids: [student_id], kind: 'equipment', amount: 40 })
  await sensei.post('/payments', { student_id, amount: 50, method: 'cash' })
  const period = { from: '2026-03-01', to: '2026-03-31' }
  const download = async (format: string) =>
    String((await sensei.post('/export/bookkeeping', { format, ...period })).body).split('\r\n')
  expect(await download('quickbooks')).toEqual([
    'Date,Description,Amount,Sales Tax,Sales Tax Rate',
    '03/05/2026,"Mia Diaz: Equipment, Mia Diaz, cash",43.30,3.30,8.25%',
    '03/05/2026,"Mia Diaz: Credit, Mia Diaz, cash",6.70,,',
    '',
  ])
  expect((await download('xero'))[1]).toBe(
    '03/05/2026,43.30,Mia Diaz,"Equipment, Mia Diaz, cash",,,3.30,8.25%',
  )
})
