import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createBrowser, readVapidClaims, startFakePush } from '../test/fake-push.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { startPushWorker } from './push-worker.ts'

const server = await startTestServer()
const otherServer = await server.openServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
const query = async (text: string, ...values: unknown[]) => (await admin.query(text, values)).rows

/** The push service's response statuses by path. The default is 201. */
const responseStatuses = new Map<string, number>()
let responseDelay: Promise<unknown> = Promise.resolve()
const service = await startFakePush(async (path) => {
  await responseDelay
  return responseStatuses.get(path) ?? 201
})
const contact = 'mailto:admin@tatami.test'
const errors: unknown[] = []
const startWorker = ({ db, pubsub }: Pick<typeof server, 'db' | 'pubsub'>) =>
  startPushWorker({
    db,
    pubsub,
    contact,
    post: service.post,
    onError: (error) => void errors.push(error),
  })
const stopWorkers = [startWorker(server), startWorker(otherServer)]
afterAll(async () => {
  for (const stop of stopWorkers) await stop()
  await service.close()
  await admin.end()
})

/** Waits long enough for a push that must not be sent to arrive. */
const waitForUnwantedPushes = () => sleep(400)
const NOTICE = { title: 'Closed on Monday', message: 'The dojo is closed for the holiday.' }
const expectPushes = async (browser: ReturnType<typeof createBrowser>, times = 1) => {
  await expect.poll(() => browser.requestsIn(service.requests).length).toBe(times)
}

async function subscribeBrowser(person: Awaited<ReturnType<typeof server.signIn>>) {
  const browser = createBrowser()
  expect((await person.put('/push-subscription', browser.subscription)).body).toEqual({
    success: true,
  })
  return browser
}
async function createSubscribedStudent() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  return { sensei, student, browser: await subscribeBrowser(student) }
}

test('sends an encrypted, signed push with a TTL of a day to the subscribed browser', async () => {
  const { sensei, student, browser } = await createSubscribedStudent()
  await sensei.post('/notifications/send', NOTICE)
  await expectPushes(browser)
  const [{ headers, body }] = browser.requestsIn(service.requests) as any
  const [{ id }] = (await student.get('/notifications')).body
  expect(browser.decrypt(body)).toEqual({
    title: NOTICE.title,
    body: NOTICE.message,
    tag: id,
    path: '/dashboard#notifications',
    unread: 1,
  })
  expect(() => createBrowser().decrypt(body)).toThrow(/auth/)
  expect(headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' })
  const { public_key } = (await student.get('/push-subscription')).body
  const claims = readVapidClaims(headers, public_key)
  expect(claims).toEqual({ aud: 'https://push.example.com', sub: contact, exp: expect.any(Number) })
  const hours = (claims.exp - Date.now() / 1000) / 3600
  expect(hours > 0 && hours < 24).toBe(true)
})

test('sends each push once to each browser with two servers', async () => {
  const { sensei, student, browser } = await createSubscribedStudent()
  const secondBrowser = await subscribeBrowser(await server.signIn(student.email))
  const notices = Array.from({ length: 25 }, (_, index) => ({
    ...NOTICE,
    title: `Notice ${index}`,
  }))
  await Promise.all(notices.map((content) => sensei.post('/notifications/send', content)))
  for (const device of [browser, secondBrowser]) await expectPushes(device, 25)
  await waitForUnwantedPushes()
  const expectedTitles = notices.map(({ title }) => title).toSorted()
  for (const device of [browser, secondBrowser])
    expect(
      device
        .messagesIn(service.requests)
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(expectedTitles)
})

test('does not wait for the push service, and does not retry a failed push', async () => {
  const { sensei, browser } = await createSubscribedStudent()
  let endDelay = () => {}
  responseDelay = new Promise<void>((resolve) => {
    endDelay = resolve
  })
  responseStatuses.set(browser.path, 500)
  expect((await sensei.post('/notifications/send', NOTICE)).status).toBe(200)
  await expectPushes(browser)
  endDelay()
  await expect
    .poll(() => errors.splice(0))
    .toEqual([new Error('The push service push.example.com responded with 500')])
  responseStatuses.clear()
  await sensei.post('/notifications/send', { ...NOTICE, title: 'Open again' })
  await expectPushes(browser, 2)
  expect(
    browser.messagesIn(service.requests).map(({ title, unread }) => ({ title, unread })),
  ).toEqual([
    { title: 'Closed on Monday', unread: 1 },
    { title: 'Open again', unread: 2 },
  ])
})

test('pushes nothing while push is off, and nothing from before the subscription', async () => {
  const { sensei, student, browser } = await createSubscribedStudent()
  const otherBrowser = await subscribeBrowser(await server.signIn(student.email))
  await student.put('/notification-settings', { push_enabled: false })
  await sensei.post('/notifications/send', NOTICE)
  await waitForUnwantedPushes()
  await student.put('/notification-settings', { push_enabled: true })
  expect((await student.get('/push-subscription')).body.subscribed).toBe(true)
  expect((await student.delete('/push-subscription')).body).toEqual({ success: true })
  expect((await student.get('/push-subscription')).body.subscribed).toBe(false)
  await sensei.post('/notifications/send', { ...NOTICE, title: 'Later' })
  await expectPushes(otherBrowser)
  const lateBrowser = await subscribeBrowser(student)
  await sensei.post('/notifications/send', { ...NOTICE, title: 'Last' })
  await expectPushes(lateBrowser)
  expect(
    [browser, otherBrowser, lateBrowser].map((device) =>
      device.messagesIn(service.requests).map(({ title }) => title),
    ),
  ).toEqual([[], ['Later', 'Last'], ['Last']])
})

test('ends a subscription on logout, after a password change and on deactivation', async () => {
  const { sensei, student } = await createSubscribedStudent()
  const loggedOutClient = await server.signIn(student.email)
  const loggedOutBrowser = await subscribeBrowser(loggedOutClient)
  const otherBrowser = await subscribeBrowser(await server.signIn(student.email))
  await loggedOutClient.post('/logout')
  // A new password ends the account's other sessions.
  await student.put('/profile/password', { current_password: PASSWORD, new_password: 'Hajime2026' })
  expect(
    await query('select account_id from push_subscriptions where account_id = $1', student.id),
  ).toHaveLength(1)
  await sensei.post('/notifications/send', NOTICE)
  await waitForUnwantedPushes()
  expect(
    [loggedOutBrowser, otherBrowser].flatMap((device) => device.requestsIn(service.requests)),
  ).toEqual([])
  await (await server.signInSuperAdmin()).put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect(
    await query('select account_id from push_subscriptions where account_id = $1', student.id),
  ).toEqual([])
})

test('pushes nothing to expired sessions or deleted students', async () => {
  const { sensei, student, browser } = await createSubscribedStudent()
  await query(
    "update sessions set last_used_at = now() - interval '31 days' where account_id = $1",
    student.id,
  )
  await sensei.post('/notifications/send', NOTICE)
  await waitForUnwantedPushes()
  expect(browser.requestsIn(service.requests)).toEqual([])
  await sensei.delete(`/students/${student.id}`)
  expect(await query('select 1 from push_subscriptions where account_id = $1', student.id)).toEqual(
    [],
  )
  expect(
    await query(
      'select 1 from push_claims where subscription_id not in (select id from push_subscriptions)',
    ),
  ).toEqual([])
})

test.each([404, 410])(
  'deletes the subscription of a browser that the push service no longer knows (%i)',
  async (status) => {
    const { sensei, student, browser } = await createSubscribedStudent()
    responseStatuses.set(browser.path, status)
    await sensei.post('/notifications/send', NOTICE)
    await expect
      .poll(async () => (await student.get('/push-subscription')).body.subscribed)
      .toBe(false)
    expect(browser.requestsIn(service.requests)).toHaveLength(1)
  },
)

test('deletes a subscription with an invalid key', async () => {
  const { sensei, student } = await createSubscribedStudent()
  const {
    endpoint,
    keys: { auth },
  } = createBrowser().subscription
  await student.put('/push-subscription', { endpoint, keys: { p256dh: 'B'.repeat(87), auth } })
  await sensei.post('/notifications/send', NOTICE)
  await expect
    .poll(async () => (await student.get('/push-subscription')).body.subscribed)
    .toBe(false)
})

test('gives a shared browser to its newest account, and keeps the ten newest browsers', async () => {
  const { sensei, student, browser } = await createSubscribedStudent()
  const initialRows = await query(
    'select * from push_subscriptions where account_id = $1',
    student.id,
  )
  await student.put('/push-subscription', browser.subscription)
  expect(await query('select * from push_subscriptions where account_id = $1', student.id)).toEqual(
    initialRows,
  )
  const sibling = await server.createStudent(sensei)
  await sibling.put('/push-subscription', browser.subscription)
  expect((await student.get('/push-subscription')).body.subscribed).toBe(false)
  const browsers: ReturnType<typeof createBrowser>[] = []
  for (let count = 0; count < 11; count += 1) {
    const newSession = await server.signIn(student.email)
    browsers.push(await subscribeBrowser(newSession))
  }
  const keptRows = await query(
    'select endpoint from push_subscriptions where account_id = $1 order by id',
    student.id,
  )
  expect(keptRows.map(({ endpoint }) => endpoint)).toEqual(
    browsers.slice(1).map(({ subscription }) => subscription.endpoint),
  )
})

test('pushes to super admins, whose pushes open their own screen', async () => {
  const browser = await subscribeBrowser(await server.signInSuperAdmin())
  await server.createSensei()
  await expectPushes(browser)
  expect(browser.messagesIn(service.requests)).toMatchObject([
    { title: 'New sensei registered', path: '/super-admin#notifications' },
  ])
})

test('pushes what was sent while no server was running, and only once', async () => {
  const separateServer = await startTestServer()
  const sensei = await separateServer.createSensei()
  const student = await separateServer.createStudent(sensei)
  const browser = createBrowser()
  await student.put('/push-subscription', browser.subscription)
  await sensei.post('/notifications/send', NOTICE)
  for (let starts = 0; starts < 2; starts += 1) {
    const stop = startWorker(separateServer)
    await expectPushes(browser)
    await stop()
  }
  expect(browser.requestsIn(service.requests)).toHaveLength(1)
})

test('logs no unexpected errors', () => {
  expect(errors).toEqual([])
})
