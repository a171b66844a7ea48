import type { OnlineStudent } from '@tatami/contract/online-payment/online-students'
import { describe, expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { createAutopayer, createPayer, clientOf, payInCash, payOnline, stripe } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

type Sensei = { id: string }

const listStudents = async (sensei: Sensei): Promise<OnlineStudent[]> => {
  const { status, body } = await (await clientOf(sensei)).get('/online-payment/students')
  expect(status).toBe(200)
  return body
}

describe('the list of students who are paid for online', () => {
  test('says who pays by autopay, and when', async () => {
    const { sensei, students } = await createAutopayer()
    const rows = await listStudents(sensei)
    expect(rows).toHaveLength(students.length)
    expect(rows[0]).toEqual({
      student_id: students[0]?.id,
      autopay: { next_on: '2026-04-01' },
      on_its_way: 0,
      is_turned_off: false,
      problem: null,
      link_sent_on: null,
    })
  })

  test('says why a card was declined and when it is tried again, until the debt is paid', async () => {
    const { sensei, students, liveThrough, setBank } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('visa_chargeDeclinedInsufficientFunds')
    await liveThrough('2026-04-01')
    const rows = await listStudents(sensei)
    expect(rows.map(({ problem, link_sent_on }) => ({ problem, link_sent_on }))).toEqual(
      students.map(() => ({
        problem: {
          kind: 'card',
          reason: 'Not enough money in the account',
          next_step: 'retry',
          retry_on: '2026-04-03',
        },
        // The text about the decline has a link.
        link_sent_on: '2026-04-01',
      })),
    )
    const client = await clientOf(sensei)
    for (const [index, { id }] of students.entries())
      await payInCash(client, id, [95, 80][index] ?? 0)
    expect((await listStudents(sensei)).map(({ problem }) => problem)).toEqual([null, null])
  })

  test('says that an expired card waits for a new one', async () => {
    const { sensei, liveThrough, setBank } = await createAutopayer()
    await liveThrough('2026-03-29')
    await setBank('chargeDeclinedExpiredCard')
    await liveThrough('2026-04-01')
    expect((await listStudents(sensei))[0]?.problem).toMatchObject({
      reason: 'The card has expired',
      next_step: 'new_method',
      retry_on: null,
    })
  })

  test('says what a bank is bringing, and why it brought nothing', async () => {
    const { sensei, students } = await createPayer('2026-03-10', { Leo: 95 })
    const [leo] = students
    if (!leo) throw new Error('No student was created')
    await payOnline(sensei, leo.id, 'usBankAccount_insufficientFunds')
    expect(await listStudents(sensei)).toMatchObject([{ on_its_way: 95, problem: null }])
    autopay.setDay('2026-03-16')
    stripe.advance()
    await autopay.performTasks()
    expect(await listStudents(sensei)).toMatchObject([
      {
        on_its_way: 0,
        problem: {
          kind: 'bank',
          next_step: 'ask_payer',
          reason: 'Not enough money in the account',
        },
      },
    ])
  })

  test('tells the front desk what is on its way, without the sum', async () => {
    const { sensei, students } = await createPayer('2026-03-10', { Leo: 95, Mia: 80 })
    const leo = students[0]?.id ?? ''
    const desk = await autopay.server.createStaff(sensei, {
      rights: ['students.read', 'money.take'],
    })
    expect((await desk.get('/online-payment/on-their-way')).body).toEqual([])
    await payOnline(sensei, leo, 'usBankAccount')
    const { body } = await desk.get('/online-payment/on-their-way')
    expect(body).toEqual(
      expect.arrayContaining(students.map(({ id: student_id }) => ({ student_id }))),
    )
    expect(body).toHaveLength(2)
    expect((await desk.get('/online-payment/students')).status).toBe(403)
    const { body: statement } = await sensei.get(`/statements?year=2026&student_id=${leo}`)
    expect(statement).toMatchObject({ owed: 95, on_its_way: 95 })
  })

  test('does not count a link as sent that was only shown', async () => {
    const { sensei, students } = await createPayer('2026-03-10', { Leo: 95 })
    await autopay.createLink(sensei, students[0]?.id ?? '')
    expect(await listStudents(sensei)).toEqual([])
  })

  test('is empty without a key', async () => {
    const sensei = await autopay.server.createSensei()
    await autopay.server.createStudent(sensei, { name: 'Kim' })
    expect(await listStudents(sensei)).toEqual([])
  })
})
