import { mustExist } from '@tatami/contract/lib/must-exist'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { moveClock } from '../lib/clock.ts'
import type { Database } from '../db/database.ts'
import { exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { createClients, startTestServer, TEST_SETTINGS } from '../test/test-server.ts'
import { passwordResets } from './tables.ts'

const { smtpUrl, mails, mailsTo } = await startMailServer()
const server = await startTestServer({ smtpUrl })
const MAIL_DELIVERY = { timeout: 10_000 }
let clockOffsetMs = 0
afterEach(() => {
  mails.length = 0
  moveClock(-clockOffsetMs)
  clockOffsetMs = 0
})

const RESET_RESPONSE = {
  success: true,
  message: 'If there is an account with this email, a link to reset its password is on its way.',
}
const requestReset = async (email: string) =>
  (await server.anonymous.post('/password-reset/request', { email })).body
async function requestToken(email: string): Promise<string> {
  await requestReset(email)
  const readToken = (mail: string) => /reset-password#([\w-]{43})/.exec(mail)?.[1]
  const findToken = () =>
    mailsTo(email.toLowerCase())
      .map(readToken)
      .find((token) => token !== undefined)
  await expect.poll(findToken, MAIL_DELIVERY).toBeDefined()
  const token = findToken()
  mails.length = 0
  return mustExist(token, 'The token')
}
const listResetLinks = (id: string) =>
  server.db.withoutDojo((tx) =>
    tx.select().from(passwordResets).where(eq(passwordResets.account_id, id)),
  )
const choosePassword = (reset_token: string, new_password = 'a new password') =>
  server.anonymous.post('/password-reset', { reset_token, new_password })

test('says whether a password can be reset by email', async () => {
  expect((await server.anonymous.get('/sign-in-options')).body).toEqual({ password_reset: true })
  const { http } = await server.openServer({ smtpUrl: undefined })
  expect((await createClients(http).anonymous.get('/sign-in-options')).body).toEqual({
    password_reset: false,
  })
})

test('an emailed link sets the password once, and ends every session', async () => {
  const sensei = await server.createSensei()
  const token = await requestToken(sensei.email.toUpperCase())
  expect((await choosePassword(token)).body).toEqual({ success: true })
  expect((await sensei.get('/profile')).status).toBe(401)
  expect(
    (await server.anonymous.post('/login', { email: sensei.email, password: PASSWORD })).status,
  ).toBe(401)
  expect(
    (await server.anonymous.post('/login', { email: sensei.email, password: 'a new password' }))
      .status,
  ).toBe(200)
  const secondResponse = await choosePassword(token)
  expect([secondResponse.status, secondResponse.body]).toEqual([
    400,
    { detail: 'This link is no longer valid. Please ask for a new one.' },
  ])
})

test('sends no mail if the email has no account, but gives the same response', async () => {
  const sensei = await server.createSensei()
  expect([await requestReset(sensei.email), await requestReset('nobody@dojo.com')]).toEqual([
    RESET_RESPONSE,
    RESET_RESPONSE,
  ])
  await expect.poll(() => mails.length, MAIL_DELIVERY).toBe(1)
  expect(mails[0]).toContain(`To: ${sensei.email}`)
})

test('sends no mail to a child whose guardians have not agreed to a login', async () => {
  const sensei = await server.createSensei()
  const birthYear = new Date().getFullYear() - 9
  const child = await server.createStudent(sensei, { date_of_birth: `${birthYear}-01-01` })
  expect(await requestReset(child.email)).toEqual(RESET_RESPONSE)
  expect(await requestReset(sensei.email)).toEqual(RESET_RESPONSE)
  await expect.poll(() => mailsTo(sensei.email).length, MAIL_DELIVERY).toBe(1)
  expect([mailsTo(child.email), await listResetLinks(child.id)]).toEqual([[], []])
})

test('accepts a link for 30 minutes, and ends the other links when one is used', async () => {
  const sensei = await server.createSensei()
  const unusedToken = await requestToken(sensei.email)
  const usedToken = await requestToken(sensei.email)
  expect((await choosePassword(usedToken)).status).toBe(200)
  expect((await choosePassword(unusedToken)).status).toBe(400)
  const expiredToken = await requestToken(sensei.email)
  clockOffsetMs = 30 * 60_000 + 1000
  moveClock(clockOffsetMs)
  expect((await choosePassword(expiredToken)).status).toBe(400)
})

test('invalidates a link when the email or password is changed in another way', async () => {
  const sensei = await server.createSensei()
  const superAdmin = await server.signInSuperAdmin()
  const student = await server.createStudent(sensei)
  const changes: [email: string, change: () => Promise<{ status: number }>][] = [
    [
      student.email,
      () =>
        sensei.put(
          `/students/${student.id}`,
          exampleStudent({ email: 'moved@home.org', class_preferences: ['saturday'] }),
        ),
    ],
    [
      sensei.email,
      () =>
        sensei.put('/profile/password', {
          current_password: PASSWORD,
          new_password: 'a new password',
        }),
    ],
    [sensei.email, () => sensei.put('/profile', { email: 'moved@dojo.com', dojo_name: 'Moved' })],
    [
      'moved@dojo.com',
      () =>
        superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
          new_password: 'set by the admin',
        }),
    ],
  ]
  for (const [email, change] of changes) {
    const token = await requestToken(email)
    expect((await change()).status).toBe(200)
    expect((await choosePassword(token, 'chosen by a stranger')).status).toBe(400)
  }
})

test('sends at most three valid links, even for concurrent requests', async () => {
  const sensei = await server.createSensei()
  const responses = await Promise.all(Array.from({ length: 40 }, () => requestReset(sensei.email)))
  expect(responses).toEqual(responses.map(() => RESET_RESPONSE))
  const otherSensei = await server.createSensei()
  await requestReset(otherSensei.email)
  await expect.poll(() => mailsTo(otherSensei.email).length, MAIL_DELIVERY).toBe(1)
  await expect.poll(() => mailsTo(sensei.email).length, MAIL_DELIVERY).toBe(3)
  expect(await listResetLinks(sensei.id)).toHaveLength(3)
})

/** Starts a server whose database calls wait until `gate` is resolved. */
async function startGatedServer() {
  const gate = Promise.withResolvers<void>()
  gate.promise.catch(() => {})
  const logLines: string[] = []
  const withoutDojo: Database['withoutDojo'] = async (work) => {
    await gate.promise
    return server.db.withoutDojo(work)
  }
  const http = await buildApp({
    db: { ...server.db, withoutDojo },
    pubsub: server.pubsub,
    env: { ...TEST_SETTINGS, smtpUrl, logLevel: 'error' },
    logTo: { write: (line: string) => void logLines.push(line) },
  })
  return { http, gate, logLines, ...createClients(http) }
}

test('responds before it looks up the account', async () => {
  const sensei = await server.createSensei()
  const { anonymous, gate, http } = await startGatedServer()
  for (const email of [sensei.email, 'nobody@dojo.com'])
    expect((await anonymous.post('/password-reset/request', { email })).body).toEqual(
      RESET_RESPONSE,
    )
  expect([await listResetLinks(sensei.id), mails]).toEqual([[], []])
  gate.resolve()
  await http.close()
  expect(await listResetLinks(sensei.id)).toHaveLength(1)
  await expect.poll(() => mails.length, MAIL_DELIVERY).toBe(1)
})

test('logs a failure to create a link without the email address', async () => {
  const sensei = await server.createSensei()
  const { anonymous, gate, http, logLines } = await startGatedServer()
  await anonymous.post('/password-reset/request', { email: sensei.email })
  gate.reject(new Error('No connection'))
  await http.close()
  expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'background work failed', err: { message: 'No connection' } },
  ])
  expect(logLines.join()).not.toContain(sensei.email)
})

test('stores only a hash of the token', async () => {
  const sensei = await server.createSensei()
  const token = await requestToken(sensei.email)
  const remainingLinks = await listResetLinks(sensei.id)
  expect(remainingLinks.length).toBeGreaterThan(0)
  expect(JSON.stringify(remainingLinks)).not.toContain(token)
})

test('sends a mail to a sensei whose password the super admin reset', async () => {
  const sensei = await server.createSensei()
  const superAdmin = await server.signInSuperAdmin()
  const resetPath = `/super-admin/sensei/${sensei.id}/reset-password`
  const { body } = await superAdmin.put(resetPath, { new_password: 'set by the admin' })
  expect(body).toEqual({ success: true })
  await expect.poll(() => mails.length, MAIL_DELIVERY).toBe(1)
  expect(mails[0]).toContain('Subject: Your Tatami password was reset')
  expect(mails[0]).not.toContain('set by the admin')
  expect((await sensei.get('/profile')).status).toBe(401)
})
