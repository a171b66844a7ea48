import { beforeAll, expect, test } from 'vitest'
import { moveClock, now } from '../lib/clock.ts'
import { exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const otherServer = await server.openServer()

async function createDojo() {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { class_preferences: [kids.id] })
  return { sensei, kids, student }
}
type Dojo = Awaited<ReturnType<typeof createDojo>>

const readList = async ({ sensei }: Dojo) =>
  (await sensei.get('/students')).body as Record<string, unknown>[]
const getCurrentMonth = () => ({
  payment_month: now().getUTCMonth(),
  payment_year: now().getUTCFullYear(),
})
const payThisMonth = ({ sensei, student }: Dojo) =>
  sensei.post('/payment-records', {
    student_id: student.id,
    payment_status: 'paid',
    monthly_payment_amount: 80,
    ...getCurrentMonth(),
  })

const CHANGES: [event: string, change: (dojo: Dojo) => Promise<unknown>, expectedRows: object[]][] =
  [
    [
      'a student is enrolled',
      ({ sensei }) =>
        sensei.post(
          '/students',
          exampleStudent({ name: 'Mia Chen', class_preferences: ['saturday'] }),
        ),
      [{ name: 'Ken Adams' }, { name: 'Mia Chen' }],
    ],
    [
      'a student is put into a class',
      ({ sensei, kids, student }) => sensei.post(`/students/${student.id}/enroll/${kids.id}`),
      [{ enrolled_classes: [expect.any(String)] }],
    ],
    [
      'a student is changed',
      ({ sensei, student }) =>
        sensei.put(
          `/students/${student.id}`,
          exampleStudent({ email: 'new@home.org', class_preferences: ['saturday'] }),
        ),
      [{ email: 'new@home.org' }],
    ],
    ['a student is deleted', ({ sensei, student }) => sensei.delete(`/students/${student.id}`), []],
    [
      'a class is deleted',
      ({ sensei, kids }) => sensei.delete(`/classes/${kids.id}`),
      [{ class_preferences: [] }],
    ],
    ['a month is paid', payThisMonth, [{ current_month_paid: true }]],
    [
      'the month is reset',
      async (dojo) => {
        await payThisMonth(dojo)
        expect(await readList(dojo)).toMatchObject([{ current_month_paid: true }])
        await dojo.sensei.post('/reset-monthly-payments', getCurrentMonth())
      },
      [{ current_month_paid: false }],
    ],
    [
      'somebody joins by invitation',
      async ({ sensei }) => {
        const { invite_code } = (await sensei.get('/invitation')).body
        await server.anonymous.post('/register', {
          name: 'Noah Ito',
          email: 'noah@home.org',
          password: PASSWORD,
          invite_code,
        })
      },
      [{ name: 'Ken Adams' }, { name: 'Noah Ito' }],
    ],
  ]

test.each(CHANGES)('the next list shows that %s', async (_event, change, expectedRows) => {
  const dojo = await createDojo()
  await readList(dojo)
  await change(dojo)
  const list = await readList(dojo)
  expect(list).toMatchObject(expectedRows)
  expect(list).toHaveLength(expectedRows.length)
})

test('shows a changed dojo name in the students’ rows', async () => {
  const dojo = await createDojo()
  await readList(dojo)
  await dojo.sensei.put('/profile', {
    email: dojo.sensei.email,
    dojo_name: 'New Name',
    phone_number: '512 555 0100',
    city: 'Austin',
    state: 'Texas',
  })
  expect(
    await readList({
      ...dojo,
      sensei: { ...dojo.sensei, ...(await server.signIn(dojo.sensei.email)) },
    }),
  ).toMatchObject([{ dojo_name: 'New Name' }])
})

test('includes students who were added through another server', async () => {
  const dojo = await createDojo()
  async function readNames() {
    const response = await otherServer.http.inject({
      url: '/api/students',
      headers: { authorization: `Bearer ${dojo.sensei.token}` },
    })
    return response.json<{ name: string }[]>().map(({ name }) => name)
  }
  expect(await readNames()).toEqual(['Ken Adams'])
  for (const name of ['Mia Chen', 'Noah Ito', 'Zoe Park']) {
    await dojo.sensei.post('/students', exampleStudent({ name, class_preferences: ['saturday'] }))
    await expect.poll(readNames, { timeout: 2000, interval: 5 }).toContain(name)
  }
})

test('serves a repeated request from the cache', async () => {
  const { sensei } = await createDojo()
  const serverWithoutDatabase = await server.openServer()
  const listStudents = () =>
    serverWithoutDatabase.http.inject({
      url: '/api/students',
      headers: { authorization: `Bearer ${sensei.token}` },
    })
  const firstResponse = await listStudents()
  await serverWithoutDatabase.db.close()
  expect([(await listStudents()).statusCode, (await listStudents()).body]).toEqual([
    200,
    firstResponse.body,
  ])
})

test('caches the list of each dojo separately', async () => {
  const dojo = await createDojo()
  const otherDojo = await createDojo()
  expect(await readList(dojo)).toMatchObject([{ id: dojo.student.id }])
  expect(await readList(otherDojo)).toMatchObject([{ id: otherDojo.student.id }])
})

test('shows no student as paid when a new month begins', async () => {
  const dojo = await createDojo()
  await payThisMonth(dojo)
  expect(await readList(dojo)).toMatchObject([{ current_month_paid: true }])
  const { payment_month, payment_year } = getCurrentMonth()
  const msUntilNextMonth = Date.UTC(payment_year, payment_month + 1, 2) - now().getTime()
  moveClock(msUntilNextMonth)
  expect(
    await readList({
      ...dojo,
      sensei: { ...dojo.sensei, ...(await server.signIn(dojo.sensei.email)) },
    }),
  ).toMatchObject([{ current_month_paid: false }])
  moveClock(-msUntilNextMonth)
})

// In the middle of a month, UTC and the dojo's time zone agree on the month.
beforeAll(() => moveClock(Date.UTC(2026, 5, 15, 12) - now().getTime()))
