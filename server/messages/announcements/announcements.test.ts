import { expect, test } from 'vitest'
import { monthIn } from '../../dojos/calendar.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const BELT_TEST = { title: 'Belt test', message: 'On Saturday at ten.' }

async function createDojo() {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const teens = await server.createClass(sensei)
  const kid = await server.createStudent(sensei, { enrolled_classes: [kids.id] })
  const teen = await server.createStudent(sensei, { enrolled_classes: [teens.id] })
  return { sensei, kids, teens, kid, teen }
}
type AnnouncementReader = { get: (path: string) => Promise<{ body: { title: string }[] }> }
const readAnnouncements = async (reader: AnnouncementReader) =>
  (await reader.get('/announcements')).body.map(({ title }) => title)

test('shows an announcement to a class only to the class and to instructors', async () => {
  const { sensei, kids, kid, teen } = await createDojo()
  expect(
    (await sensei.post('/notifications/send', { ...BELT_TEST, class_ids: [kids.id] })).body,
  ).toEqual({ success: true, total_recipients: 1 })
  expect(
    await Promise.all([readAnnouncements(kid), readAnnouncements(teen), readAnnouncements(sensei)]),
  ).toEqual([['Belt test'], [], ['Belt test']])
  expect((await kid.get('/announcements')).body).toEqual([
    {
      id: expect.any(String),
      title: 'Belt test',
      category: 'general',
      content: BELT_TEST.message,
      created_at: expect.any(String),
    },
  ])
  expect((await kid.get('/notifications/unread-count')).body).toEqual({ unread_count: 1 })
})

test('sends to everybody, or only to the selected class and student', async () => {
  const { sensei, kids, teen } = await createDojo()
  const counts = []
  for (const selection of [
    {},
    { class_ids: null },
    { class_ids: [], student_ids: [] },
    { class_ids: [kids.id] },
    { class_ids: [kids.id], student_ids: [teen.id] },
  ]) {
    counts.push(
      (await sensei.post('/notifications/send', { ...BELT_TEST, ...selection })).body
        .total_recipients,
    )
  }
  expect(counts).toEqual([2, 2, 2, 1, 2])
})

test('responds with 404 for classes and students of another dojo, and sends nothing', async () => {
  const { sensei } = await createDojo()
  const otherDojo = await createDojo()
  const refusals = [
    await sensei.post('/notifications/send', { ...BELT_TEST, class_ids: [otherDojo.kids.id] }),
    await sensei.post('/notifications/send', { ...BELT_TEST, student_ids: [otherDojo.kid.id] }),
  ]
  expect(refusals.map(({ status, body }) => [status, body.detail])).toEqual([
    [404, 'Class not found'],
    [404, 'Student not found'],
  ])
  expect([await readAnnouncements(sensei), await readAnnouncements(otherDojo.kid)]).toEqual([
    [],
    [],
  ])
})

test('sends no fee reminder to students who paid, are on trial or are on vacation', async () => {
  const { sensei, kid, teen } = await createDojo()
  const trialStudent = await server.createStudent(sensei, { is_trial: true })
  const studentOnVacation = await server.createStudent(sensei)
  const [form] = (await sensei.get('/students')).body.filter(
    (student: { id: string }) => student.id === studentOnVacation.id,
  )
  await sensei.put(`/students/${studentOnVacation.id}`, { ...form, on_vacation: true })
  const { month, year } = monthIn('America/Chicago')
  await sensei.post('/payment-records', {
    student_id: teen.id,
    payment_month: month,
    payment_year: year,
    payment_status: 'paid',
  })
  expect(
    (await sensei.post('/notifications/send-fee-reminder', { custom_message: 'Please pay.' })).body,
  ).toEqual({ success: true, total_recipients: 1 })
  expect(
    await Promise.all([kid, teen, trialStudent, studentOnVacation].map(readAnnouncements)),
  ).toEqual([['Monthly Fee Reminder'], [], [], []])
  const [announcement] = (await sensei.get('/announcements')).body
  expect(announcement).toMatchObject({ category: 'fee', content: 'Please pay.' })
  expect(
    (await sensei.post('/notifications/send-fee-reminder', { announcement_id: announcement.id }))
      .body.total_recipients,
  ).toBe(1)
})

test('refuses a fee reminder without a message', async () => {
  const { sensei } = await createDojo()
  const refusal = await sensei.post('/notifications/send-fee-reminder', { custom_message: ' ' })
  expect([refusal.status, refusal.body.detail]).toEqual([422, 'Message is required'])
})
