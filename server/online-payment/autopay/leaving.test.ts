import { expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { server, createAutopayer, createPayer, turnOnAutopay, readHome, clientOf } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

const LEAVING = { left_on: '2026-03-12', reason: 'schedule' }

test('autopay continues for the other students when one leaves', async () => {
  const { sensei, students, ana } = await createAutopayer()
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(sensei)
  const [leo, mia] = students.map(({ id }) => `/students/${id}`)
  expect((await instructor.get(`${leo}/leaving-impact`)).body.autopay).toBe('goes_on')
  expect((await instructor.post(`${leo}/leave`, LEAVING)).status).toBe(200)
  const accountsOf = async (path = '') => (await instructor.get(`${path}/autopay`)).body.payer
  expect(await accountsOf(leo)).toMatchObject({ autopay: null })
  expect(await accountsOf(mia)).toMatchObject({
    autopay: { next_on: '2026-04-01', next_amount: 80 },
  })
  expect(await readHome(ana)).toMatchObject({ autopay: { next: { amount: 80 } } })
})

test('autopay ends when the last student leaves, the debt stays, and the payer is told', async () => {
  const { sensei, students, ana } = await createPayer('2026-03-10', { Leo: 95 })
  await turnOnAutopay(ana)
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(sensei)
  const path = `/students/${students[0]?.id}`
  expect((await instructor.get(`${path}/leaving-impact`)).body.autopay).toBe('ends')
  expect((await instructor.post(`${path}/leave`, LEAVING)).status).toBe(200)
  expect((await instructor.get(`${path}/autopay`)).body.payer).toBeNull()
  expect(await readHome(ana)).toMatchObject({ owed: 95, autopay: null, method: null })
  const { body } = await (await clientOf(ana)).get('/notifications')
  expect(body[0].title).toBe('Autopay is off')
  expect(body[0].message).toContain(
    'nobody is left to pay for. What is still owed has to be paid another way.',
  )
  await autopay.liveThrough('2026-04-01')
  expect(await autopay.readTaken(sensei)).toEqual([])
})

test.each([
  ['today', '2026-03-12'],
  ['yesterday', '2026-03-11'],
])('autopay of an adult whose last day is %s ends at once', async (_, left_on) => {
  const { sensei } = await createPayer('2026-03-10', {})
  const marcus = await server.createStudent(sensei, {
    name: 'Marcus Cole',
    date_of_birth: '1990-05-05',
    monthly_payment_amount: 120,
  })
  await turnOnAutopay(marcus)
  autopay.setDay('2026-03-12')
  const instructor = await clientOf(sensei)
  const path = `/students/${marcus.id}`
  expect((await instructor.get(`${path}/autopay`)).body.payer.autopay).not.toBeNull()
  expect((await instructor.get(`${path}/leaving-impact`)).body.autopay).toBe('ends')
  expect((await instructor.post(`${path}/leave`, { ...LEAVING, left_on })).status).toBe(200)
  expect((await instructor.get(`${path}/autopay`)).body.payer).toBeNull()
  expect(
    await autopay.queryRows(sensei, 'select id from saved_methods where stopped_at is null'),
  ).toEqual([])
})

test('without autopay, nothing is said of it', async () => {
  const { sensei, students } = await createPayer('2026-03-10', { Leo: 95 })
  const { body } = await sensei.get(`/students/${students[0]?.id}/leaving-impact`)
  expect(body.autopay).toBe('none')
})
