import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const otherServer = await server.openServer()

const send = { title: 'Closed on Monday', message: 'The dojo is closed for the holiday.' }
const poller =
  (http: typeof server.http, token: string | undefined) => (path: string, tag?: string) =>
    http.inject({
      url: `/api${path}`,
      headers: { authorization: `Bearer ${token}`, ...(tag && { 'if-none-match': tag }) },
    })

async function aDojo() {
  const sensei = await server.createSensei()
  return { sensei, student: await server.createStudent(sensei) }
}

test('notifies the student, with the sender’s name and unread', async () => {
  const { sensei, student } = await aDojo()
  expect((await sensei.post('/notifications/send', send)).body).toEqual({
    success: true,
    total_recipients: 1,
  })
  expect((await student.get('/notifications')).body).toEqual([
    {
      id: expect.any(String),
      ...send,
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

test('marks a notification read permanently', async () => {
  const { sensei, student } = await aDojo()
  await sensei.post('/notifications/send', send)
  const [{ id }] = (await student.get('/notifications')).body
  expect((await student.put(`/notifications/${id}/mark-read`)).body).toEqual({ success: true })
  const [read] = (await student.get('/notifications')).body
  expect(read).toMatchObject({ is_read: true, read_at: expect.any(String) })
  await student.put(`/notifications/${id}/mark-read`)
  expect((await student.get('/notifications')).body).toEqual([read])
  expect((await student.get('/notifications/unread-count')).body).toEqual({ unread_count: 0 })
})

test('refuses to list or mark the notifications of another account', async () => {
  const { sensei, student } = await aDojo()
  const sibling = await server.createStudent(sensei)
  await sensei.post('/notifications/send', { ...send, student_ids: [student.id] })
  const [{ id }] = (await student.get('/notifications')).body
  expect((await sibling.get('/notifications')).body).toEqual([])
  for (const person of [sibling, sensei, await server.signInSuperAdmin()])
    expect((await person.put(`/notifications/${id}/mark-read`)).status).toBe(404)
})

test('answers a poll without changes with 304 and no query', async () => {
  const { sensei, student } = await aDojo()
  await sensei.post('/notifications/send', send)
  const lonely = await server.openServer()
  const poll = poller(lonely.http, student.token)
  const first = [await poll('/notifications'), await poll('/notifications/unread-count')]
  await lonely.db.close()
  for (const [i, path] of ['/notifications', '/notifications/unread-count'].entries()) {
    const secondReply = await poll(path, first[i]!.headers.etag)
    expect([secondReply.statusCode, secondReply.body]).toEqual([304, ''])
    expect((await poll(path, '"another"')).body).toBe(first[i]!.body)
  }
})

test('includes a notification from another server in the next poll', async () => {
  const { sensei, student } = await aDojo()
  const poll = poller(otherServer.http, student.token)
  for (let round = 1; round <= 10; round += 1) {
    const { headers } = await poll('/notifications/unread-count')
    await sensei.post('/notifications/send', send)
    await expect
      .poll(async () => (await poll('/notifications/unread-count', headers.etag as string)).body, {
        timeout: 2000,
        interval: 5,
      })
      .toBe(`{"unread_count":${round}}`)
  }
})

test('includes a new notification in the next poll', async () => {
  const { sensei, student } = await aDojo()
  for (let round = 1; round <= 20; round += 1) {
    await sensei.post('/notifications/send', send)
    expect((await student.get('/notifications/unread-count')).body).toEqual({ unread_count: round })
  }
})

test('pages the list, newest first', async () => {
  const { sensei, student } = await aDojo()
  for (const title of ['One', 'Two', 'Three'])
    await sensei.post('/notifications/send', { ...send, title })
  const titles = async (query: string) =>
    ((await student.get(`/notifications?${query}`)).body as { title: string }[]).map(
      ({ title }) => title,
    )
  const [, second] = (await student.get('/notifications')).body
  expect([await titles(''), await titles('limit=2'), await titles(`before=${second.id}`)]).toEqual([
    ['Three', 'Two', 'One'],
    ['Three', 'Two'],
    ['One'],
  ])
})

test('has every setting on by default', async () => {
  const { student } = await aDojo()
  const defaultSettings = { sound_enabled: true, vibration_enabled: true, push_enabled: true }
  expect((await student.get('/notification-settings')).body).toEqual(defaultSettings)
  expect((await student.put('/notification-settings', { sound_enabled: false })).body).toEqual({
    ...defaultSettings,
    sound_enabled: false,
  })
  expect(
    (await student.put('/notification-settings', { ...defaultSettings, vibration_enabled: false }))
      .body,
  ).toEqual({
    ...defaultSettings,
    vibration_enabled: false,
  })
  expect((await student.get('/notification-settings')).body).toEqual({
    ...defaultSettings,
    vibration_enabled: false,
  })
})

test('notifies of a registration, a student and a belt', async () => {
  const { sensei, student } = await aDojo()
  const boss = await server.signInSuperAdmin()
  expect((await boss.get('/notifications')).body[0]).toMatchObject({
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
