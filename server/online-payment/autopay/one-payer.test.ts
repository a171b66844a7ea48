import { describe, expect, test, vi } from 'vitest'
import type { ApiClient } from '../../test/test-server.ts'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { server, stripe, clientOf, readHome, turnOnAutopay, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

/** Marcus trains, pays for himself by autopay, and has paid March. Jack is a child. */
async function createAdultStudent() {
  const { sensei, students } = await autopay.createPayer('2026-03-10', { Jack: 80 })
  const jack = students[0] ?? sensei
  const marcus = await server.createStudent(sensei, {
    name: 'Marcus Green',
    date_of_birth: '1990-05-05',
    monthly_payment_amount: 95,
  })
  await autopay.payInCash(sensei, marcus.id, 95)
  await autopay.payInCash(sensei, jack.id, 80)
  await turnOnAutopay(marcus)
  return {
    sensei,
    jack,
    marcus,
    /** The instructor lets Marcus pay for Jack. */
    letMarcusPayForJack: async () => {
      const link = { student_id: jack.id, relation: 'father', pays: true }
      const instructor = await clientOf(sensei)
      const { status } = await instructor.post('/guardians', {
        account_id: marcus.id,
        students: [link],
      })
      expect(status).toBe(200)
    },
    readPayers: () => queryRows(sensei, 'select guardian_id, student_id from online_payers'),
    payerOf: async (student: { id: string }) =>
      (await (await clientOf(sensei)).get(`/students/${student.id}/autopay`)).body.payer,
  }
}

describe('an adult student with autopay who begins to pay for a child', () => {
  test('keeps it, for both, with one debit on the day', async () => {
    const { sensei, jack, marcus, letMarcusPayForJack, payerOf } = await createAdultStudent()
    await letMarcusPayForJack()
    expect(await readHome(marcus)).toMatchObject({
      method: { last4: '4242' },
      autopay: { day_of_month: 1, next: { on: '2026-04-01', amount: 175 } },
    })
    for (const student of [marcus, jack])
      expect(await payerOf(student)).toMatchObject({
        payer_name: 'Marcus Green',
        autopay: { next_amount: 175 },
      })
    await autopay.liveThrough('2026-03-29')
    await autopay.liveThrough('2026-04-01')
    expect(await autopay.readTaken(sensei)).toEqual([17500])
    expect(await queryRows(sensei, 'select state from autopay_debits')).toEqual([{ state: 'paid' }])
    expect(stripe.violations).toEqual([])
  })

  test('cannot set up a second one, and stops the only one', async () => {
    const { sensei, marcus, letMarcusPayForJack, readPayers } = await createAdultStudent()
    await letMarcusPayForJack()
    const { status, body } = await autopay.agree(marcus, { day_of_month: 5 })
    expect([status, body]).toEqual([200, { url: null }])
    expect(await readHome(marcus)).toMatchObject({ autopay: { day_of_month: 5 } })
    expect(await readPayers()).toHaveLength(1)
    expect((await (await clientOf(marcus)).post('/payer/autopay/stop')).status).toBe(200)
    expect(await readHome(marcus)).toMatchObject({ autopay: null, method: null })
    await autopay.liveThrough('2026-04-05')
    expect(await autopay.readTaken(sensei)).toEqual([])
  })

  test('keeps it for themselves when the child gets another payer, or the guardian is deleted', async () => {
    const { sensei, jack, marcus, letMarcusPayForJack } = await createAdultStudent()
    await letMarcusPayForJack()
    const instructor = await clientOf(sensei)
    await instructor.delete(`/guardians/${marcus.id}/students/${jack.id}`)
    expect(await readHome(marcus)).toMatchObject({ autopay: { next: { amount: 95 } } })
    expect((await instructor.delete(`/guardians/${marcus.id}`)).status).toBe(200)
    expect(await readHome(marcus)).toMatchObject({ autopay: { next: { amount: 95 } } })
    await autopay.liveThrough('2026-03-29')
    await autopay.liveThrough('2026-04-01')
    expect(await autopay.readTaken(sensei)).toEqual([9500])
  })

  test('keeps it for the child when they are deleted as a student', async () => {
    const { sensei, jack, marcus, letMarcusPayForJack, payerOf } = await createAdultStudent()
    await letMarcusPayForJack()
    const instructor = await clientOf(sensei)
    expect((await instructor.delete(`/students/${marcus.id}`)).status).toBe(200)
    expect(await payerOf(jack)).toMatchObject({ autopay: { next_amount: 80 } })
    expect(await readHome(marcus)).toMatchObject({ autopay: { next: { amount: 80 } } })
  })
})

describe('a parent who used the login of a child', () => {
  async function createChildWithAutopay() {
    const { sensei, students } = await autopay.createPayer('2026-03-10', { Mia: 80 })
    const leo = await server.createStudent(sensei, {
      name: 'Leo Diaz',
      date_of_birth: '2014-05-05',
      monthly_payment_amount: 95,
    })
    await autopay.payInCash(sensei, leo.id, 95)
    await turnOnAutopay(leo)
    return { sensei, leo, mia: students[0] ?? leo }
  }
  const makeFamily = (sensei: ApiClient, leo: { id: string }, parent: object) =>
    sensei.post('/families', {
      ...parent,
      students: [{ student_id: leo.id, relation: 'mother', log_in: 'move' }],
    })

  test('keeps autopay when the login becomes theirs, and when that is undone', async () => {
    const { sensei, leo } = await createChildWithAutopay()
    const parent = { guardian: { name: 'Eva Diaz', phone: '(512) 555-7778' } }
    const { status, body } = await makeFamily(sensei, leo, parent)
    expect(status).toBe(200)
    expect(await readHome(body.guardian)).toMatchObject({ autopay: { next: { amount: 95 } } })
    const undo = await sensei.post(`/families/changes/${body.change.id}/undo`)
    expect(undo.status).toBe(200)
    expect(await readHome(leo)).toMatchObject({ autopay: { next: { amount: 95 } } })
    await autopay.liveThrough('2026-03-29')
    await autopay.liveThrough('2026-04-01')
    expect(await autopay.readTaken(sensei)).toEqual([9500])
  })

  test('keeps it beside a pay link that they got for another child', async () => {
    const { sensei, leo, mia } = await createChildWithAutopay()
    const reply = await sensei.post('/guardians', {
      name: 'Eva Diaz',
      students: [{ student_id: mia.id, relation: 'mother', pays: true }],
    })
    const eva = reply.body.guardian
    const link = await autopay.createLink(sensei, mia.id)
    expect((await makeFamily(sensei, leo, { guardian_id: eva.id })).status).toBe(200)
    expect(await readHome(eva)).toMatchObject({ owed: 80, autopay: { day_of_month: 1 } })
    expect((await autopay.openPage(link)).html).toContain('Pay $80.00')
  })
})

describe('another payer', () => {
  /** Ana pays for Leo. Ben, his father, can pay for him, too. */
  async function createParents() {
    const family = await autopay.createPayer('2026-03-10', { Leo: 95 })
    const leo = family.students[0] ?? family.ana
    const ben = await server.createGuardian(family.sensei, [], {
      name: 'Ben Diaz',
      students: [{ student_id: leo.id, relation: 'father' }],
    })
    const setPayer = async (payer: { id: string }) => {
      const instructor = await clientOf(family.sensei)
      const { status } = await instructor.put(`/guardians/${payer.id}/students/${leo.id}`, {
        pays: true,
      })
      expect(status).toBe(200)
    }
    const pay = async (payer: { id: string }) =>
      (await clientOf(payer)).post('/payer/pay', { amount: 95 })
    return { ...family, leo, ben, setPayer, pay }
  }
  const sessionOf = ({ body }: { body: { url: string } }) =>
    stripe.account().store['checkout.session'].get(body.url.split('/').at(-1) ?? '')

  test('takes over a payment that the former payer has only begun', async () => {
    const { ana, ben, setPayer, pay } = await createParents()
    const anasReply = await pay(ana)
    await setPayer(ben)
    const bensReply = await pay(ben)
    expect(bensReply.status).toBe(200)
    expect(sessionOf(anasReply)?.status).toBe('expired')
    expect(sessionOf(bensReply)?.status).toBe('open')
  })

  test('does not pay what the former payer’s bank is bringing already', async () => {
    const { sensei, ana, ben, leo, setPayer, pay } = await createParents()
    await autopay.complete((await pay(ana)).body.url, 'usBankAccount')
    await setPayer(ben)
    expect(await readHome(ben)).toMatchObject({ owed: 0, on_its_way: 95 })
    expect((await pay(ben)).status).toBe(409)
    await autopay.liveThrough('2026-03-16')
    const { body } = await (await clientOf(sensei)).get(`/students/${leo.id}/account`)
    expect(body.balance).toBe(0)
  })

  test('does not inherit autopay, which continues if the change is undone the same day', async () => {
    const { sensei, ana, ben, leo, setPayer } = await createParents()
    await autopay.payInCash(sensei, leo.id, 95)
    await turnOnAutopay(ana)
    await setPayer(ben)
    expect(await readHome(ben)).toMatchObject({ autopay: null, method: null })
    await setPayer(ana)
    expect(await readHome(ana)).toMatchObject({ autopay: { next: { amount: 95 } } })
    await autopay.liveThrough('2026-03-29')
    await autopay.liveThrough('2026-04-01')
    expect(await autopay.readTaken(sensei)).toEqual([9500])
  })

  test('may be a student of 18 with autopay of their own, and the parent’s ends', async () => {
    const { sensei, ana, leo, setPayer } = await createParents()
    await autopay.payInCash(sensei, leo.id, 95)
    await turnOnAutopay(ana)
    const instructor = await clientOf(sensei)
    await instructor.put(`/guardians/${ana.id}/students/${leo.id}`, { pays: false })
    await turnOnAutopay(leo)
    const emails = await autopay.liveThrough('2026-03-29')
    expect(emails.find(({ to }) => to === ana.email)?.text).toContain('nobody is left to pay for')
    await autopay.liveThrough('2026-04-01')
    expect(await autopay.readTaken(sensei)).toEqual([9500])
    await setPayer(ana)
    expect(await readHome(ana)).toMatchObject({ autopay: null })
    await autopay.liveThrough('2026-04-28')
    await autopay.liveThrough('2026-05-01')
    expect(await autopay.readTaken(sensei)).toEqual([9500])
  })
})
