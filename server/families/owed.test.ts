import { expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const runJobs = () =>
  runDueJobs(server.db, (error) => {
    throw error
  })

type Fees = { owed: number; credit: number; charges: { kind: string; owed: number }[] }
type Child = { name: string; fees: Fees | null }
type OwingFamily = { students: { name: string; owed: number }[]; total: number }

/** Ann pays for Leo and Mia, and Ben sees Mia's fees. It is February, and January is unpaid. */
async function setUpFamily() {
  setClock('2027-01-10T15:00:00Z')
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, {
    name: 'Leo Chen',
    monthly_payment_amount: 60,
    phone_number: '512 555 0177',
  })
  const mia = await server.createStudent(sensei, {
    name: 'Mia Chen',
    monthly_payment_amount: 70,
    phone_number: '512 555 0177',
  })
  const ids = [leo.id, mia.id]
  const ann = await server.createGuardian(sensei, [], {
    name: 'Ann Chen',
    phone: '512 555 0177',
    students: ids.map((student_id) => ({ student_id, pays: true })),
  })
  const ben = await server.createGuardian(sensei, [], {
    name: 'Ben Chen',
    students: [{ student_id: leo.id }, { student_id: mia.id, sees_fees: true }],
  })
  await runJobs()
  setClock('2027-02-10T15:00:00Z')
  await runJobs()
  return {
    leo,
    mia,
    ids,
    sensei: await server.signIn(sensei.email),
    ann: await server.signIn(ann.email),
    ben: await server.signIn(ben.email),
  }
}

type Family = Awaited<ReturnType<typeof setUpFamily>>

/** Reads what the family owes from each screen, text and statement. They must all agree. */
async function readOwedAmounts({ sensei, ann, ids }: Family) {
  const home = (await ann.get('/family/home')).body
  const fees = home.children.flatMap((child: Child) => child.fees ?? [])
  const [owing]: OwingFamily[] = (await sensei.get('/owing')).body
  const accounts = await Promise.all(
    ids.map(async (id) => (await sensei.get(`/students/${id}/account`)).body),
  )
  const preview = await sensei.post('/sms/preview', {
    message_type: 'monthly_fee',
    amount_of: 'balance',
    custom_message: 'Please pay {amount}.',
    selected_students: ids,
  })
  const statements = await Promise.all(
    ids.map(async (id) => (await sensei.get(`/statements?year=2027&student_id=${id}`)).body),
  )
  return {
    home: fees.map(({ owed }: Fees) => owed),
    homeCharges: fees.map(({ charges }: Fees) => charges.reduce((sum, { owed }) => sum + owed, 0)),
    homeTotal: home.total.owed,
    owing: owing?.students.map(({ owed }) => owed) ?? [0, 0],
    owingTotal: owing?.total ?? 0,
    accounts: accounts.map(({ balance }) => Math.max(0, balance)),
    statements: statements.map(({ owed }) => owed),
    texted: preview.body.students.map(({ amount }: { amount: number }) => amount),
  }
}

test('shows a guardian the same amounts as the instructor, for each charge', async () => {
  const family = await setUpFamily()
  const { sensei, ann, leo, mia } = family
  await sensei.post('/charges', {
    student_ids: [mia.id],
    kind: 'grading',
    amount: 50,
    note: 'Tested late, again',
  })
  await sensei.post('/payments', { student_id: leo.id, amount: 20 })
  expect(await readOwedAmounts(family)).toMatchObject({
    home: [100, 190],
    homeCharges: [100, 190],
    homeTotal: 290,
    owing: [100, 190],
    owingTotal: 290,
    accounts: [100, 190],
    statements: [100, 190],
    texted: [100, 190],
  })
  const [leoHome, miaHome] = (await ann.get('/family/home')).body.children
  expect(leoHome.fees.charges).toEqual([
    { kind: 'month', month: 0, year: 2027, owed: 40 },
    { kind: 'month', month: 1, year: 2027, owed: 60 },
  ])
  expect(miaHome.fees.charges).toEqual([
    { kind: 'month', month: 0, year: 2027, owed: 70 },
    { kind: 'month', month: 1, year: 2027, owed: 70 },
    { kind: 'grading', month: null, year: null, owed: 50 },
  ])
  expect(JSON.stringify(miaHome), 'notes are for instructors').not.toContain('Tested late')
})

test('shows credit separately from what is owed', async () => {
  const family = await setUpFamily()
  const { sensei, ann, ids } = family
  await sensei.post('/payments', { student_id: ids[0], amount: 150 })
  await sensei.post('/payments', { student_id: ids[1], amount: 140 })
  expect(await readOwedAmounts(family)).toMatchObject({
    home: [0, 0],
    homeTotal: 0,
    owing: [0, 0],
    accounts: [0, 0],
  })
  const [leoHome] = (await ann.get('/family/home')).body.children
  expect(leoHome.fees).toMatchObject({ owed: 0, charges: [], credit: 30, is_paid: true })
})

test('subtracts unused credit from what is owed on every screen', async () => {
  const family = await setUpFamily()
  const { sensei, ann, ids } = family
  const payment = await sensei.post('/payments', { student_id: ids[0], amount: 200 })
  const january = { payment_month: 0, payment_year: 2027, payment_status: 'unpaid' }
  await sensei.post('/payment-records', { student_id: ids[0], ...january })
  const february = { ...january, payment_month: 1 }
  await sensei.post('/payment-records', { student_id: ids[0], ...february })
  expect(payment.status).toBe(200)
  expect(await readOwedAmounts(family)).toMatchObject({
    home: [40, 140],
    homeCharges: [40, 140],
    homeTotal: 180,
    owing: [40, 140],
    owingTotal: 180,
    accounts: [40, 140],
    statements: [40, 140],
    texted: [40, 140],
  })
  const [leoHome] = (await ann.get('/family/home')).body.children
  expect(leoHome.fees).toMatchObject({
    owed: 40,
    charges: [{ kind: 'month', month: 1, year: 2027, owed: 40 }],
    credit: 0,
  })
  const previewMonth = async (selected_month: number) => {
    const { body } = await sensei.post('/sms/preview', {
      message_type: 'monthly_fee',
      custom_message: 'Please pay {amount}.',
      selected_month,
      selected_year: 2027,
      exclude_paid_students: true,
      selected_students: [ids[0]],
    })
    return body.students.map(({ amount }: { amount: number }) => amount)
  }
  expect([await previewMonth(0), await previewMonth(1)]).toEqual([[null], [40]])
})

test('shows one child’s debt and another child’s credit on a family statement', async () => {
  const { sensei, ids } = await setUpFamily()
  await sensei.post('/payments', { student_id: ids[0], amount: 150 })
  const { body: owingFamilies } = await sensei.get('/owing')
  const [{ payer }] = owingFamilies
  const statement = (await sensei.get(`/statements?year=2027&payer_id=${payer.id}`)).body
  expect(statement).toMatchObject({ owed: 140, credit: 30, closing: 110 })
})

test('shows only what the guardian may see, with matching totals', async () => {
  const { ben } = await setUpFamily()
  const { children, total } = (await ben.get('/family/home')).body
  expect(children.map(({ name, fees }: Child) => [name, fees?.owed ?? null])).toEqual([
    ['Leo Chen', null],
    ['Mia Chen', 140],
  ])
  expect(total).toBe(null)
})
