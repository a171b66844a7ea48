import type { FamilyPayment } from '@tatami/contract/bookkeeping/receipts'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { paymentFixtures } from '../test/paid-dojos.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const { createDojo, createPayer } = paymentFixtures(server)
type Client = Awaited<ReturnType<typeof server.createGuardian>>

const listPayments = async (person: Pick<Client, 'get'>, year = 2026) =>
  (await person.get(`/family/payments?year=${year}`)).body as FamilyPayment[]
const payTogether = async (sensei: Pick<Client, 'post'>, students: { id: string }[]) => {
  const payments = students.map(({ id }) => ({ student_id: id, amount: 50 }))
  const { body } = await sensei.post('/payments/together', { payments, method: 'cash' })
  return body as { act_id: string }
}
const listNames = ({ lines }: FamilyPayment) => lines.map(({ student_name }) => student_name)
const NOT_FOUND = { status: 404, body: { detail: 'Payment not found' } }

test('lists all payments of the family, and issues a receipt when a payment is opened', async () => {
  const { sensei, students, pay, issue } = await createDojo('Mia Diaz', 'Leo Diaz', 'Ken Adams')
  const [mia, leo, ken] = students
  const rosa = await createPayer(sensei, [mia!, leo!])
  const { act_id: issuedActId } = await pay([mia!])
  const issuedReceipt = (await issue(issuedActId)).body
  const { act_id } = await payTogether(sensei, [mia!, leo!, ken!])
  const payments = await listPayments(rosa)
  expect(payments.map(({ total, receipt }) => [total, receipt?.number ?? null])).toEqual([
    [85.5, '2026-0001'],
    [100, null],
  ])
  const [, unissuedPayment] = payments
  expect(listNames(unissuedPayment!)).toEqual(['Leo Diaz', 'Mia Diaz'])
  const { student_id } = unissuedPayment!
  const openedReceipt = (await rosa.post('/receipts', { act_id, student_id })).body
  expect(openedReceipt).toMatchObject({
    number: '2026-0002',
    issued_by: 'Cedar Park Judo',
    payer_name: 'Rosa Diaz',
    total: 100,
  })
  // The instructor gets the same receipt, and the next number goes to the other family.
  expect((await issue(act_id, leo!.id)).body).toEqual(openedReceipt)
  expect((await issue(act_id, ken!.id)).body.number).toBe('2026-0003')
  expect((await listPayments(rosa)).map(({ receipt }) => receipt?.id)).toEqual([
    openedReceipt.id,
    issuedReceipt.id,
  ])
  expect((await rosa.get(`/receipts/${openedReceipt.id}`)).body).toEqual(openedReceipt)
})

test('shows only payments of the year that were not undone', async () => {
  const { sensei, students, ledger, pay } = await createDojo('Mia Diaz')
  const rosa = await createPayer(sensei, students)
  const { act_id, lines } = await pay(students)
  expect(await listPayments(rosa, 2025)).toEqual([])
  await ledger.undoLines(lines, '2026-03-06')
  expect(await listPayments(rosa)).toEqual([])
  expect((await rosa.post('/receipts', { act_id })).body.detail).toBe(
    'This payment was undone, so there is no receipt.',
  )
})

test('shows no payments of other families, and none to guardians who may not see fees', async () => {
  const { sensei, students, pay, issue } = await createDojo('Mia Diaz', 'Leo Diaz', 'Ken Adams')
  const [mia, leo, ken] = students
  const rosa = await createPayer(sensei, [mia!, leo!])
  const ben = await server.createGuardian(sensei, [mia!, leo!], { name: 'Ben Diaz' })
  const { act_id } = await pay([mia!, leo!], 50)
  const kensPayment = await pay([ken!])
  const jointPayment = await payTogether(sensei, [ken!])
  const otherReceipt = (await issue(jointPayment.act_id)).body
  for (const person of [ben, mia!, ken!]) {
    expect(await listPayments(person)).toEqual([])
    expect(await person.post('/receipts', { act_id })).toMatchObject(NOT_FOUND)
  }
  expect(await rosa.post('/receipts', { act_id: kensPayment.act_id })).toMatchObject(NOT_FOUND)
  expect((await rosa.get(`/receipts/${otherReceipt.id}`)).status).toBe(404)

  const { id } = (await rosa.post('/receipts', { act_id })).body
  expect((await ben.get(`/receipts/${id}`)).status).toBe(404)
  // A receipt for Leo and Mia needs the right to see the fees of both.
  await sensei.put(`/guardians/${rosa.id}/students/${mia!.id}`, { sees_fees: false })
  expect(await listPayments(rosa)).toEqual([])
  expect((await rosa.get(`/receipts/${id}`)).status).toBe(404)
  expect(await rosa.post('/receipts', { act_id })).toMatchObject(NOT_FOUND)
})

test('does not name other guardians, or guardians who may not have paid', async () => {
  const { sensei, students, pay, issue } = await createDojo('Mia Diaz')
  const [mia] = students
  const earlierPayment = await pay(students)
  setClock('2026-03-06T18:00:00Z')
  const rosa = await createPayer(sensei, students)
  // Rosa was linked after the payment.
  expect((await rosa.post('/receipts', { act_id: earlierPayment.act_id })).body.payer_name).toBe(
    'Family of Mia Diaz',
  )
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Diaz',
    students: [{ student_id: mia!.id, sees_fees: true }],
  })
  const firstPayment = await payTogether(sensei, students)
  const issuedReceipt = (await issue(firstPayment.act_id)).body
  expect(issuedReceipt.payer_name).toBe('Rosa Diaz')
  expect((await rosa.get(`/receipts/${issuedReceipt.id}`)).body.payer_name).toBe('Rosa Diaz')
  expect((await ben.get(`/receipts/${issuedReceipt.id}`)).body.payer_name).toBe(
    'Family of Mia Diaz',
  )
  const { act_id } = await payTogether(sensei, students)
  const openedReceipt = (await ben.post('/receipts', { act_id })).body
  expect([openedReceipt.payer_name, openedReceipt.lines[0].student_name]).toEqual([
    'Family of Mia Diaz',
    'Mia Diaz',
  ])
})

test('keeps the receipts of a guardian whose children have left', async () => {
  const { sensei, students, pay, issue } = await createDojo('Mia Diaz', 'Leo Diaz')
  const rosa = await createPayer(sensei, students)
  const payment = await pay(students, 50)
  const receipt = (await issue(payment.act_id)).body
  const { act_id } = await payTogether(sensei, [students[0]!])
  const leaving = { left_on: receipt.issued_on, reason: 'cost' }
  for (const { id } of students) await sensei.post(`/students/${id}/leave`, leaving)
  expect((await rosa.get('/family/home')).body.children).toEqual([])
  expect((await listPayments(rosa)).length).toBe(2)
  expect((await rosa.get(`/receipts/${receipt.id}`)).body).toEqual(receipt)
  expect((await rosa.post('/receipts', { act_id })).status).toBe(200)
})

test('leaves out instructors’ notes in a receipt that a guardian opens', async () => {
  const { sensei, students } = await createDojo('Mia Diaz')
  const rosa = await createPayer(sensei, students)
  const [mia] = students
  const charge = { kind: 'equipment', amount: 40, note: 'Tore the first gi' }
  await sensei.post('/charges', { ...charge, student_ids: [mia!.id] })
  const { act_id } = await payTogether(sensei, students)
  const { status, body } = await rosa.post('/receipts', { act_id })
  expect(status).toBe(200)
  expect(JSON.stringify([body, await listPayments(rosa)])).not.toContain('Tore')
})
