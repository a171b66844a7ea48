import { expect } from 'vitest'
import { exampleSensei, PASSWORD } from '../fixtures.ts'
import {
  admin,
  type Cases,
  server,
  findSenseiId,
  ken,
  kidsClass,
  LOGIN_REQUIRED,
  MISSING_ID,
  NOT_ALLOWED,
  sensei,
  anonymous,
} from './people.ts'

export const accountCalls: Cases = {
  'GET /profile': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(ken)).toMatchObject({
      id: ken.id,
      name: 'Ken Adams',
      is_instructor: false,
      is_super_admin: false,
      belt_level: 'green',
      enrolled_classes: [kidsClass.id],
      monthly_payment_amount: 85.5,
    })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'PUT /profile': async ({ expectOk, expectRefusal }) => {
    const otherSensei = await server.createSensei()
    const body = {
      email: exampleSensei().email,
      dojo_name: 'Judo',
      phone_number: '512 555 0100',
      city: 'Austin',
      state: 'Texas',
      password: 'Another2026',
    }
    await expectRefusal(otherSensei, 422, 'Password must be at least 8 characters long', {
      body: { ...body, password: 'short' },
    })
    await expectOk(otherSensei, { body })
    expect(await server.signIn(body.email, body.password)).toMatchObject({ dojo_name: 'Judo' })
  },
  'POST /login': async ({ expectOk, expectRefusal }) => {
    expect(
      await expectOk(anonymous, { body: { email: ken.email, password: PASSWORD } }),
    ).toMatchObject({
      token: expect.any(String),
      user: { id: ken.id },
    })
    await expectRefusal(anonymous, 401, 'Incorrect email or password', {
      body: { email: ken.email, password: 'wrong' },
    })
  },
  'POST /register': async ({ expectOk, expectRefusal }) => {
    const { invite_code } = (await sensei.get('/invitation')).body
    const body = { name: 'Mia Chen', email: 'mia.joins@home.org', password: PASSWORD, invite_code }
    expect(await expectOk(anonymous, { body })).toMatchObject({
      token: expect.any(String),
      user: { name: 'Mia Chen', is_trial: true },
    })
    await expectRefusal(anonymous, 400, 'This invitation is not valid', {
      body: { ...body, invite_code: 'none' },
    })
  },
  'POST /sensei/register': async ({ expectOk, expectRefusal }) => {
    const body = exampleSensei()
    await expectOk(anonymous, { body })
    await expectRefusal(anonymous, 409, 'An account with this email already exists', { body })
  },
  'GET /notifications': async ({ expectOk, expectRefusal }) => {
    await sensei.post('/notifications/send', {
      title: 'Belt test',
      message: 'On Saturday.',
      student_ids: [ken.id],
    })
    expect((await expectOk(ken))[0]).toMatchObject({
      title: 'Belt test',
      message: 'On Saturday.',
      sender_name: 'Aiko Tanaka',
      is_read: false,
      read_at: null,
    })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'GET /notifications/unread-count': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(ken)).toEqual({ unread_count: expect.any(Number) })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'PUT /notifications/{id}/mark-read': async ({ expectOk, expectRefusal }) => {
    const { id } = (await ken.get('/notifications')).body[0]
    await expectOk(ken, { params: { id } })
    expect((await ken.get('/notifications')).body[0]).toMatchObject({
      is_read: true,
      read_at: expect.any(String),
    })
    await expectRefusal(sensei, 404, 'Notification not found', { params: { id } })
  },
  'POST /notifications/send': async ({ expectOk, expectRefusal }) => {
    await expectOk(sensei, { body: { title: 'Closed', message: 'On Monday.' } })
    await expectRefusal(sensei, 422, 'Title is required', { body: { message: 'On Monday.' } })
  },
  'POST /notifications/send-fee-reminder': async ({ expectOk, expectRefusal }) => {
    const { id } = (await sensei.get('/announcements')).body[0]
    await expectOk(sensei, { body: { announcement_id: id, custom_message: 'Please pay.' } })
    await expectRefusal(sensei, 422, 'Message is required', { body: { custom_message: ' ' } })
  },
  'GET /notification-settings': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(ken)).toEqual({
      sound_enabled: true,
      vibration_enabled: true,
      push_enabled: true,
    })
    await expectRefusal(anonymous, 401, LOGIN_REQUIRED)
  },
  'PUT /notification-settings': async ({ expectOk, expectRefusal }) => {
    const body = { sound_enabled: false, vibration_enabled: true, push_enabled: false }
    expect(await expectOk(ken, { body })).toEqual(body)
    await expectRefusal(ken, 422, 'Sound is not valid', { body: { ...body, sound_enabled: 'yes' } })
  },
  'GET /super-admin/sensei': async ({ expectOk, expectRefusal }) => {
    const { sensei_list } = await expectOk(admin)
    expect(
      sensei_list.find(({ email }: { email: string }) => email === sensei.email),
    ).toMatchObject({
      full_name: 'Aiko Tanaka',
      is_active: true,
    })
    await expectRefusal(sensei, 403, NOT_ALLOWED)
  },
  'GET /super-admin/dashboard-stats': async ({ expectOk, expectRefusal }) => {
    const { total_sensei, active_sensei, inactive_sensei } = await expectOk(admin)
    expect(active_sensei + inactive_sensei).toBe(total_sensei)
    await expectRefusal(sensei, 403, NOT_ALLOWED)
  },
  'PUT /super-admin/sensei/{id}/toggle-active': async ({ expectOk, expectRefusal }) => {
    const { email } = await server.createSensei()
    expect(await expectOk(admin, { params: { id: await findSenseiId(email) } })).toMatchObject({
      is_active: false,
    })
    await expectRefusal(admin, 404, 'Sensei not found', { params: { id: MISSING_ID } })
  },
  'PUT /super-admin/sensei/{id}/reset-password': async ({ expectOk, expectRefusal }) => {
    const { email } = await server.createSensei()
    const id = await findSenseiId(email)
    await expectOk(admin, { params: { id }, body: { new_password: 'Another2026' } })
    expect((await server.signIn(email, 'Another2026')).email).toBe(email)
    await expectRefusal(admin, 422, 'Password must be at least 8 characters', {
      params: { id },
      body: { new_password: 'short' },
    })
  },
  'GET /super-admin/system-config': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(admin)).toEqual({ daily_message_limit: 300 })
    await expectRefusal(sensei, 403, NOT_ALLOWED)
  },
  'PUT /super-admin/daily-message-limit': async ({ expectOk, expectRefusal }) => {
    expect(await expectOk(admin, { body: { daily_limit: 300 } })).toMatchObject({ success: true })
    await expectRefusal(admin, 422, 'Daily limit must be between 1 and 10,000', {
      body: { daily_limit: 10_001 },
    })
  },
}
