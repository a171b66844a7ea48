import { expect } from 'vitest'
import { exampleSensei, PASSWORD } from '../fixtures.ts'
import {
  admin,
  type Cases,
  server,
  senseiIdOf,
  ken,
  kids,
  LOGIN_REQUIRED,
  MISSING_ID,
  NOT_ALLOWED,
  sensei,
  anonymous,
} from './people.ts'

export const accountCalls: Cases = {
  'GET /profile': async ({ ok, refused }) => {
    expect(await ok(ken)).toMatchObject({
      id: ken.id,
      name: 'Ken Adams',
      is_instructor: false,
      is_super_admin: false,
      belt_level: 'green',
      enrolled_classes: [kids.id],
      monthly_payment_amount: 85.5,
    })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'PUT /profile': async ({ ok, refused }) => {
    const otherSensei = await server.createSensei()
    const body = {
      email: exampleSensei().email,
      dojo_name: 'Judo',
      phone_number: '512 555 0100',
      city: 'Austin',
      state: 'Texas',
      password: 'Another2026',
    }
    await refused(otherSensei, 422, 'Password must be at least 8 characters long', {
      body: { ...body, password: 'short' },
    })
    await ok(otherSensei, { body })
    expect(await server.signIn(body.email, body.password)).toMatchObject({ dojo_name: 'Judo' })
  },
  'POST /login': async ({ ok, refused }) => {
    expect(await ok(anonymous, { body: { email: ken.email, password: PASSWORD } })).toMatchObject({
      token: expect.any(String),
      user: { id: ken.id },
    })
    await refused(anonymous, 401, 'Incorrect email or password', {
      body: { email: ken.email, password: 'wrong' },
    })
  },
  'POST /register': async ({ ok, refused }) => {
    const { invite_code } = (await sensei.get('/invitation')).body
    const body = { name: 'Mia Chen', email: 'mia.joins@home.org', password: PASSWORD, invite_code }
    expect(await ok(anonymous, { body })).toMatchObject({
      token: expect.any(String),
      user: { name: 'Mia Chen', is_trial: true },
    })
    await refused(anonymous, 400, 'This invitation is not valid', {
      body: { ...body, invite_code: 'none' },
    })
  },
  'POST /sensei/register': async ({ ok, refused }) => {
    const body = exampleSensei()
    await ok(anonymous, { body })
    await refused(anonymous, 409, 'An account with this email already exists', { body })
  },
  'GET /notifications': async ({ ok, refused }) => {
    await sensei.post('/notifications/send', {
      title: 'Belt test',
      message: 'On Saturday.',
      student_ids: [ken.id],
    })
    expect((await ok(ken))[0]).toMatchObject({
      title: 'Belt test',
      message: 'On Saturday.',
      sender_name: 'Aiko Tanaka',
      is_read: false,
      read_at: null,
    })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'GET /notifications/unread-count': async ({ ok, refused }) => {
    expect(await ok(ken)).toEqual({ unread_count: expect.any(Number) })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'PUT /notifications/{id}/mark-read': async ({ ok, refused }) => {
    const { id } = (await ken.get('/notifications')).body[0]
    await ok(ken, { params: { id } })
    expect((await ken.get('/notifications')).body[0]).toMatchObject({
      is_read: true,
      read_at: expect.any(String),
    })
    await refused(sensei, 404, 'Notification not found', { params: { id } })
  },
  'POST /notifications/send': async ({ ok, refused }) => {
    await ok(sensei, { body: { title: 'Closed', message: 'On Monday.' } })
    await refused(sensei, 422, 'Title is required', { body: { message: 'On Monday.' } })
  },
  'POST /notifications/send-fee-reminder': async ({ ok, refused }) => {
    const { id } = (await sensei.get('/announcements')).body[0]
    await ok(sensei, { body: { announcement_id: id, custom_message: 'Please pay.' } })
    await refused(sensei, 422, 'Message is required', { body: { custom_message: ' ' } })
  },
  'GET /notification-settings': async ({ ok, refused }) => {
    expect(await ok(ken)).toEqual({
      sound_enabled: true,
      vibration_enabled: true,
      push_enabled: true,
    })
    await refused(anonymous, 401, LOGIN_REQUIRED)
  },
  'PUT /notification-settings': async ({ ok, refused }) => {
    const body = { sound_enabled: false, vibration_enabled: true, push_enabled: false }
    expect(await ok(ken, { body })).toEqual(body)
    await refused(ken, 422, 'Sound is not valid', { body: { ...body, sound_enabled: 'yes' } })
  },
  'GET /super-admin/sensei': async ({ ok, refused }) => {
    const { sensei_list } = await ok(admin)
    expect(
      sensei_list.find(({ email }: { email: string }) => email === sensei.email),
    ).toMatchObject({
      full_name: 'Aiko Tanaka',
      is_active: true,
    })
    await refused(sensei, 403, NOT_ALLOWED)
  },
  'GET /super-admin/dashboard-stats': async ({ ok, refused }) => {
    const { total_sensei, active_sensei, inactive_sensei } = await ok(admin)
    expect(active_sensei + inactive_sensei).toBe(total_sensei)
    await refused(sensei, 403, NOT_ALLOWED)
  },
  'PUT /super-admin/sensei/{id}/toggle-active': async ({ ok, refused }) => {
    const { email } = await server.createSensei()
    expect(await ok(admin, { params: { id: await senseiIdOf(email) } })).toMatchObject({
      is_active: false,
    })
    await refused(admin, 404, 'Sensei not found', { params: { id: MISSING_ID } })
  },
  'PUT /super-admin/sensei/{id}/reset-password': async ({ ok, refused }) => {
    const { email } = await server.createSensei()
    const id = await senseiIdOf(email)
    await ok(admin, { params: { id }, body: { new_password: 'Another2026' } })
    expect((await server.signIn(email, 'Another2026')).email).toBe(email)
    await refused(admin, 422, 'Password must be at least 8 characters', {
      params: { id },
      body: { new_password: 'short' },
    })
  },
  'GET /super-admin/system-config': async ({ ok, refused }) => {
    expect(await ok(admin)).toEqual({ daily_message_limit: 300 })
    await refused(sensei, 403, NOT_ALLOWED)
  },
  'PUT /super-admin/daily-message-limit': async ({ ok, refused }) => {
    expect(await ok(admin, { body: { daily_limit: 300 } })).toMatchObject({ success: true })
    await refused(admin, 422, 'Daily limit must be between 1 and 10,000', {
      body: { daily_limit: 10_001 },
    })
  },
}
