import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog } from '../audit/tables.ts'
import { newId } from '../db/columns.ts'
import { dojoIdOf, signInAs } from '../test/fixtures.ts'
import { setClock } from '../test/clock.ts'
import { paymentFixtures } from '../test/paid-dojos.ts'
import { startTestServer } from '../test/test-server.ts'
import { receiptCounters } from './tables.ts'

const server = await startTestServer()

const { createDojo, createPayer } = paymentFixtures(server)
type ListedReceipt = {
  number: string
  total: number
  payer_name: string | null
  lines: { student_name: string | null }[]
}

describe('a receipt', () => {
  test('shows what was received, who paid and what for', async () => {
    const { students, pay, issue } = await createDojo('Ken Adams')
    const { act_id } = await pay(students)
    const { status, body } = await issue(act_id)
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String) as string,
        act_id,
        number: '2026-0001',
        issued_on: '2026-03-05',
        issued_by: 'Aiko Tanaka',
        dojo_name: 'Cedar Park Judo',
        payer_name: 'Ken Adams',
        total: 85.5,
        refunded: 0,
        cancelled_on: null,
        lines: [
          {
            student_id: students[0]!.id,
            student_name: 'Ken Adams',
            kind: 'month',
            month: 2,
            year: 2026,
            note: null,
            amount: 85.5,
            method: 'cash',
            received_on: '2026-03-05',
            taken_back_on: null,
            tax: null,
            tax_percent: null,
          },
        ],
      },
    ])
  })

  test('is issued once for a payment, and recorded in the audit log without names', async () => {
    const { sensei, dojoId, students, pay, issue } = await createDojo('Ken Adams')
    const { act_id } = await pay(students)
    const { body } = await issue(act_id)
    expect((await issue(act_id)).body).toEqual(body)
    expect((await sensei.get(`/receipts/${body.id}`)).body).toEqual(body)
    const auditEntries = await server.db.withoutDojo((tx) =>
      tx
        .select()
        .from(auditLog)
        .where(sql`${auditLog.dojo_id} = ${dojoId} and ${auditLog.action} = 'receipt issued'`),
    )
    expect(auditEntries.map(({ details }) => details)).toEqual([
      { number: '2026-0001', total: 85.5 },
    ])
  })

  test('has a line for each child of a family, and the payer’s name', async () => {
    const { sensei, students, pay, issue } = await createDojo('Mia Diaz', 'Leo Diaz')
    await createPayer(sensei, students)
    const { act_id } = await pay(students, 50)
    const { body } = await issue(act_id)
    expect([
      body.payer_name,
      body.total,
      body.lines.map((line: { student_name: string }) => line.student_name),
    ]).toEqual(['Rosa Diaz', 100, ['Leo Diaz', 'Mia Diaz']])
  })

  test('is issued for one family at a time if several families paid together', async () => {
    const { students, pay, issue } = await createDojo('Ken Adams', 'Ben Moss')
    const { act_id } = await pay(students)
    expect(await issue(act_id)).toMatchObject({
      status: 409,
      body: { detail: 'Several families paid together. Choose whose receipt you want.' },
    })
    const ken = await issue(act_id, students[0]!.id)
    const ben = await issue(act_id, students[1]!.id)
    expect([ken.body.number, ken.body.payer_name, ben.body.number, ben.body.payer_name]).toEqual([
      '2026-0001',
      'Ken Adams',
      '2026-0002',
      'Ben Moss',
    ])
    expect((await issue(act_id, students[0]!.id)).body).toEqual(ken.body)
  })

  test('does not change when the student is renamed', async () => {
    const { sensei, students, pay, issue } = await createDojo('Ken Adams')
    const { act_id } = await pay(students)
    const { body } = await issue(act_id)
    await sensei.put(`/students/${students[0]!.id}`, {
      ...students[0],
      name: 'Kenneth Adams',
      class_preferences: ['saturday'],
    })
    expect((await sensei.get(`/receipts/${body.id}`)).body).toEqual(body)
  })

  test('is canceled if the payment is undone, and valid again if the undo is undone', async () => {
    const { sensei, students, ledger, pay, issue } = await createDojo('Ken Adams')
    const { act_id, lines } = await pay(students)
    const { body } = await issue(act_id)
    const { ids } = await ledger.undoLines(lines, '2026-03-09')
    const changedReceipt = (await sensei.get(`/receipts/${body.id}`)).body
    expect([
      changedReceipt.cancelled_on,
      changedReceipt.total,
      changedReceipt.lines[0].taken_back_on,
    ]).toEqual(['2026-03-09', 85.5, '2026-03-09'])
    await ledger.undoLines([{ ...lines[0]!, amount: 85.5, id: ids[0]! }], '2026-03-10')
    expect((await sensei.get(`/receipts/${body.id}`)).body).toEqual(body)
  })

  test('is not canceled when only one of its payments is undone', async () => {
    const { sensei, students, ledger, pay, issue } = await createDojo('Mia Diaz', 'Leo Diaz')
    await createPayer(sensei, students)
    const { act_id, lines } = await pay(students, 50)
    const { body } = await issue(act_id)
    await ledger.undoLines([lines[0]!], '2026-03-09')
    const changedReceipt = (await sensei.get(`/receipts/${body.id}`)).body
    expect([
      changedReceipt.cancelled_on,
      changedReceipt.lines.map((line: { taken_back_on: string }) => line.taken_back_on),
    ]).toEqual([null, [null, '2026-03-09']])
  })

  test('is not issued for an undone payment, or for no payment', async () => {
    const { students, ledger, pay, issue } = await createDojo('Ken Adams')
    const { act_id, lines } = await pay(students)
    const undoAct = await ledger.undoLines(lines, '2026-03-06')
    const readRefusal = async (actId: string) => (await issue(actId)).body.detail
    expect(await readRefusal(act_id)).toBe('This payment was undone, so there is no receipt.')
    expect(await readRefusal(undoAct.act_id)).toBe('No money was received, so there is no receipt.')
    expect(await issue(newId())).toMatchObject({
      status: 404,
      body: { detail: 'Payment not found' },
    })
    expect(await issue(act_id, newId())).toMatchObject({ status: 404 })
  })

  test('keeps its number and total, but no names, when the student is deleted', async () => {
    const { sensei, students, ledger, pay, issue } = await createDojo('Ken Adams', 'Ben Moss')
    const kensPayment = await pay([students[0]!])
    const bensPayment = await pay([students[1]!])
    const kensReceipt = (await issue(kensPayment.act_id)).body
    const bensReceipt = (await issue(bensPayment.act_id)).body
    await ledger.undoLines(kensPayment.lines, '2026-03-09')
    await sensei.delete(`/students/${students[0]!.id}`)
    expect((await sensei.get(`/receipts/${kensReceipt.id}`)).body).toEqual({
      ...kensReceipt,
      payer_name: null,
      cancelled_on: '2026-03-09',
      lines: [
        {
          ...kensReceipt.lines[0],
          student_id: null,
          student_name: null,
          taken_back_on: '2026-03-09',
        },
      ],
    })
    expect((await issue(kensPayment.act_id)).body.id).toBe(kensReceipt.id)
    expect((await sensei.get(`/receipts/${bensReceipt.id}`)).body).toEqual(bensReceipt)
    const { rows } = await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
      tx.execute(sql`select * from receipt_lines where student_id is null`),
    )
    expect(JSON.stringify(rows)).not.toContain('Adams')
  })

  test('does not name a payer who has been deleted', async () => {
    const { sensei, students, pay, issue } = await createDojo('Mia Diaz')
    const rosa = await createPayer(sensei, students)
    const { act_id } = await pay(students)
    const { body } = await issue(act_id)
    await sensei.delete(`/guardians/${rosa.id}`)
    const changedReceipt = (await sensei.get(`/receipts/${body.id}`)).body
    expect([changedReceipt.payer_name, changedReceipt.lines[0].student_name]).toEqual([
      null,
      'Mia Diaz',
    ])
  })
})

describe('receipt numbers', () => {
  test('start at 1 each year, in the dojo’s time zone', async () => {
    const { sensei, students, pay } = await createDojo('Ken Adams', 'Ben Moss', 'Cleo Nash')
    const numbers = []
    // At the second time, it is still 2026 in Chicago.
    for (const [index, moment] of [
      '2026-03-05T18:00:00Z',
      '2027-01-01T05:30:00Z',
      '2027-01-01T06:30:00Z',
    ].entries()) {
      const { act_id } = await pay([students[index]!])
      setClock(moment)
      const client = server.clientFor(await signInAs(server.db, sensei.id))
      numbers.push((await client.post('/receipts', { act_id })).body.number)
    }
    expect(numbers).toEqual(['2026-0001', '2026-0002', '2027-0001'])
  })

  test('have no gaps or duplicates with concurrent requests, some of which fail', async () => {
    const { sensei, dojoId, students, pay, issue } = await createDojo(
      'Ken Adams',
      ...Array.from({ length: 19 }, (_, index) => `Student ${'ABCDEFGHIJKLMNOPQRS'[index]}`),
    )
    const acts: string[] = []
    for (const student of students) acts.push((await pay([student])).act_id)
    const failures = [1, 2, 3, 4, 5].map(() => failAfterNumber(dojoId))
    const responses = await Promise.all(
      [...acts, ...acts.slice(0, 5), newId(), newId()].map((act) => issue(act)),
    )
    await Promise.all(failures)
    const issuedNumbers = responses
      .filter(({ status }) => status === 200)
      .map(({ body }) => body.number as string)
    expect([issuedNumbers.length, new Set(issuedNumbers).size]).toEqual([25, 20])
    const listedReceipts = (await sensei.get('/receipts?year=2026')).body as ListedReceipt[]
    expect(listedReceipts.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, index) => `2026-${String(20 - index).padStart(4, '0')}`),
    )
  })

  /** Takes the next number as a new receipt would, and then fails. */
  const failAfterNumber = (dojoId: string) =>
    expect(
      server.db.inDojo(dojoId, async (tx) => {
        await tx.insert(receiptCounters).values({ year: 2026, last: 0 }).onConflictDoNothing()
        await tx.update(receiptCounters).set({ last: sql`${receiptCounters.last} + 1` })
        await tx.execute(sql`select pg_sleep(0.02)`)
        throw new Error('failed')
      }),
    ).rejects.toThrow('failed')
})

test('lists a year in pages, newest first', async () => {
  const { sensei, students, pay, issue } = await createDojo('Ken Adams', 'Ben Moss', 'Cleo Nash')
  for (const student of students) await issue((await pay([student])).act_id)
  const readPage = async (query: string) =>
    (await sensei.get(`/receipts?${query}`)).body as (ListedReceipt & { id: string })[]
  const firstPage = await readPage('year=2026&limit=2')
  expect(firstPage.map(({ number }) => number)).toEqual(['2026-0003', '2026-0002'])
  expect(
    (await readPage(`year=2026&limit=2&before=${firstPage[1]!.id}`)).map(
      ({ payer_name }) => payer_name,
    ),
  ).toEqual(['Ken Adams'])
  expect(await readPage('year=2025')).toEqual([])
  expect((await sensei.get('/receipts?year=soon')).body.detail).toBe(
    'Year must be between 2000 and 2199',
  )
})
