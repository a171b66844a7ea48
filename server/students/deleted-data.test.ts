import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { sha256 } from '../lib/secrets.ts'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { createKioskToken, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
afterAll(() => admin.end())

const PHONE = '+15125550761'
/** Words that occur only in the data of the deleted student, too long to occur in a random id. */
const WORDS = {
  name: 'Zebulon',
  surname: 'Quackenbush',
  email: 'zeb.unique@home.org',
  phone: '5125550761',
  phoneAsTyped: '555-0761',
  emergencyPhone: '555-0762',
  guardianPhone: '5550763',
  guardianEmail: 'otti.unique@home.org',
  allergies: 'hazelnutallergy',
  medicalNote: 'asthmaspray',
  privateNotes: 'fosterfamily',
  priceNote: 'hardshipfund',
  paymentNote: 'grandmapays',
  promiseNote: 'afterpayday',
  beltNote: 'shakyleftkick',
  examNote: 'nervousatexam',
  holder: 'unclefranz',
  linkedPhone: '5550769',
}

/** Lists all tables and their columns, except for PostgreSQL's own. */
const LIST_TABLES_SQL = `
  select format('%I.%I', n.nspname, c.relname) as table,
    array_agg(a.attname::text order by a.attname) as columns
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
  group by 1 order by 1`

/** Returns the columns that contain the words, as "table.column: label". */
async function findColumnsContaining(words: Record<string, string>): Promise<string[]> {
  const { rows: tables } = await admin.query<{ table: string; columns: string[] }>(LIST_TABLES_SQL)
  const matchingColumns: string[] = []
  for (const { table, columns } of tables) {
    const selectList = columns.map((column) => `"${column}"::text as "${column}"`).join(', ')
    const { rows } = await admin.query<Record<string, string | null>>(
      `select ${selectList} from ${table}`,
    )
    for (const column of columns) {
      const text = rows.map((row) => row[column]?.toLowerCase() ?? '').join('\n')
      for (const [label, word] of Object.entries(words))
        if (text.includes(word.toLowerCase())) matchingColumns.push(`${table}.${column}: ${label}`)
    }
  }
  return matchingColumns
}

type Client = ReturnType<typeof server.clientFor>
type TestResponse = { status: number; body: any }

/** Expects a request to succeed, and returns the body of the response. */
async function expectOk(call: Promise<TestResponse>): Promise<any> {
  const { status, body } = await call
  expect([status, body.detail]).toEqual([200, undefined])
  return body
}

/** Sends a request with an `Idempotency-Key`, so the server stores the reply. */
const postWithKey = (token: string, url: string, payload: object) =>
  server.http.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() },
    payload,
  })

const runJobs = () =>
  runDueJobs(server.db, (error) => {
    throw error
  })

const fullName = `${WORDS.name} ${WORDS.surname}`
const consentForm = {
  sensei_name: 'Aiko Tanaka',
  phone_number: '(512) 555-0761',
  email: WORDS.email,
  signature: fullName,
  date: '2027-03-01',
}

async function joinDojo(sensei: Client) {
  const { invite_code } = await expectOk(sensei.get('/invitation'))
  const classes = await expectOk(sensei.get('/classes'))
  const { user } = await expectOk(
    server.anonymous.post('/register', {
      name: fullName,
      email: WORDS.email,
      password: PASSWORD,
      invite_code,
      date_of_birth: '2012-03-01',
      phone_number: '(512) 555-0761',
      emergency_contact_name: `Wilma ${WORDS.surname}`,
      emergency_contact_phone: '(512) 555-0762',
      class_preferences: [classes[0].id],
      guardian: {
        name: `Ottoline ${WORDS.surname}`,
        relation: 'mother',
        phone: '512 555 0763',
        email: WORDS.guardianEmail,
      },
      text_consent: { wording_version: 'join-2026-11-22' },
    }),
  )
  await expectOk(sensei.post(`/students/${user.id}/approve`))
  return user.id as string
}

type Sensei = Awaited<ReturnType<typeof server.createSensei>>
type TestIds = { id: string; kids: string }

async function writeNotes(sensei: Sensei, { id }: TestIds) {
  const { student } = await expectOk(sensei.get(`/students/${id}`))
  await expectOk(
    sensei.put(`/students/${id}`, {
      ...student,
      price_note: WORDS.priceNote,
      monthly_payment_amount: 90,
    }),
  )
  await expectOk(
    sensei.put(`/students/${id}/notes`, {
      allergies: WORDS.allergies,
      medical_note: WORDS.medicalNote,
      private_notes: WORDS.privateNotes,
    }),
  )
  await expectOk(sensei.put(`/students/${id}/pin`, { pin: '4711' }))
  await expectOk(
    sensei.put(`/students/${id}/vacation`, {
      vacation_from: '2027-03-20',
      vacation_until: '2027-03-22',
    }),
  )
}

/** Invites the guardian to log in, then makes a family. */
async function makeFamily(sensei: Sensei, { id }: TestIds) {
  const { guardians } = await expectOk(sensei.get('/families'))
  const guardian_id = guardians[0].id
  await expectOk(sensei.post(`/guardians/${guardian_id}/log-in-invitation`))
  const students = [{ student_id: id, log_in: 'keep' }]
  await expectOk(sensei.post('/families', { guardian_id, students }))
}

/** Uses the student's own login: sessions, a browser for notifications and a calendar. */
async function signInAsStudent() {
  const ownClient = await server.signIn(WORDS.email)
  await server.anonymous.post('/login', { email: WORDS.email, password: 'Wrong-2027' })
  await server.anonymous.post('/password-reset/request', { email: WORDS.email })
  await expectOk(ownClient.post('/calendar-feed'))
  await expectOk(ownClient.put('/notification-settings', { sound_enabled: false }))
  await expectOk(
    ownClient.put('/push-subscription', {
      endpoint: 'https://push.example.com/zebs',
      keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
    }),
  )
  await expectOk(
    ownClient.put('/profile/password', {
      current_password: PASSWORD,
      new_password: 'Harai-Goshi-27',
    }),
  )
  return ownClient
}

async function attendClass(sensei: Sensei, ownClient: Client, { id, kids }: TestIds) {
  const marks = [{ student_id: id, present: true }]
  await expectOk(
    sensei.put('/attendance/roll', { class_id: kids, class_date: '2027-03-01', marks }),
  )
  await expectOk(ownClient.post('/excuses', { class_id: kids, class_date: '2027-03-10' }))
  await expectOk(
    sensei.put('/class-dates/cancelled', { class_id: kids, day: '2027-03-01', reason: 'Rain' }),
  )
  await expectOk(sensei.put(`/classes/${kids}/places`, { places: 1 }))
  const kiosk = server.clientFor(await createKioskToken(server.db, sensei))
  const { students } = await expectOk(kiosk.post('/kiosk/search', { text: WORDS.name.slice(0, 4) }))
  await kiosk.post('/kiosk/check-ins', {
    id: randomUUID(),
    class_id: kids,
    passes: [students[0].pass],
    pin: '4711',
  })
}

async function exchangeTexts(sensei: Sensei, { id, kids }: TestIds) {
  await expectOk(sensei.put('/welcome-message-settings', { welcome_message_enabled: true }))
  await postWithKey(sensei.token, '/sms/send-bulk-message', {
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, please pay {amount}.',
    amount_of: 'balance',
  })
  await postWithKey(sensei.token, '/sms/send-bulk-message', {
    message_type: 'weather_cancel',
    custom_message: 'No class, {name}.',
  })
  await postWithKey(sensei.token, '/sms/messages', {
    student_ids: [id],
    text: 'Hi {name}, call me.',
  })
  const receiveText = (text: string, phone_number = PHONE) =>
    expectOk(sensei.post('/sms/simulated/incoming', { phone_number, text }))
  await expectOk(
    sensei.post('/sms/simulated/incoming', { phone_number: '512 555 0763', text: 'OUT' }),
  )
  await receiveText('OUT')
  await receiveText('OK')
  await receiveText(`OUT ${WORDS.name}`)
  await receiveText(`${fullName} has a cold`)
  await expectOk(
    sensei.post(`/sms/conversations/${encodeURIComponent(PHONE)}/messages`, {
      text: `Get well soon, ${WORDS.name}!`,
    }),
  )
  await receiveText('Hello, here is Franz', '512 555 0769')
  await expectOk(
    sensei.put(`/sms/conversations/${encodeURIComponent('+15125550769')}/student`, {
      student_id: id,
      holder_name: WORDS.holder,
    }),
  )
  await receiveText('STOP')
  await expectOk(sensei.post('/notifications/send', { title: 'Camp', message: '{name} may come.' }))
  await expectOk(
    sensei.post('/notifications/send', {
      title: 'Shoes',
      message: 'Bring shoes.',
      student_ids: [id],
    }),
  )
  await expectOk(
    sensei.post('/notifications/send-fee-reminder', { custom_message: 'Pay, {name}.' }),
  )
  await announceToStudentOnly(sensei, { id, kids })
  await expectOk(
    sensei.post('/slipping-away/texts', { student_ids: [id], text: 'We miss {name}.' }),
  )
}

/** Sends announcements only to this student, with the student's name in them. */
async function announceToStudentOnly(sensei: Sensei, { id, kids }: TestIds) {
  const message = `${fullName} owes 95`
  await expectOk(
    sensei.post('/notifications/send', {
      title: `${fullName} owes`,
      message,
      category: 'fee',
      student_ids: [id],
    }),
  )
  for (const message_type of ['special_announcement', 'late_fee'])
    await expectOk(
      sensei.post('/sms/send-bulk-message', {
        message_type,
        custom_message: message,
        selected_students: [id],
        selected_classes: [kids],
      }),
    )
}

async function payFees(sensei: Sensei, { id }: TestIds) {
  const payment = { student_id: id, amount: 40, method: 'cash', note: WORDS.paymentNote }
  const { act_id } = await expectOk(sensei.post('/payments', payment))
  await expectOk(sensei.post('/receipts', { act_id }))
  await expectOk(
    sensei.post('/charges', {
      student_ids: [id],
      kind: 'other',
      amount: 12,
      note: WORDS.paymentNote,
    }),
  )
  await expectOk(
    sensei.post('/payment-promises', {
      student_ids: [id],
      promised_on: '2027-03-15',
      note: WORDS.promiseNote,
    }),
  )
}

async function changeBelts(sensei: Sensei, { id }: TestIds) {
  const belts = await expectOk(sensei.get('/belts'))
  const [ladder] = belts.styles[0].ladders
  const [, yellow] = ladder.ranks
  await expectOk(
    sensei.post('/promotions', {
      promotions: [{ student_id: id, rank_id: yellow.id }],
      note: WORDS.beltNote,
      given_on: '2027-03-01',
    }),
  )
  const grading = await expectOk(
    sensei.post('/gradings', {
      name: 'Spring grading',
      held_on: '2027-03-12',
      place: 'Main hall',
      fee: 15,
      candidates: [{ student_id: id, to_rank_id: ladder.ranks[2].id }],
    }),
  )
  await expectOk(
    sensei.post(`/gradings/${grading.id}/invitations`, {
      student_ids: [id],
      text: '{name}: come to the grading.',
    }),
  )
  await expectOk(
    sensei.put(`/gradings/${grading.id}/results`, {
      results: [{ student_id: id, result: 'pass', note: WORDS.examNote }],
    }),
  )
}

async function exportAndImport(sensei: Sensei, { id }: TestIds) {
  await sensei.post(`/students/${id}/export`, { reader_id: null })
  await postWithKey(sensei.token, '/student-imports', {
    columns: ['name', 'email', 'phone_number', 'date_of_birth', 'price_note'],
    rows: [[fullName, WORDS.email, '(512) 555-0761', '2012-03-01', 'x']],
  })
  await sensei.get(`/students/${id}/deletion-impact`)
}

/** Creates a student who has used every feature, and whose guardian has no other students. */
async function createActiveStudent() {
  setClock('2027-03-01T18:00:00Z')
  const sensei = await server.createSensei()
  const { id: kids } = await server.createClass(sensei, { class_days: ['monday', 'wednesday'] })
  await expectOk(server.anonymous.post('/consent-form', consentForm))
  const id = await joinDojo(sensei)
  const ids = { id, kids }
  await expectOk(
    server.anonymous.post('/consent-form', { ...consentForm, signature: `${fullName} Jr` }),
  )
  await expectOk(sensei.post(`/students/${id}/enroll/${kids}`))
  await runJobs()
  await writeNotes(sensei, ids)
  const ownClient = await signInAsStudent()
  await makeFamily(sensei, ids)
  await attendClass(sensei, ownClient, ids)
  await exchangeTexts(sensei, ids)
  await payFees(sensei, ids)
  await changeBelts(sensei, ids)
  await exportAndImport(sensei, ids)
  await runJobs()
  return { sensei, ...ids }
}

describe('a deleted student', () => {
  test('leaves nothing readable in any column of any table', async () => {
    const { sensei, id } = await createActiveStudent()
    const filledColumns = await findColumnsContaining(WORDS)
    const storedLabels = new Set(filledColumns.map((column) => column.split(': ')[1]))
    expect(Object.keys(WORDS).filter((label) => !storedLabels.has(label))).toEqual([])
    await expectOk(sensei.delete(`/students/${id}?guardians=delete`))
    expect(await findColumnsContaining(WORDS)).toEqual([])
    expect(await findColumnsContaining({ id })).toEqual([
      'public.audit_log.actor_id: id',
      'public.audit_log.details: id',
      'public.audit_log.subject_id: id',
    ])
  }, 60_000)

  test('is not named in automatic replies, agreements or family notifications', async () => {
    setClock('2027-03-01T18:00:00Z')
    const sensei = await server.createSensei()
    const kids = await server.createClass(sensei, { class_days: ['wednesday'] })
    const sharedFields = { phone_number: '512 555 0781', enrolled_classes: [kids.id] }
    const deletedStudent = await server.createStudent(sensei, {
      ...sharedFields,
      name: 'Thaddeus Grimm',
    })
    const sister = await server.createStudent(sensei, { ...sharedFields, name: 'Mia Grimm' })
    await server.createGuardian(sensei, [deletedStudent, sister], {
      name: 'Ann Grimm',
      phone: '512 555 0782',
    })
    const phone_number = '+15125550781'
    await expectOk(
      server.anonymous.post('/consent-form', {
        ...consentForm,
        phone_number,
        email: '',
        signature: 'Thaddeus Grimm',
      }),
    )
    await expectOk(sensei.post('/sms/simulated/incoming', { phone_number, text: 'OUT' }))
    await expectOk(sensei.post('/sms/simulated/incoming', { phone_number, text: 'Thank you' }))
    await expectOk(
      sensei.post('/notifications/send', { title: 'Camp', message: '{name} may come.' }),
    )
    const words = { name: 'Thaddeus' }
    expect(await findColumnsContaining(words)).toEqual(
      expect.arrayContaining([
        'public.message_batches.text: name',
        'public.messages.text: name',
        'public.notifications.message: name',
        'public.text_consents.given_by: name',
      ]),
    )
    await expectOk(sensei.delete(`/students/${deletedStudent.id}`))
    // The sister still has the phone, so the form that was signed for it stays.
    expect(await findColumnsContaining(words)).toEqual([
      'public.consents.signature: name',
      'public.notifications.message: name',
    ])
    const superAdmin = await server.signInSuperAdmin()
    expect((await superAdmin.get('/notifications')).body[0].message).toContain(
      'Thaddeus Grimm agreed',
    )
    const messagesPath = `/sms/conversations/${encodeURIComponent(phone_number)}/messages`
    const { body: texts } = await sensei.get(messagesPath)
    expect(texts.map(({ text }: { text: string }) => text)).toContain('Thank you')
    await expectOk(sensei.delete(`/students/${sister.id}`))
    expect(await findColumnsContaining({ ...words, phone: '5125550781' })).toEqual([])
    expect((await superAdmin.get('/notifications')).body).not.toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('Thaddeus') }),
    )
  })

  test('is called “a former student” in announcements to others', async () => {
    setClock('2027-03-01T18:00:00Z')
    const sensei = await server.createSensei()
    const deletedStudent = await server.createStudent(sensei, { name: "Quilliam O'Zed Jr." })
    const mia = await server.createStudent(sensei, { name: 'Mia Zed' })
    const send = (title: string, message: string, student_ids?: string[]) =>
      expectOk(sensei.post('/notifications/send', { title, message, student_ids }))
    await send("Quilliam O'Zed Jr. owes", 'Quilliam owes 95', [deletedStudent.id])
    await send("Welcome, quilliam o'zed jr.", "We miss Quilliam O'Zed Jr.: see you, {name}!")
    await send('Camp', "Ask XQuilliam O'Zed Jr.x or Quilliam.")
    await expectOk(
      sensei.post('/sms/send-bulk-message', {
        message_type: 'late_fee',
        custom_message: "Quilliam O'Zed Jr. owes 95",
        selected_students: [deletedStudent.id],
      }),
    )
    await expectOk(sensei.delete(`/students/${deletedStudent.id}`))
    const announcements = [
      ['Camp', "Ask XQuilliam O'Zed Jr.x or Quilliam."],
      ['Welcome, a former student', 'We miss a former student: see you, {name}!'],
    ]
    const toTitleAndContent = ({ title, content }: { title: string; content: string }) => [
      title,
      content,
    ]
    expect((await expectOk(sensei.get('/announcements'))).map(toTitleAndContent)).toEqual(
      announcements,
    )
    expect((await expectOk(mia.get('/announcements'))).map(toTitleAndContent)).toEqual([
      announcements[0],
      ['Welcome, a former student', 'We miss a former student: see you, Mia!'],
    ])
    expect(await findColumnsContaining({ name: 'Quilliam' })).toEqual([
      'public.announcements.content: name',
      'public.notifications.message: name',
      'public.notifications.template: name',
    ])
  })

  test('is still named in announcements by first name, or if a namesake remains', async () => {
    const sensei = await server.createSensei()
    const deletedStudent = await server.createStudent(sensei, { name: 'Nell Quist' })
    const studentWithoutSurname = await server.createStudent(sensei, { name: 'Nell' })
    const namesake = await server.createStudent(sensei, { name: 'nell quist' })
    const message = 'Nell Quist leads the warm-up.'
    await expectOk(sensei.post('/notifications/send', { title: 'Friday', message }))
    for (const { id } of [deletedStudent, studentWithoutSurname])
      await expectOk(sensei.delete(`/students/${id}`))
    const [announcement] = (await namesake.get('/announcements')).body
    expect(announcement.content).toBe(message)
  })

  test('is still named in notes and templates that the school wrote', async () => {
    setClock('2027-03-01T18:00:00Z')
    const sensei = await server.createSensei()
    const deletedStudent = await server.createStudent(sensei, { name: 'Ulf Quark' })
    await server.createStudent(sensei, { name: 'Mia Zed' })
    const note = 'Ulf Quark paid in coins'
    await expectOk(sensei.put('/cash-counts/2027-03-01', { counted: 10, note }))
    await expectOk(sensei.post('/sms/templates', { name: 'Thanks', text: 'Thank Ulf Quark!' }))
    await expectOk(sensei.delete(`/students/${deletedStudent.id}`))
    expect(await findColumnsContaining({ name: 'Ulf Quark' })).toEqual([
      'public.cash_counts.note: name',
      'public.message_templates.text: name',
    ])
  })

  test('leaves the date of a signed form and a hash of its phone number', async () => {
    const sensei = await server.createSensei()
    const phone_number = '512 555 0791'
    const student = await server.createStudent(sensei, { phone_number })
    await expectOk(server.anonymous.post('/consent-form', { ...consentForm, phone_number }))
    await expectOk(sensei.delete(`/students/${student.id}`))
    const { rows } = await admin.query('select * from consents where phone_number = $1', [
      sha256('+15125550791'),
    ])
    expect(rows).toEqual([
      {
        id: expect.any(String),
        sensei_name: 'Aiko Tanaka',
        phone_number: sha256('+15125550791'),
        email: null,
        signature: null,
        address: null,
        date: expect.anything(),
        wording_version: expect.any(String),
        created_at: expect.any(Date),
      },
    ])
  })

  test('leaves a STOP that still blocks texts if a dojo adds the phone again', async () => {
    const sensei = await server.createSensei()
    const phone_number = '+15125550795'
    const student = { phone_number, date_of_birth: '1990-01-01' }
    const { id } = await server.createStudent(sensei, student)
    await expectOk(sensei.post('/sms/simulated/incoming', { phone_number, text: 'STOP' }))
    await expectOk(sensei.delete(`/students/${id}`))
    expect(await findColumnsContaining({ phone: '5125550795' })).toEqual([])
    const newStudent = await server.createStudent(sensei, student)
    const send = () => sensei.post('/sms/messages', { student_ids: [newStudent.id], text: 'Hello' })
    const refusal = await send()
    expect(refusal.status).toBe(409)
    expect(refusal.body.detail).toContain('has replied STOP')
    const phonePath = `/sms/phones/${encodeURIComponent(phone_number)}`
    expect((await expectOk(sensei.get(phonePath))).opted_out_at).not.toBeNull()
    await expectOk(sensei.post('/sms/simulated/incoming', { phone_number, text: 'START' }))
    expect((await send()).status).toBe(200)
  })

  test('leaves the consent form and the STOP if another dojo has the same phone', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const phone_number = '+15125550799'
    const student = await server.createStudent(sensei, { phone_number })
    await server.createStudent(otherSensei, { phone_number })
    await expectOk(
      server.anonymous.post('/consent-form', { ...consentForm, phone_number, signature: 'Bo Ek' }),
    )
    await expectOk(sensei.post('/sms/simulated/incoming', { phone_number, text: 'STOP' }))
    await expectOk(sensei.delete(`/students/${student.id}`))
    expect(await findColumnsContaining({ phone: '5125550799', name: 'Bo Ek' })).toEqual(
      expect.arrayContaining([
        'public.consents.signature: name',
        'public.phone_opt_outs.phone: phone',
      ]),
    )
  })
})
