import { expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { server, createPayer, turnOnAutopay, clientOf, readHome, stripe } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

test('only the payer sees and changes how they pay', async () => {
  const { sensei, students, ana } = await createPayer('2026-03-10', { Leo: 95 })
  await turnOnAutopay(ana)
  const leo = students[0] ?? ana
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Diaz',
    students: [{ student_id: leo.id, relation: 'father', pays: false, sees_fees: true }],
  })
  for (const person of [ben, leo]) {
    const client = await clientOf(person)
    expect((await client.get('/payer/home')).body).toEqual({ home: null })
    expect((await client.post('/payer/pay', { amount: 95 })).status).toBe(404)
    expect((await client.post('/payer/method')).status).toBe(404)
    expect((await client.post('/payer/autopay/stop')).status).toBe(200)
    expect((await client.get(`/students/${leo.id}/autopay`)).status).toBe(403)
  }
  expect((await readHome(ana)).autopay).not.toBeNull()
  expect((await server.anonymous.get('/payer/home')).status).toBe(401)
})

test('staff who take payments see autopay and stop it, and see amounts only with that right', async () => {
  const { sensei, students, ana } = await createPayer('2026-03-10', { Leo: 95 })
  await turnOnAutopay(ana)
  const path = `/students/${students[0]?.id}/autopay`
  const helper = await server.createStaff(sensei, { rights: ['students.read'] })
  expect((await helper.get(path)).status).toBe(403)
  expect((await helper.post(`${path}/stop`, { reason: 'No right' })).status).toBe(403)
  const desk = await server.createStaff(sensei, { rights: ['students.read', 'money.take'] })
  expect((await desk.get(path)).body.payer).toMatchObject({
    payer_name: 'Ana Diaz',
    autopay: { next_on: '2026-04-01', next_amount: null },
  })
  expect((await sensei.get(path)).body.payer.autopay).toEqual({
    next_on: '2026-04-01',
    next_amount: 190,
    is_over_limit: false,
    left_out: [],
  })
  const bookkeeper = await server.createStaff(sensei, { rights: ['students.read', 'money.see'] })
  expect((await bookkeeper.get(path)).status).toBe(403)
  expect((await bookkeeper.post(`${path}/stop`, { reason: 'No right' })).status).toBe(403)
  expect((await readHome(ana)).autopay).not.toBeNull()
  expect((await desk.post(`${path}/stop`, { reason: 'Asked at the desk' })).status).toBe(200)
  expect((await readHome(ana)).autopay).toBeNull()
})

test('another school sees and stops nothing', async () => {
  const { students, ana } = await createPayer('2026-03-10', { Leo: 95 })
  await turnOnAutopay(ana)
  const otherSensei = await server.createSensei()
  const path = `/students/${students[0]?.id}/autopay`
  expect((await otherSensei.get(path)).status).toBe(404)
  expect((await otherSensei.post(`${path}/stop`, { reason: 'Not mine' })).status).toBe(404)
  expect((await readHome(ana)).autopay).not.toBeNull()
})

test('a parent who trains, too, is one payer', async () => {
  const { sensei, ana, students } = await createPayer('2026-03-10', { Leo: 95 })
  const trainer = students[0] ?? ana
  const child = await server.createStudent(sensei, {
    name: 'Kim Diaz',
    monthly_payment_amount: 60,
  })
  const parent = {
    account_id: trainer.id,
    students: [{ student_id: child.id, relation: 'mother', pays: true }],
  }
  expect((await sensei.post('/guardians', parent)).status).toBe(200)
  await sensei.delete(`/guardians/${ana.id}`)
  expect(await readHome(trainer)).toMatchObject({ owed: 155, terms: { usual_amount: 155 } })
  expect(stripe.violations).toEqual([])
})
