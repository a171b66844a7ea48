import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const aForm = (over: object) => exampleStudent({ class_preferences: ['saturday'], ...over })

test('counts every student, and regular ones whether or not on vacation', async () => {
  const sensei = await server.createSensei()
  const {
    body: { student },
  } = await sensei.post('/students', aForm({}))
  await sensei.post('/students', aForm({ is_trial: true }))
  await sensei.put(`/students/${student.id}`, aForm({ ...student, on_vacation: true }))
  expect((await sensei.get('/dashboard/stats')).body).toEqual({
    total_students: 2,
    regular_students: 1,
    trial_students: 1,
    vacation_students: 1,
    students_to_approve: 0,
  })
})

test('lists birthdays as names and calendar dates', async () => {
  const sensei = await server.createSensei()
  await sensei.post('/students', aForm({ date_of_birth: '2016-02-29' }))
  expect((await sensei.get('/student-birthdays')).body).toEqual([
    { student_id: expect.any(String), student_name: 'Ken Adams', date_of_birth: '2016-02-29' },
  ])
})

test('computes people, movements, payments by month and attendance by class', async () => {
  setClock('2026-01-10T18:00:00Z')
  let sensei = await server.createSensei()
  const kids = await server.createClass(sensei),
    empty = await server.createClass(sensei, { class_name: 'Empty' })
  const add = async (over: object) => (await sensei.post('/students', aForm(over))).body.student
  const ken = await add({ belt_level: 'blue', date_of_birth: '2014-03-11', monthly_payment_amount: 50 })
  const mia = await add({ date_of_birth: '1980-01-01', gender: 'female', monthly_payment_amount: 70.5 })
  const gone = await add({ is_trial: true })
  await sensei.post('/payment-records', {
    student_id: ken.id,
    payment_month: 0,
    payment_year: 2026,
    payment_status: 'paid',
    monthly_payment_amount: 40,
  })
  setClock('2026-03-10T18:00:00Z')
  sensei = { ...sensei, ...(await server.signIn(sensei.email)) }
  await sensei.delete(`/students/${gone.id}`)
  for (const [student_id, class_date, present] of [
    [ken.id, '2026-03-09', true],
    [mia.id, '2026-03-09', false],
    [ken.id, '2026-03-02', true],
    [mia.id, '2026-01-02', false],
  ]) {
    await sensei.post('/attendance', { student_id, class_id: kids.id, class_date, present })
  }
  const { body } = await sensei.get('/dashboard/analytics')
  expect(body.belts.filter((one: { students: number }) => one.students > 0)).toEqual([
    { label: 'white', students: 1 },
    { label: 'blue', students: 1 },
  ])
  expect(body.age_bands.filter((one: { students: number }) => one.students > 0)).toEqual([
    { label: '7–12', students: 1 },
    { label: '35 and over', students: 1 },
  ])
  expect(body.genders).toEqual([
    { label: 'male', students: 1 },
    { label: 'female', students: 1 },
    { label: 'other', students: 0 },
    { label: 'not known', students: 0 },
  ])
  expect(body.movements.slice(-3)).toEqual([
    { month: '2026-01-01', enrolled: 2, departed: 0 },
    { month: '2026-02-01', enrolled: 0, departed: 0 },
    { month: '2026-03-01', enrolled: 0, departed: 1 },
  ])
  expect(body.payments).toHaveLength(12)
  expect(body.payments.slice(-4)).toEqual([
    { month: '2025-12-01', expected: 0, received: 0 },
    { month: '2026-01-01', expected: 110.5, received: 40 },
    { month: '2026-02-01', expected: 120.5, received: 0 },
    { month: '2026-03-01', expected: 120.5, received: 0 },
  ])
  expect(body.attendance).toEqual([
    { class_id: kids.id, class_name: 'Kids Judo', marks: 3, rate: 2 / 3 },
    { class_id: empty.id, class_name: 'Empty', marks: 0, rate: null },
  ])
})

test('computes statistics of an empty dojo', async () => {
  const sensei = await server.createSensei()
  const { status, body } = await sensei.get('/dashboard/analytics')
  expect([status, body.movements.length, body.payments.length, body.attendance]).toEqual([200, 12, 12, []])
})
