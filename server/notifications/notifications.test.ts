import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const otherServer = await server.openServer()

const announcement = { title: 'Closed on Monday', message: 'The dojo is closed for the holiday.' }
const createPoller =
  (http: typeof server.http, token: string | undefined) => (path: string, etag?: string) =>
    http.inject({
      url: `/api${path}`,
      headers: { authorization: `Bearer ${token}`, ...(etag && { 'if-none-match': etag }) },
    })

async function createDojo() {
  const sensei = await server.createSensei()
  return { sensei, student: await server.createStudent(sensei) }
}

test('shows the student an unread notification with the sender’s name', async () => {
  const { sensei, student } = await createDojo()
  expect((await sensei.post('/notifications/send', announcement)).body).toEqual({
    success: true,
    total_recipients: 1,
  })
  expect((await student.get('/notifications')).body).toEqual([
    {
      id: expect.any(String),
      ...announcement,
      sender_name: 'Aiko Tanaka',
      created_at: expect.any(String),
      is_read: false,
      read_at: null,
      opens: null,
      student_id: null,
    },
  ])
  expect((await student.get('/notifications/unread-count')).body).toEqual({ unread_count: 1 })
})

test('keeps the time when a notification was first read', async () => {
  const { sensei, student } = await createDojo()
  await sensei.post('/notifications/send', announcement)
  const [{ id }] = (await student.get('/notifications')).body
  expect((await student.put(`/notifications/${id}/mark-read`)).body).toEqual({ success: true })
  const [readNotification] = (await student.get('/notifications')).body
  expect(readNotification).toMatchObject({ is_read: true, read_at: expect.any(String) })
  await student.put(`/notifications/${id}/mark-read`)
  expect((await student.get('/notifications')).body).toEqual([readNotification])
  expect((await student.get('/notifications/unread-count')).body).toEqual({ unread_count: 0 })
})

test('marks all notifications as read up to the newest one on the screen', async () => {
  const { sensei, student } = await createDojo()
  const sibling = await server.createStudent(sensei)
  for (const title of ['First', 'Second', 'Third'])
    await sensei.post('/notifications/send', { ...announcement, title })
  const [, secondNotification] = (await student.get('/notifications')).body
  const markAllRead = () =>
    student.put('/notifications/mark-all-read', { up_to: secondNotification.id })
  expect((await markAllRead()).body).toEqual({ success: true })
  expect((await student.get('/notifications')).body).toMatchObject([
    { title: 'Third', is_read: false },
    { title: 'Second', is_read: true },
    { title: 'First', is_read: true },
  ])
  expect((await student.get('/notifications/unread-count')).body).toEqual({ unread_count: 1 })
  expect((await sibling.get('/notifications/unread-count')).body).toEqual({ unread_count: 3 })
  const [, readNotification] = (await student.get('/notifications')).body
  await markAllRead()
  expect((await student.get('/notifications')).body[1]).toEqual(readNotification)
})

test('refuses to list or mark the notifications of another account', async () => {
  const { sensei, student } = await createDojo()
  const sibling = await server.createStudent(sensei)
  await sensei.post('/notifications/send', { ...announcement, student_ids: [student.id] })
  const [{ id }] = (await student.get('/notifications')).body
  expect((await sibling.get('/notifications')).body).toEqual([])
  for (const person of [sibling, sensei, await server.signInSuperAdmin()])
    expect((await person.put(`/notifications/${id}/mark-read`)).status).toBe(404)
})

test('responds with 304 to a poll without changes, even without a database', async () => {
  const { sensei, student } = await createDojo()
  await sensei.post('/notifications/send', announcement)
  const separateServer = await server.openServer()
  const poll = createPoller(separateServer.http, student.token)
  const paths = ['/notifications', '/notifications/unread-count']
  const firstReplies = [await poll(paths[0]!), await poll(paths[1]!)]
  await separateServer.db.close()
  for (const [index, path] of paths.entries()) {
    const { headers, body } = firstReplies[index]!
    const secondReply = await poll(path, headers.etag)
    expect([secondReply.statusCode, secondReply.body]).toEqual([304, ''])
    expect((await poll(path, '"another"')).body).toBe(body)
  }
})

test('includes a notification that another server stored in the next poll', async () => {
  const { sensei, student } = await createDojo()
  const poll = createPoller(otherServer.http, student.token)
  for (let round = 1; round <= 10; round += 1) {
    const { headers } = await poll('/notifications/unread-count')
    await sensei.post('/notifications/send', announcement)
    await expect
      .poll(async () => (await poll('/notifications/unread-count', headers.etag as string)).body, {
        timeout: 2000,
        interval: 5,
      })
      .toBe(`{"unread_count":${round}}`)
  }
})

test('includes a new notification in the next poll', async () => {
  const { sensei, student } = await createDojo()
  for (let round = 1; round <= 20; round += 1) {
    await sensei.post('/notifications/send', announcement)
    expect((await student.get('/notifications/unread-count')).body).toEqual({ unread_count: round })
  }
})

test('pages through the list, newest first', async () => {
  const { sensei, student } = await createDojo()
  for (const title of ['One', 'Two', 'Three'])
    await sensei.post('/notifications/send', { ...announcement, title })
  const listTitles = async (query: string) =>
    ((await student.get(`/notifications?${query}`)).body as { title: string }[]).map(
      ({ title }) => title,
    )
  const [, { id }] = (await student.get('/notifications')).body
  expect([
    await listTitles(''),
    await listTitles('limit=2'),
    await listTitles(`before=${id}`),
  ]).toEqual([['Three', 'Two', 'One'], ['Three', 'Two'], ['One']])
})

test('turns every setting on by default, and keeps settings that a request omits', async () => {
  const { student } = await createDojo()
  const defaultSettings = { sound_enabled: true, vibration_enabled: true, push_enabled: true }
  expect((await student.get('/notification-settings')).body).toEqual(defaultSettings)
  expect((await student.put('/notification-settings', { sound_enabled: false })).body).toEqual({
    ...defaultSettings,
    sound_enabled: false,
  })
  expect(
    (await student.put('/notification-settings', { ...defaultSettings, vibration_enabled: false }))
      .body,
  ).toEqual({ ...defaultSettings, vibration_enabled: false })
  expect((await student.get('/notification-settings')).body).toEqual({
    ...defaultSettings,
    vibration_enabled: false,
  })
})

test('notifies of a new sensei, a new student and a new belt', async () => {
  const { sensei, student } = await createDojo()
  const superAdmin = await server.signInSuperAdmin()
  expect((await superAdmin.get('/notifications')).body[0]).toMatchObject({
    title: 'New sensei registered',
    message: 'Aiko Tanaka of Cedar Park Judo awaits activation.',
  })
  const { invite_code } = (await sensei.get('/invitation')).body
  await server.anonymous.post('/register', {
    name: 'Mia Chen',
    email: `mia${Date.now()}@home.org`,
    password: 'Kiai2026!',
    invite_code,
  })
  const students = (await sensei.get('/students')).body as { id: string; name: string }[]
  const newStudent = students.find(({ name }) => name === 'Mia Chen')!
  expect((await sensei.get('/notifications')).body).toMatchObject([
    { title: 'New student joined', sender_name: 'Mia Chen', student_id: newStudent.id },
  ])
  const existingStudent = students.find(({ id }) => id === student.id)
  await sensei.put(`/students/${student.id}`, { ...existingStudent, belt_level: 'yellow' })
  await sensei.put(`/students/${student.id}`, { ...existingStudent, belt_level: 'yellow' })
  expect((await student.get('/notifications')).body).toMatchObject([
    { title: 'New belt', message: 'You now wear the yellow belt.' },
  ])
})
