import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { notifyBirthdays } from '../dashboard/dashboard.ts'
import { todayIn } from '../dojos/calendar.ts'
import { exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())
const queryRows = async (query: string, ...values: unknown[]) =>
  (await admin.query(query, values)).rows

/** A student with data in many tables: classes, attendance, payments, settings and two sessions. */
async function createActiveStudent(name = 'Ken Adams') {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const student = await server.createStudent(sensei, { name, enrolled_classes: [class_id] })
  for (const day of ['01', '02', '03'])
    await sensei.post('/attendance', {
      student_id: student.id,
      class_id,
      class_date: `2026-01-${day}T00:00:00.000Z`,
      present: true,
    })
  for (const payment_month of [0, 1])
    await sensei.post('/payment-records', {
      student_id: student.id,
      monthly_payment_amount: 85.5,
      payment_month,
      payment_year: 2026,
      payment_status: 'paid',
    })
  await sensei.post('/notifications/send', { title: 'Hello', message: 'Bring water.' })
  await student.put('/notification-settings', { sound_enabled: false })
  await server.signIn(student.email)
  return { sensei, student, class_id }
}
/** Returns the names of the tables that contain one of these words. */
async function findTablesContaining(...words: string[]) {
  const tables = await queryRows(
    "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  )
  const conditions = words
    .map((_, index) => `t::text like '%' || $${index + 1} || '%'`)
    .join(' or ')
  const matchingTables: string[] = []
  for (const { relname } of tables) {
    const query = `select 1 from "${relname}" t where ${conditions} limit 1`
    const rows = await queryRows(query, ...words)
    if (rows.length > 0) matchingTables.push(relname)
  }
  return matchingTables
}

test('previews what a deletion would delete, without deleting anything', async () => {
  const { sensei, student } = await createActiveStudent()
  expect((await sensei.get(`/students/${student.id}/deletion-impact`)).body).toEqual({
    attendance_records: 3,
    payment_records: 2,
    owed: 0,
    credit: 0,
    guardians: [],
    kept_waivers: 0,
  })
  const { id } = await server.createStudent(sensei)
  expect((await sensei.get(`/students/${id}/deletion-impact`)).body).toEqual({
    attendance_records: 0,
    payment_records: 0,
    owed: 0,
    credit: 0,
    guardians: [],
    kept_waivers: 0,
  })
})

test('deletes all data of the student except an audit entry without a name', async () => {
  const { sensei, student } = await createActiveStudent('Wenceslaus Unforgettable')
  expect(await findTablesContaining(student.id)).toEqual(
    expect.arrayContaining([
      'accounts',
      'attendance',
      'enrolments',
      'payment_records',
      'sessions',
      'students',
    ]),
  )
  expect((await sensei.delete(`/students/${student.id}`)).body).toEqual({ success: true })
  expect(await findTablesContaining(student.id)).toEqual(['audit_log'])
  expect(await findTablesContaining(student.email, 'Wenceslaus')).toEqual([])
  const auditEntries = await queryRows(
    'select actor_id, action, details from audit_log where subject_id = $1 order by id',
    student.id,
  )
  expect(auditEntries.at(-1)).toEqual({
    actor_id: sensei.id,
    action: 'student deleted',
    details: {},
  })
})

test('removes only the deleted student from notifications and stored replies', async () => {
  const sensei = await server.createSensei()
  const { invite_code } = (await sensei.get('/invitation')).body
  const form = {
    name: 'Wilhelmina Unforgettable',
    email: 'mina@home.org',
    password: PASSWORD,
    invite_code,
  }
  const { user } = (await server.anonymous.post('/register', form)).body
  const today = todayIn('America/Chicago')
  // Texts to an invalid phone are skipped, and the reply lists the students.
  await sensei.put(
    `/students/${user.id}`,
    exampleStudent({ ...user, ...form, date_of_birth: `2015${today.slice(4)}`, phone_number: '1' }),
  )
  const remainingStudent = await server.createStudent(sensei, {
    phone_number: '1',
    date_of_birth: `2016${today.slice(4)}`,
  })
  const [{ dojo_id }] = await queryRows('select dojo_id from accounts where id = $1', sensei.id)
  await server.db.inDojo(dojo_id, (tx) => notifyBirthdays(tx, dojo_id, today))
  const headers = { authorization: `Bearer ${sensei.token}`, 'idempotency-key': 'one-press' }
  const payload = { message_type: 'weather_cancel', custom_message: 'No class today.' }
  async function sendTexts() {
    const response = await server.http.inject({
      method: 'POST',
      url: '/api/sms/send-bulk-message',
      headers,
      payload,
    })
    return response.json()
  }
  const listSkippedStudents = async () =>
    (await sendTexts()).skipped.map(({ student_id }: { student_id: string }) => student_id)
  const readMessages = async () =>
    (await sensei.get('/notifications')).body.map(({ message }: { message: string }) => message)
  expect(new Set(await listSkippedStudents())).toEqual(new Set([user.id, remainingStudent.id]))
  expect((await readMessages()).join()).toContain('Wilhelmina')
  await sensei.delete(`/students/${user.id}`)
  expect(await findTablesContaining('Wilhelmina')).toEqual([])
  expect(await findTablesContaining(user.id)).toEqual(['audit_log'])
  expect([await listSkippedStudents(), await readMessages()]).toEqual([
    [remainingStudent.id],
    [remainingStudent.name],
  ])
})

test('records the departure with the belt and the month of enrollment', async () => {
  const { sensei, student } = await createActiveStudent()
  const [{ dojo_id }] = await queryRows('select dojo_id from accounts where id = $1', sensei.id)
  await sensei.delete(`/students/${student.id}`)
  const departures = await queryRows(
    'select t.*, month::text, joined_month::text from departures t where dojo_id = $1',
    dojo_id,
  )
  const month = `${todayIn('America/Chicago').slice(0, 7)}-01`
  expect(departures).toEqual([
    { dojo_id, id: expect.any(String), month, belt_level: student.belt_level, joined_month: month },
  ])
})

test('ends the login and its sessions, and frees the email address', async () => {
  const { sensei, student } = await createActiveStudent()
  await sensei.delete(`/students/${student.id}`)
  expect((await student.get('/profile')).status).toBe(401)
  const { status, body } = await server.anonymous.post('/login', {
    email: student.email,
    password: PASSWORD,
  })
  expect([status, body.detail]).toEqual([401, 'Incorrect email or password'])
  const newStudent = exampleStudent({ email: student.email, class_preferences: ['saturday'] })
  expect((await sensei.post('/students', newStudent)).status).toBe(200)
})

test('responds with 404 to a repeated or simultaneous deletion', async () => {
  const { sensei, student } = await createActiveStudent()
  const responses = await Promise.all([1, 2].map(() => sensei.delete(`/students/${student.id}`)))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect((await sensei.delete(`/students/${student.id}`)).status).toBe(404)
})

test('does not change other data of the dojo', async () => {
  const { sensei, student, class_id } = await createActiveStudent()
  const otherStudent = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  await sensei.post('/attendance', {
    student_id: otherStudent.id,
    class_id,
    class_date: '2026-01-01T00:00:00.000Z',
    present: false,
  })
  await sensei.delete(`/students/${student.id}`)
  expect((await sensei.get('/students')).body).toMatchObject([
    { id: otherStudent.id, enrolled_classes: [class_id] },
  ])
  expect((await sensei.get('/attendance')).body).toMatchObject([{ student_id: otherStudent.id }])
  expect((await sensei.get('/classes')).body).toHaveLength(1)
  expect((await otherStudent.get('/profile')).status).toBe(200)
})
