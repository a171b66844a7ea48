import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { aBrowser, claimsIn, fakePush } from '../test/fake-push.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { startPushWorker } from './push-worker.ts'

const server = await startTestServer()
const other = await server.openServer()
const admin = new pg.Client({ connectionString: server.adminUrl })
await admin.connect()
const rows = async (query: string, ...values: unknown[]) => (await admin.query(query, values)).rows

/** What the push service answers, by path; 201 where nothing is said. */
const answers = new Map<string, number>()
let held: Promise<unknown> = Promise.resolve()
const service = await fakePush(async (path) => {
  await held
  return answers.get(path) ?? 201
})
const subject = 'mailto:admin@tatami.test'
const errors: unknown[] = []
const start = ({ db, pubsub }: Pick<typeof server, 'db' | 'pubsub'>) =>
  startPushWorker({ db, pubsub, subject, post: service.post, onError: (error) => void errors.push(error) })
const pushers = [start(server), start(other)]
afterAll(async () => {
  for (const stop of pushers) await stop()
  await service.close()
  await admin.end()
})

/** Long enough for what should not have been sent to arrive. */
const settle = () => sleep(400)
const notice = { title: 'Closed on Monday', message: 'The dojo is closed for the holiday.' }
const arrives = async (browser: ReturnType<typeof aBrowser>, times = 1) => {
  await expect.poll(() => browser.lettersIn(service.taken).length).toBe(times)
}

async function subscribed(person: Awaited<ReturnType<typeof server.signIn>>) {
  const browser = aBrowser()
  expect((await person.put('/push-subscription', browser.subscription)).body).toEqual({ success: true })
  return browser
}
async function aDojo() {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  return { sensei, student, browser: await subscribed(student) }
}

test('a notice goes to the browser that subscribed: readable there alone, signed with its key, kept for a day', async () => {
  const { sensei, student, browser } = await aDojo()
  await sensei.post('/notifications/send', notice)
  await arrives(browser)
  const [{ headers, body }] = browser.lettersIn(service.taken) as any
  const [{ id }] = (await student.get('/notifications')).body
  expect(browser.read(body)).toEqual({ title: notice.title, body: notice.message, tag: id, path: '/dashboard#notifications' })
  expect(() => aBrowser().read(body)).toThrow(/auth/)
  expect(headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' })
  const { public_key } = (await student.get('/push-subscription')).body
  const claims = claimsIn(headers, public_key)
  expect(claims).toEqual({ aud: 'https://push.example.com', sub: subject, exp: expect.any(Number) })
  const hours = (claims.exp - Date.now() / 1000) / 3600
  expect(hours > 0 && hours < 24).toBe(true)
})

test('two servers that both hear of every notice send each once to each browser', async () => {
  const { sensei, student, browser } = await aDojo()
  const second = await subscribed(await server.signIn(student.email))
  const notices = Array.from({ length: 25 }, (_, i) => ({ ...notice, title: `Notice ${i}` }))
  await Promise.all(notices.map((one) => sensei.post('/notifications/send', one)))
  for (const one of [browser, second]) await arrives(one, 25)
  await settle()
  const wanted = notices.map(({ title }) => title).toSorted()
  for (const one of [browser, second])
    expect(
      one
        .shown(service.taken)
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(wanted)
})

test('the sensei’s call is answered while the push service still thinks, and what failed once is not sent again', async () => {
  const { sensei, browser } = await aDojo()
  let letGo = () => {}
  held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  answers.set(browser.path, 500)
  expect((await sensei.post('/notifications/send', notice)).status).toBe(200)
  await arrives(browser)
  letGo()
  await expect.poll(() => errors.splice(0)).toEqual([new Error('The push service push.example.com answered 500')])
  answers.clear()
  await sensei.post('/notifications/send', { ...notice, title: 'Open again' })
  await arrives(browser, 2)
  expect(browser.shown(service.taken).map(({ title }) => title)).toEqual(['Closed on Monday', 'Open again'])
})

test('nothing goes to whoever switched push off or has unsubscribed, nor of what was there before', async () => {
  const { sensei, student, browser } = await aDojo()
  const away = await subscribed(await server.signIn(student.email))
  await student.put('/notification-settings', { push_enabled: false })
  await sensei.post('/notifications/send', notice)
  await settle()
  await student.put('/notification-settings', { push_enabled: true })
  expect((await student.get('/push-subscription')).body.subscribed).toBe(true)
  expect((await student.delete('/push-subscription')).body).toEqual({ success: true })
  expect((await student.get('/push-subscription')).body.subscribed).toBe(false)
  await sensei.post('/notifications/send', { ...notice, title: 'Later' })
  await arrives(away)
  const late = await subscribed(student)
  await sensei.post('/notifications/send', { ...notice, title: 'Last' })
  await arrives(late)
  expect([browser, away, late].map((one) => one.shown(service.taken).map(({ title }) => title))).toEqual([[], ['Later', 'Last'], ['Last']])
})

test('a browser’s subscription ends with its session: logged out, ended from elsewhere, deactivated', async () => {
  const { sensei, student } = await aDojo()
  const left = await server.signIn(student.email),
    leftBrowser = await subscribed(left)
  const ended = await server.signIn(student.email),
    endedBrowser = await subscribed(ended)
  await left.post('/logout')
  await student.put('/profile/password', { current_password: PASSWORD, new_password: 'Hajime2026' })
  expect(await rows('select account_id from push_subscriptions where account_id = $1', student.id)).toHaveLength(1)
  await sensei.post('/notifications/send', notice)
  await settle()
  expect([leftBrowser, endedBrowser].flatMap((one) => one.lettersIn(service.taken))).toEqual([])
  await (await server.signInSuperAdmin()).put(`/super-admin/sensei/${sensei.id}/toggle-active`)
  expect(await rows('select account_id from push_subscriptions where account_id = $1', student.id)).toEqual([])
})

test('a session that slept for too long gets nothing, and a deleted student’s browsers are forgotten', async () => {
  const { sensei, student, browser } = await aDojo()
  await rows("update sessions set last_used_at = now() - interval '31 days' where account_id = $1", student.id)
  await sensei.post('/notifications/send', notice)
  await settle()
  expect(browser.lettersIn(service.taken)).toEqual([])
  await sensei.delete(`/students/${student.id}`)
  expect(await rows('select 1 from push_subscriptions where account_id = $1', student.id)).toEqual([])
  expect(await rows('select 1 from push_claims where subscription_id not in (select id from push_subscriptions)')).toEqual([])
})

test.each([404, 410])('a browser that the push service does not know any more (%i) is forgotten', async (status) => {
  const { sensei, student, browser } = await aDojo()
  answers.set(browser.path, status)
  await sensei.post('/notifications/send', notice)
  await expect.poll(async () => (await student.get('/push-subscription')).body.subscribed).toBe(false)
  expect(browser.lettersIn(service.taken)).toHaveLength(1)
})

test('keys of the right length that are none are forgotten as well', async () => {
  const { sensei, student } = await aDojo()
  const {
    endpoint,
    keys: { auth },
  } = aBrowser().subscription
  await student.put('/push-subscription', { endpoint, keys: { p256dh: 'B'.repeat(87), auth } })
  await sensei.post('/notifications/send', notice)
  await expect.poll(async () => (await student.get('/push-subscription')).body.subscribed).toBe(false)
})

test('a shared browser is the last one’s, subscribing again changes nothing, and an eleventh takes the place of the first', async () => {
  const { sensei, student, browser } = await aDojo()
  const before = await rows('select * from push_subscriptions where account_id = $1', student.id)
  await student.put('/push-subscription', browser.subscription)
  expect(await rows('select * from push_subscriptions where account_id = $1', student.id)).toEqual(before)
  const sibling = await server.createStudent(sensei)
  await sibling.put('/push-subscription', browser.subscription)
  expect((await student.get('/push-subscription')).body.subscribed).toBe(false)
  const browsers: ReturnType<typeof aBrowser>[] = []
  for (let i = 0; i < 11; i += 1) browsers.push(await subscribed(await server.signIn(student.email)))
  const kept = await rows('select endpoint from push_subscriptions where account_id = $1 order by id', student.id)
  expect(kept.map(({ endpoint }) => endpoint)).toEqual(browsers.slice(1).map(({ subscription }) => subscription.endpoint))
})

test('super admins are told as well, and a tap leads them to their own screen', async () => {
  const browser = await subscribed(await server.signInSuperAdmin())
  await server.createSensei()
  await arrives(browser)
  expect(browser.shown(service.taken)).toMatchObject([{ title: 'New sensei registered', path: '/super-admin#notifications' }])
})

test('what was made while no server pushed is caught up with, once', async () => {
  const lonely = await startTestServer()
  const sensei = await lonely.createSensei(),
    student = await lonely.createStudent(sensei),
    browser = aBrowser()
  await student.put('/push-subscription', browser.subscription)
  await sensei.post('/notifications/send', notice)
  for (let starts = 0; starts < 2; starts += 1) {
    const stop = start(lonely)
    await arrives(browser)
    await stop()
  }
  expect(browser.lettersIn(service.taken)).toHaveLength(1)
})

test('nothing else went wrong on the way', () => {
  expect(errors).toEqual([])
})
