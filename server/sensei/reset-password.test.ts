import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

test('ends the sessions, writes an audit entry, and notifies in the app without a mail server', async () => {
  const sensei = await server.createSensei(),
    superAdmin = await server.signInSuperAdmin()
  expect(
    (
      await superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
        new_password: 'set by the admin',
      })
    ).body,
  ).toEqual({ success: true })
  expect((await sensei.get('/profile')).status).toBe(401)
  const newSession = await server.signIn(sensei.email, 'set by the admin')
  await newSession.put('/profile/own-password', { new_password: 'chosen-by-me' })
  expect((await newSession.get('/notifications')).body).toMatchObject([
    { title: 'Password reset', is_read: false },
  ])
  const [, auditEntry] = (await superAdmin.get('/super-admin/audit-log')).body
  expect(auditEntry).toMatchObject({
    action: 'sensei password reset',
    actor: 'admin@tatami.test',
    subject: sensei.email,
    dojo_name: 'Cedar Park Judo',
  })
  expect(JSON.stringify(auditEntry)).not.toContain('set by the admin')
})

test('resets only the passwords of sensei, and only to a valid password', async () => {
  const sensei = await server.createSensei(),
    superAdmin = await server.signInSuperAdmin()
  const student = await server.createStudent(sensei)
  expect(
    (
      await superAdmin.put(`/super-admin/sensei/${student.id}/reset-password`, {
        new_password: 'long enough',
      })
    ).status,
  ).toBe(404)
  expect(
    (
      await superAdmin.put(`/super-admin/sensei/${superAdmin.id}/reset-password`, {
        new_password: 'long enough',
      })
    ).status,
  ).toBe(404)
  const refusal = await superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
    new_password: 'short',
  })
  expect([refusal.status, refusal.body.detail]).toEqual([
    422,
    'Password must be at least 8 characters',
  ])
  expect((await sensei.get('/profile')).status).toBe(200)
})

test('has a daily limit of 300 until the super admin sets it, from 1 to 10,000', async () => {
  const superAdmin = await server.signInSuperAdmin()
  expect((await superAdmin.get('/super-admin/system-config')).body).toEqual({
    daily_message_limit: 300,
  })
  for (const daily_limit of [0, 10_001, 1.5, '300', null]) {
    const refusal = await superAdmin.put('/super-admin/daily-message-limit', { daily_limit })
    expect([refusal.status, refusal.body.detail]).toEqual([
      422,
      'Daily limit must be between 1 and 10,000',
    ])
  }
  expect(
    (await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 10_000 })).body,
  ).toEqual({ success: true, daily_message_limit: 10_000 })
  expect((await superAdmin.get('/super-admin/system-config')).body).toEqual({
    daily_message_limit: 10_000,
  })
})

test('pages the audit log, newest first', async () => {
  const superAdmin = await server.signInSuperAdmin()
  for (const daily_limit of [1, 2, 3])
    await superAdmin.put('/super-admin/daily-message-limit', { daily_limit })
  const auditEntries = (await superAdmin.get('/super-admin/audit-log?limit=2')).body
  expect(auditEntries.map(({ details }: { details: object }) => details)).toEqual([
    { daily_message_limit: 3 },
    { daily_message_limit: 2 },
  ])
  expect(
    (await superAdmin.get(`/super-admin/audit-log?limit=1&before=${auditEntries[1].id}`)).body[0]
      .details,
  ).toEqual({ daily_message_limit: 1 })
})
