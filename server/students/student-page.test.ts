import { expect, test } from 'vitest'
import {
  messageBatches,
  messages,
  incomingTexts,
  phoneOptOuts,
  undeliverablePhones,
} from '../texting/tables.ts'
import { newId } from '../db/columns.ts'
import { setClock } from '../test/clock.ts'
import { createStudents, dojoIdOf, exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const readPage = async (sensei: Sensei, { id }: { id: string }) =>
  (await sensei.get(`/students/${id}`)).body
const listStudents = async (sensei: Sensei) => (await sensei.get('/students')).body

test('returns everything on a student’s page in one call', async () => {
  // Still November 30 in Chicago.
  setClock('2026-12-01T03:00:00Z')
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const ken = await server.createStudent(sensei, {
    enrolled_classes: [kids.id],
    monthly_payment_amount: 85.5,
  })
  const markAttendance = (day: string, present: boolean) =>
    sensei.post('/attendance', {
      student_id: ken.id,
      class_id: kids.id,
      class_date: `${day}T00:00:00.000Z`,
      present,
    })
  for (const [day, present] of [
    ['2025-11-30', true],
    ['2025-12-01', true],
    ['2026-11-02', true],
    ['2026-11-04', true],
    ['2026-11-09', false],
  ] as const)
    await markAttendance(day, present)
  await sensei.post('/payment-records', {
    student_id: ken.id,
    payment_month: 10,
    payment_year: 2026,
    payment_status: 'paid',
  })
  await sensei.post('/payment-records', {
    student_id: ken.id,
    payment_month: 11,
    payment_year: 2025,
    payment_status: 'paid',
    monthly_payment_amount: 70.25,
  })

  const { status, body } = await sensei.get(`/students/${ken.id}`)
  expect(status).toBe(200)
  const [listedStudent] = await listStudents(sensei)
  expect(body.student).toEqual(listedStudent)
  expect(body).toMatchObject({
    enrolled_on: '2026-11-30',
    vacation_from: null,
    allergies: null,
    notes_changed_at: null,
    phones: [{ holder: 'student', obstacle: null }],
  })
  expect(body.attendance).toHaveLength(12)
  expect(body.attendance[0]).toEqual({ month: '2025-12-01', present: 1, absent: 0 })
  expect(body.attendance[10]).toEqual({ month: '2026-10-01', present: 0, absent: 0 })
  expect(body.attendance[11]).toEqual({ month: '2026-11-01', present: 2, absent: 1 })
  expect(body.attendance_days).toEqual([
    { day: '2025-12-01', present: 1, absent: 0 },
    { day: '2026-11-02', present: 1, absent: 0 },
    { day: '2026-11-04', present: 1, absent: 0 },
    { day: '2026-11-09', present: 0, absent: 1 },
  ])
  expect(
    body.recent_marks.map(({ class_date, present }: { class_date: string; present: boolean }) => [
      class_date,
      present,
    ]),
  ).toEqual([
    ['2026-11-09', false],
    ['2026-11-04', true],
    ['2026-11-02', true],
    ['2025-12-01', true],
    ['2025-11-30', true],
  ])
  expect(body.recent_marks[0]).toMatchObject({ class_id: kids.id, class_name: 'Kids Judo' })
  expect(body.payments).toHaveLength(12)
  expect(body.payments[0]).toMatchObject({
    month: '2025-12-01',
    payment_status: 'paid',
    monthly_payment_amount: 70.25,
  })
  expect(body.payments[1]).toEqual({
    month: '2026-01-01',
    payment_status: 'unpaid',
    monthly_payment_amount: null,
    marked_at: null,
  })
  expect(body.payments[11]).toMatchObject({
    month: '2026-11-01',
    payment_status: 'paid',
    monthly_payment_amount: 85.5,
  })
})

test('lists sent texts and replies, newest first', async () => {
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  const ken = await server.createStudent(sensei)
  const mia = await server.createStudent(sensei, { name: 'Mia Chen' })
  await server.db.inDojo(dojoId, async (tx) => {
    const batch_id = newId()
    await tx
      .insert(messageBatches)
      .values({ id: batch_id, kind: 'weather_cancel', text: 'No class.' })
    const insertText = (
      student_id: string,
      text: string,
      sentAt: string,
      state: 'delivered' | 'skipped' | 'failed',
    ) =>
      tx
        .insert(messages)
        .values({ batch_id, student_id, text, state, sent_at: sentAt, updated_at: sentAt })
    await insertText(ken.id, 'First', '2026-01-01T10:00:00.000Z', 'delivered')
    await insertText(ken.id, 'Third', '2026-01-03T10:00:00.000Z', 'failed')
    await insertText(ken.id, 'Never', '2026-01-04T10:00:00.000Z', 'skipped')
    await insertText(mia.id, 'Not his', '2026-01-05T10:00:00.000Z', 'delivered')
    const received_at = '2026-01-02T10:00:00.000Z'
    await tx.insert(incomingTexts).values({
      provider_id: 'SM1',
      student_id: ken.id,
      phone: '+15125550142',
      text: 'Second',
      received_at,
    })
  })
  const { texts } = await readPage(sensei, ken)
  expect(texts.map(({ id: _, ...text }: { id: string }) => text)).toEqual([
    { is_reply: false, text: 'Third', state: 'failed', at: '2026-01-03T10:00:00.000Z' },
    { is_reply: true, text: 'Second', state: null, at: '2026-01-02T10:00:00.000Z' },
    { is_reply: false, text: 'First', state: 'delivered', at: '2026-01-01T10:00:00.000Z' },
  ])
})

test('says why texts do not reach a student', async () => {
  const sensei = await server.createSensei()
  const studentWithStop = await server.createStudent(sensei, { phone_number: '(512) 555-0177' })
  const studentWithInvalidPhone = await server.createStudent(sensei, { phone_number: '123' })
  await server.db.withoutDojo((tx) => tx.insert(phoneOptOuts).values({ phone: '+15125550177' }))
  expect((await readPage(sensei, studentWithStop)).phones).toEqual([
    {
      phone_number: '+15125550177',
      holder: 'student',
      holder_name: null,
      obstacle: 'replied_stop',
    },
  ])
  expect((await readPage(sensei, studentWithInvalidPhone)).phones).toEqual([])
  const mia = await server.createStudent(sensei, { phone_number: '(512) 555-0178' })
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx
      .insert(undeliverablePhones)
      .values({ student_id: mia.id, phone: '+15125550178', error_code: 21614 }),
  )
  expect((await readPage(sensei, mia)).phones).toMatchObject([{ obstacle: 'undeliverable' }])
})

test('shows a phone that gets only texts about fees', async () => {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { phone_number: '(512) 555-0179' })
  const link = { student_id: leo.id, pays: true, gets_texts: false }
  await server.createGuardian(sensei, [], {
    name: 'Ben Cruz',
    phone: '(512) 555-0180',
    students: [link],
  })
  await server.db.withoutDojo((tx) => tx.insert(phoneOptOuts).values({ phone: '+15125550180' }))
  const { phones, fee_phones } = await readPage(sensei, leo)
  expect(phones).toMatchObject([{ phone_number: '+15125550179' }])
  expect(fee_phones).toEqual([
    {
      phone_number: '+15125550180',
      holder: 'guardian',
      holder_name: 'Ben Cruz',
      obstacle: 'replied_stop',
    },
  ])
})

test('shows each belt change with its day and the instructor who made it', async () => {
  setClock('2026-03-01T18:00:00Z')
  const sensei = await server.createSensei()
  const ken = await server.createStudent(sensei, { class_preferences: ['saturday'] })
  const changeBelt = (belt_level: string) =>
    sensei.put(`/students/${ken.id}`, exampleStudent({ ...ken, belt_level }))
  await changeBelt('white')
  await changeBelt('yellow')
  setClock('2026-03-20T18:00:00Z')
  await changeBelt('orange')
  const { belt_changes } = await readPage(sensei, ken)
  expect(belt_changes).toMatchObject([
    { belt_level: 'orange', previous_belt: 'yellow', changed_by: 'Aiko Tanaka' },
    { belt_level: 'yellow', previous_belt: 'white', changed_by: 'Aiko Tanaka' },
  ])
  expect(
    belt_changes.map(({ changed_at }: { changed_at: string }) => changed_at.slice(0, 10)),
  ).toEqual(['2026-03-20', '2026-03-01'])
})

test('keeps notes that the form omits, clears empty notes, and says who changed them', async () => {
  const sensei = await server.createSensei()
  const ken = await server.createStudent(sensei)
  const saveNotes = (notes: object) => sensei.put(`/students/${ken.id}/notes`, notes)
  expect((await saveNotes({ allergies: ' Peanuts ', private_notes: 'Two\nlines' })).body).toEqual({
    allergies: 'Peanuts',
    medical_note: null,
    private_notes: 'Two\nlines',
  })
  expect((await saveNotes({ medical_note: 'Asthma' })).body).toEqual({
    allergies: 'Peanuts',
    medical_note: 'Asthma',
    private_notes: 'Two\nlines',
  })
  expect((await saveNotes({ private_notes: '' })).body).toEqual({
    allergies: 'Peanuts',
    medical_note: 'Asthma',
    private_notes: null,
  })
  expect(await readPage(sensei, ken)).toMatchObject({
    allergies: 'Peanuts',
    medical_note: 'Asthma',
    notes_changed_by: 'Aiko Tanaka',
  })
  expect((await saveNotes({ allergies: 'x'.repeat(501) })).body).toEqual({
    detail: 'Allergies must be at most 500 characters',
    errors: [{ field: 'allergies', message: 'Allergies must be at most 500 characters' }],
  })
  expect((await saveNotes({ medical_note: 7 })).status).toBe(422)
})

test('the list says which students have a medical note, but profiles do not', async () => {
  const sensei = await server.createSensei()
  const ken = await server.createStudent(sensei)
  const saveNotes = (notes: object) => sensei.put(`/students/${ken.id}/notes`, notes)
  expect(await listStudents(sensei)).toMatchObject([{ has_medical_note: false }])
  await saveNotes({ private_notes: 'Shy' })
  expect(await listStudents(sensei)).toMatchObject([{ has_medical_note: false }])
  await saveNotes({ allergies: 'Peanuts' })
  const [listedStudent] = await listStudents(sensei)
  expect(listedStudent).toMatchObject({ has_medical_note: true })
  expect(
    Object.keys(listedStudent).filter((field) => /allerg|medical|private|vacation_/.test(field)),
  ).toEqual(['has_medical_note'])
  await saveNotes({ allergies: null })
  expect(await listStudents(sensei)).toMatchObject([{ has_medical_note: false }])

  await saveNotes({ allergies: 'Peanuts', private_notes: 'Shy' })
  const profile = JSON.stringify((await ken.get('/profile')).body)
  for (const secret of ['Peanuts', 'Shy', 'has_medical_note']) expect(profile).not.toContain(secret)
  expect((await ken.get(`/students/${ken.id}`)).status).toBe(403)
})

test('responds with 404 for an unknown student or a student of another dojo', async () => {
  const sensei = await server.createSensei()
  const otherStudent = await server.createStudent(await server.createSensei())
  for (const [method, path] of [
    ['get', ''],
    ['put', '/notes'],
    ['put', '/vacation'],
  ] as const)
    for (const id of [otherStudent.id, newId(), 'nobody']) {
      const body = path === '/vacation' ? { vacation_from: null, vacation_until: null } : {}
      expect(
        (await sensei[method](`/students/${id}${path}`, method === 'put' ? body : undefined))
          .status,
      ).toBe(404)
    }
})

test('shows the right student among five hundred', async () => {
  const sensei = await server.createSensei()
  await createStudents(server.db, await dojoIdOf(server.db, sensei.id), 499)
  const ken = await server.createStudent(sensei)
  expect((await readPage(sensei, ken)).student).toMatchObject({ id: ken.id, name: 'Ken Adams' })
})
