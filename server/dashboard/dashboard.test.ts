import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { beltChanges } from '../belts/tables.ts'
import { createMainLadder } from '../test/belt-dojo.ts'
import { setClock } from '../test/clock.ts'
import { dojoIdOf, exampleStudent, signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const createStudentForm = (fields: object) =>
  exampleStudent({ class_preferences: ['saturday'], ...fields })

test('counts students by status, and counts students on vacation as regular too', async () => {
  const sensei = await server.createSensei()
  const { student } = (await sensei.post('/students', createStudentForm({}))).body
  await sensei.post('/students', createStudentForm({ is_trial: true }))
  await sensei.put(`/students/${student.id}`, createStudentForm({ ...student, on_vacation: true }))
  expect((await sensei.get('/dashboard/stats')).body).toMatchObject({
    total_students: 2,
    regular_students: 1,
    trial_students: 1,
    vacation_students: 1,
    students_to_approve: 0,
    changes: { total: 2, regular: 1, trial: 1, vacation: 1 },
  })
})

test('counts how many students were added or lost since the month began', async () => {
  setClock('2026-03-20T18:00:00Z')
  const sensei = await server.createSensei()
  let client = server.clientFor(sensei.token)
  // Sessions end after a few days.
  const signInAgain = async () => {
    client = server.clientFor(await signInAs(server.db, sensei.id))
  }
  const addStudent = async (fields: object) =>
    (await client.post('/students', createStudentForm(fields))).body.student
  const changeStudent = (student: { id: string }, fields: object) =>
    client.put(`/students/${student.id}`, createStudentForm({ ...student, ...fields }))
  const readChanges = async () => (await client.get('/dashboard/stats')).body.changes
  const ken = await addStudent({})
  const mia = await addStudent({ is_trial: true })
  const leo = await addStudent({})
  await changeStudent(leo, { on_vacation: true })
  expect(await readChanges()).toEqual({ total: 3, regular: 2, trial: 1, vacation: 1 })
  // In the dojo's time zone, it is still 11 PM on March 31.
  setClock('2026-04-01T04:00:00Z')
  await signInAgain()
  expect(await readChanges()).toEqual({ total: 3, regular: 2, trial: 1, vacation: 1 })
  setClock('2026-04-10T18:00:00Z')
  await signInAgain()
  expect(await readChanges()).toEqual({ total: 0, regular: 0, trial: 0, vacation: 0 })
  await changeStudent(mia, { is_trial: false })
  await changeStudent(leo, { on_vacation: false })
  await addStudent({ is_trial: true })
  await client.delete(`/students/${ken.id}`)
  expect(await readChanges()).toEqual({ total: 0, regular: 0, trial: 0, vacation: -1 })
})

test('lists birthdays as names and calendar dates', async () => {
  const sensei = await server.createSensei()
  await sensei.post('/students', createStudentForm({ date_of_birth: '2016-02-29' }))
  expect((await sensei.get('/student-birthdays')).body).toEqual([
    { student_id: expect.any(String), student_name: 'Ken Adams', date_of_birth: '2016-02-29' },
  ])
})

test('computes belts, ages, movements, payments by month and attendance by class', async () => {
  setClock('2026-01-10T18:00:00Z')
  let sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const emptyClass = await server.createClass(sensei, { class_name: 'Empty' })
  const addStudent = async (fields: object) =>
    (await sensei.post('/students', createStudentForm(fields))).body.student
  const ken = await addStudent({
    belt_level: 'blue',
    date_of_birth: '2014-03-11',
    monthly_payment_amount: 50,
  })
  const mia = await addStudent({
    date_of_birth: '1980-01-01',
    gender: 'female',
    monthly_payment_amount: 70.5,
  })
  const deletedStudent = await addStudent({ is_trial: true })
  await sensei.post('/payment-records', {
    student_id: ken.id,
    payment_month: 0,
    payment_year: 2026,
    payment_status: 'paid',
    monthly_payment_amount: 40,
  })
  setClock('2026-03-10T18:00:00Z')
  sensei = { ...sensei, ...(await server.signIn(sensei.email)) }
  await sensei.delete(`/students/${deletedStudent.id}`)
  for (const [student_id, class_date, present] of [
    [ken.id, '2026-03-09', true],
    [mia.id, '2026-03-09', false],
    [ken.id, '2026-03-02', true],
    [mia.id, '2026-01-02', false],
  ]) {
    await sensei.post('/attendance', { student_id, class_id: kids.id, class_date, present })
  }
  const { body } = await sensei.get('/dashboard/analytics')
  expect(body.belts.filter((row: { students: number }) => row.students > 0)).toEqual([
    { label: 'white', students: 1, belt_level: 'white', rank: null },
    { label: 'blue', students: 1, belt_level: 'blue', rank: null },
  ])
  expect(body.age_bands.filter((row: { students: number }) => row.students > 0)).toEqual([
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
    { month: '2026-01-01', enrolled: 3, departed: 0, at_start: 0, stayed: 0 },
    { month: '2026-02-01', enrolled: 0, departed: 0, at_start: 3, stayed: 3 },
    { month: '2026-03-01', enrolled: 0, departed: 1, at_start: 3, stayed: 2 },
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
    { class_id: emptyClass.id, class_name: 'Empty', marks: 0, rate: null },
  ])
})

test('computes statistics of an empty dojo', async () => {
  const sensei = await server.createSensei()
  const { status, body } = await sensei.get('/dashboard/analytics')
  expect([status, body.movements.length, body.payments.length, body.attendance]).toEqual([
    200,
    12,
    12,
    [],
  ])
})

test('counts joined, departed and remaining students and days to the next belt', async () => {
  setClock('2026-01-10T18:00:00Z')
  let sensei = await server.createSensei()
  const signInAt = async (moment: string) => {
    setClock(moment)
    sensei = { ...sensei, ...(await server.signIn(sensei.email)) }
  }
  const addStudent = async (fields: object) =>
    (await sensei.post('/students', createStudentForm(fields))).body.student
  const ken = await addStudent({})
  const mia = await addStudent({})
  const deletedStudent = await addStudent({ belt_level: 'green' })
  const setBelt = (student: object & { id: string }, belt_level: string) =>
    sensei.put(`/students/${student.id}`, createStudentForm({ ...student, belt_level }))
  await signInAt('2026-05-10T18:00:00Z')
  await setBelt(ken, 'yellow')
  await setBelt(deletedStudent, 'blue')
  await signInAt('2026-07-29T18:00:00Z')
  await setBelt(mia, 'yellow')
  await setBelt(ken, 'orange')
  // A wrong belt that is corrected does not count.
  await setBelt(ken, 'brown')
  await setBelt(ken, 'orange')
  await signInAt('2027-03-10T18:00:00Z')
  await addStudent({ belt_level: 'orange' })
  await sensei.delete(`/students/${deletedStudent.id}`)
  await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
    tx.execute(sql`insert into departures (id, month) values (gen_random_uuid(), '2027-02-01')`),
  )
  const { belt_movements, next_belts } = (await sensei.get('/dashboard/analytics')).body
  expect(
    belt_movements.filter((row: Record<string, unknown>) => row.joined || row.left || row.stayed),
  ).toEqual([
    { label: 'yellow', joined: 0, left: 0, stayed: 1 },
    { label: 'orange', joined: 1, left: 0, stayed: 1 },
    { label: 'blue', joined: 0, left: 1, stayed: 0 },
    { label: 'not known', joined: 0, left: 1, stayed: 0 },
  ])
  expect(next_belts.slice(0, 4)).toEqual([
    { label: 'white', days: 160, students: 2, belt_level: 'white', rank: null },
    { label: 'yellow', days: 80, students: 1, belt_level: 'yellow', rank: null },
    { label: 'orange', days: null, students: 0, belt_level: 'orange', rank: null },
    { label: 'green', days: null, students: 0, belt_level: 'green', rank: null },
  ])
})

test('reads the time to the next rank for a dojo with its own ladder', async () => {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const ranks = await createMainLadder(server.db, sensei.dojoId)
  const ken = await server.createStudent(sensei)
  const mia = await server.createStudent(sensei)
  const ana = await server.createStudent(sensei)
  const post = async (path: string, body: object = {}) =>
    server.clientFor(await signInAs(server.db, sensei.id)).post(path, body)
  const promote = async (day: string, student: { id: string }, rankIndex: number) => {
    setClock(`${day}T18:00:00Z`)
    const promotion = { student_id: student.id, rank_id: ranks[rankIndex]!.id }
    return (await post('/promotions', { promotions: [promotion] })).body.act_id
  }
  await promote('2027-04-09', mia, 1)
  // Mia's days at her rank do not start again with a conversion.
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.insert(beltChanges).values({
      student_id: mia.id,
      rank_id: ranks[2]!.id,
      belt_level: 'yellow',
      previous_belt: 'yellow',
      kind: 'conversion',
      given_on: '2027-04-20',
      changed_by: sensei.id,
    }),
  )
  await promote('2027-05-09', mia, 3)
  await promote('2027-06-08', ken, 1)
  // Stripes, undone promotions and demotions do not count.
  await post('/stripes', { student_ids: [ken.id] })
  await post(`/promotions/acts/${await promote('2027-07-01', ken, 2)}/undo`)
  await promote('2027-07-08', ken, 3)
  await promote('2027-07-09', ana, 3)
  await promote('2027-07-10', ana, 1)
  // The first session has ended after 30 days without use.
  const client = server.clientFor(await signInAs(server.db, sensei.id))
  const { body } = await client.get('/dashboard/analytics')
  expect(body.next_belts).toEqual([
    {
      label: '9th kyu',
      days: 80,
      students: 3,
      belt_level: 'white',
      rank: expect.objectContaining({ name: '9th kyu' }),
    },
    {
      label: '8th kyu',
      days: 30,
      students: 1,
      belt_level: 'yellow',
      rank: expect.objectContaining({ name: '8th kyu' }),
    },
    {
      label: '7th kyu',
      days: 30,
      students: 1,
      belt_level: 'yellow',
      rank: expect.objectContaining({ name: '7th kyu' }),
    },
  ])
})
