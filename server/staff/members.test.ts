import { ALL_RIGHTS, rightsOfPreset } from '@tatami/contract/rights'
import { beforeEach, describe, expect, test } from 'vitest'
import { endMembersPastLastDay } from './membership.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

let sensei: Awaited<ReturnType<typeof server.createSensei>>
beforeEach(async () => {
  sensei = await server.createSensei({ dojo_name: 'Cedar Park Judo' })
})

const grant = (fields: object = {}) => ({
  preset: null,
  rights: ['roll', 'kiosk'],
  class_ids: null,
  ...fields,
})
const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const signIn = (email: string) => server.anonymous.post('/login', { email, password: PASSWORD })

describe('rights of a person', () => {
  test('take effect at the next call to any server', async () => {
    const otherServer = await server.openServer()
    const kim = await server.createStaff(sensei, { rights: ['roll', 'students.read'] })
    const { id } = await server.createStudent(sensei, {})
    const readOnOtherServer = async () => {
      const { statusCode } = await otherServer.http.inject({
        method: 'GET',
        url: `/api/students/${id}`,
        headers: { authorization: `Bearer ${kim.token}` },
      })
      return statusCode
    }
    expect(await readOnOtherServer()).toBe(200)
    const { status, body } = await sensei.put(`/staff/${kim.id}`, grant({ title: 'Coach' }))
    expect([status, body.person]).toMatchObject([
      200,
      { title: 'Coach', rights: ['roll', 'kiosk'] },
    ])
    expect((await kim.get('/profile')).body.staff.rights).toEqual(['roll', 'kiosk'])
    await expect.poll(readOnOtherServer).toBe(403)
    const { body: log } = await sensei.get('/audit-log?kind=staff')
    expect(log).toMatchObject([{ details: { kiosk: true, 'students.read': false } }])
  })

  test('include the rights that they depend on', async () => {
    const kim = await server.createStaff(sensei)
    const { body } = await sensei.put(`/staff/${kim.id}`, grant({ rights: ['texts.send'] }))
    expect(body.person.rights).toEqual([
      'students.read',
      'students.contact',
      'texts.read',
      'texts.send',
    ])
  })

  test('cannot be raised by that person, or changed by people without these rights', async () => {
    const manager = await server.createStaff(sensei, { rights: ['staff', 'roll', 'kiosk'] })
    const kim = await server.createStaff(sensei, { rights: ['roll', 'notes', 'students.read'] })
    const raiseResponse = await manager.put(
      `/staff/${manager.id}`,
      grant({ rights: ['staff', 'money.take'] }),
    )
    expect(statusAndDetail(raiseResponse)).toEqual([
      403,
      'Your login may not see full names and training details. Ask the owner.',
    ])
    expect(statusAndDetail(await manager.put(`/staff/${kim.id}`, grant()))).toEqual([
      403,
      'Your login may not see private notes. Ask the owner.',
    ])
    const keptRights = grant({ rights: ['notes', 'students.read', 'kiosk'] })
    expect((await manager.put(`/staff/${kim.id}`, keptRights)).status).toBe(200)
    const temporary = await server.createStaff(sensei, {
      rights: ['staff', 'roll'],
      ends_on: '2199-01-01',
    })
    const withoutEndDate = grant({ rights: ['staff', 'roll'] })
    expect(statusAndDetail(await temporary.put(`/staff/${temporary.id}`, withoutEndDate))).toEqual([
      403,
      'You can’t give yourself more permissions. Please ask an owner.',
    ])
    expect((await manager.put(`/staff/${sensei.id}`, grant({ rights: [] }))).status).toBe(403)
    const title = grant({ rights: [], title: 'Head coach' })
    const { body } = await sensei.put(`/staff/${sensei.id}`, title)
    expect(body.person).toMatchObject({ title: 'Head coach', rights: ALL_RIGHTS })
  })

  test('cannot be changed from another dojo', async () => {
    const otherSensei = await server.createSensei()
    const kim = await server.createStaff(otherSensei)
    for (const path of [`/staff/${kim.id}/end`, `/staff/${kim.id}/rehire`])
      expect((await sensei.post(path, grant())).status).toBe(404)
    expect((await sensei.put(`/staff/${kim.id}`, grant())).status).toBe(404)
  })
})

describe('work that ends', () => {
  test('closes the login with an explanation, until the person is rehired', async () => {
    const kim = await server.createStaff(sensei, { rights: ['roll'] })
    const { body } = await sensei.post(`/staff/${kim.id}/end`, {})
    expect(body.person.ended_at).not.toBeNull()
    expect(await kim.get('/profile')).toMatchObject({
      status: 401,
      body: { reason: 'staff-ended' },
    })
    expect(statusAndDetail(await signIn(kim.email))).toEqual([
      403,
      'You are no longer on the staff, so this login is closed. Please ask the owner.',
    ])
    const { body: staff } = await sensei.get('/staff')
    expect(staff.former_people).toMatchObject([{ id: kim.id, name: 'Kim Park' }])
    const rehireReply = await sensei.post(`/staff/${kim.id}/rehire`, grant({ title: 'Desk' }))
    expect([rehireReply.status, rehireReply.body.person]).toMatchObject([
      200,
      { id: kim.id, ended_at: null, title: 'Desk', rights: ['roll', 'kiosk'] },
    ])
    expect((await signIn(kim.email)).status).toBe(200)
  })

  test('lets students and guardians keep their login', async () => {
    const leo = await server.createStudent(sensei, { date_of_birth: '1990-01-01' })
    const ann = await server.createGuardian(sensei, [leo])
    for (const person of [leo, ann]) {
      const form = { ...grant(), name: 'Somebody', email: person.email }
      const { body } = await sensei.post('/open-staff-invitations', form)
      const invitation = body.link.split('#')[1]
      expect((await person.post('/staff-invitations/join', { invitation })).status).toBe(200)
      expect((await sensei.post(`/staff/${person.id}/end`, {})).status).toBe(200)
      const { body: signedIn } = await signIn(person.email)
      expect(signedIn.user).toMatchObject({
        id: person.id,
        is_instructor: false,
        staff: null,
        has_family_view: false,
        is_in_family_view: false,
      })
    }
    const { body: families } = await sensei.get('/families')
    expect(families.guardians).toMatchObject([{ id: ann.id, is_instructor: false }])
  })

  test('can have a last day, after which a nightly job ends it', async () => {
    const kim = await server.createStaff(sensei, { rights: ['roll'] })
    const { body } = await sensei.post(`/staff/${kim.id}/end`, { ends_on: '2199-01-01' })
    expect(body.person).toMatchObject({ ended_at: null, ends_on: '2199-01-01' })
    expect((await kim.get('/profile')).status).toBe(200)
    await server.db.inDojo(sensei.dojoId, (tx) =>
      endMembersPastLastDay(tx, sensei.dojoId, '2199-01-02'),
    )
    expect((await kim.get('/profile')).status).toBe(401)
    const { body: log } = await sensei.get('/audit-log?kind=staff')
    expect(log).toMatchObject([
      { action: 'staff ended', actor_kind: 'system' },
      { action: 'staff ended', details: { day: '2199-01-01' } },
    ])
  })

  test('is not possible for an owner', async () => {
    expect((await sensei.post(`/staff/${sensei.id}/end`, {})).status).toBe(409)
  })

  test('does not end when the person leaves, or is deleted, as a student', async () => {
    const leo = await server.createStudent(sensei, { date_of_birth: '1990-01-01' })
    const { body } = await sensei.post('/open-staff-invitations', {
      ...grant(),
      name: 'Leo',
      email: leo.email,
    })
    await leo.post('/staff-invitations/join', { invitation: body.link.split('#')[1] })
    expect((await sensei.delete(`/students/${leo.id}/log-in`)).status).toBe(409)
    const leaving = { left_on: '2026-01-01', reason: 'schedule' }
    expect((await sensei.post(`/students/${leo.id}/leave`, leaving)).status).toBe(200)
    expect((await signIn(leo.email)).body.user.is_instructor).toBe(true)
    expect((await sensei.delete(`/students/${leo.id}`)).status).toBe(200)
    expect((await signIn(leo.email)).body.user.is_instructor).toBe(true)
  })
})

describe('owners', () => {
  const confirmation = { current_password: PASSWORD }

  test('confirm with their own password to add an owner or to hand over', async () => {
    const kim = await server.createStaff(sensei, { rights: ['staff'] })
    expect(statusAndDetail(await kim.post(`/staff/${kim.id}/ownership`, confirmation))).toEqual([
      403,
      'Only an owner can do this.',
    ])
    const wrongConfirmation = { current_password: 'wrong', hands_over: true }
    expect((await sensei.post(`/staff/${kim.id}/ownership`, wrongConfirmation)).status).toBe(422)
    const handOver = { ...confirmation, hands_over: true }
    expect((await sensei.post(`/staff/${kim.id}/ownership`, handOver)).status).toBe(200)
    expect((await kim.get('/profile')).body.staff).toMatchObject({ is_owner: true })
    expect((await sensei.get('/profile')).body.staff).toMatchObject({
      is_owner: false,
      rights: rightsOfPreset('instructor'),
    })
    const { body: notifications } = await kim.get('/notifications')
    expect(JSON.stringify(notifications)).toContain(
      'Kim Park is now an owner of Cedar Park Judo. Aiko Tanaka is no longer an owner',
    )
    const admin = await server.signInSuperAdmin()
    const { body } = await admin.get('/super-admin/sensei')
    const listedIds = body.sensei_list.map(({ sensei_id }: { sensei_id: string }) => sensei_id)
    expect(listedIds).toContain(kim.id)
    expect(listedIds).not.toContain(sensei.id)
  })

  test('cannot all be removed, even if two remove each other at the same time', async () => {
    expect(
      statusAndDetail(await sensei.post(`/staff/${sensei.id}/ownership/remove`, confirmation)),
    ).toEqual([409, 'A school needs an owner. Make somebody else an owner first.'])
    const kim = await server.createStaff(sensei, { is_owner: true })
    const outcomes = await Promise.all([
      sensei.post(`/staff/${kim.id}/ownership/remove`, confirmation),
      kim.post(`/staff/${sensei.id}/ownership/remove`, confirmation),
      sensei.post(`/staff/${sensei.id}/ownership/remove`, confirmation),
      kim.post(`/staff/${kim.id}/ownership/remove`, confirmation),
    ])
    const statuses = outcomes.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(
      statuses.filter((status) => status !== 200).every((code) => [403, 409].includes(code)),
    ).toBe(true)
    const owners = await Promise.all(
      [sensei, kim].map(async (person) => (await person.get('/profile')).body.staff.is_owner),
    )
    expect(owners.filter(Boolean)).toHaveLength(1)
  })

  test('are the only ones who may change the rules for all staff', async () => {
    const kim = await server.createStaff(sensei, { rights: ['staff'] })
    expect((await kim.put('/staff/rules', { max_recipients: 10 })).status).toBe(403)
    const { body } = await sensei.put('/staff/rules', { max_recipients: 10 })
    expect(body.rules).toEqual({
      refuses_own_family: false,
      refuses_own_family_setting: null,
      max_recipients: 10,
      second_factor: 'nobody',
    })
    await server.createStaff(sensei, { is_owner: true })
    const { body: staff } = await sensei.get('/staff')
    expect(staff.rules).toMatchObject({ refuses_own_family: true, max_recipients: 10 })
  })
})

describe('an owner who previews as somebody else', () => {
  test('sees what that person sees, cannot change anything, and can go back', async () => {
    const kids = await server.createClass(sensei, { class_name: 'Kids' })
    const adults = await server.createClass(sensei, { class_name: 'Adults' })
    await server.createStudent(sensei, { name: 'Ken Adams', enrolled_classes: [kids.id] })
    await server.createStudent(sensei, { name: 'Mia Lund', enrolled_classes: [adults.id] })
    const kim = await server.createStaff(sensei, { rights: ['roll'], class_ids: [kids.id] })
    const { body } = await sensei.put('/staff/view', { person_id: kim.id })
    expect(body.user.staff).toEqual({
      is_owner: false,
      rights: ['roll'],
      class_ids: [kids.id],
      seen_as: 'Kim Park',
      has_registered: true,
    })
    const { body: students } = await sensei.get('/students')
    expect(students.map(({ name }: { name: string }) => name)).toEqual(['Ken'])
    expect((await sensei.get('/staff')).status).toBe(403)
    expect(statusAndDetail(await sensei.put('/notifications/mark-all-read'))).toEqual([
      403,
      'You’re looking as somebody else. Go back to your own view to change anything.',
    ])
    const helperView = await sensei.put('/staff/view', { preset: 'helper', class_ids: [adults.id] })
    expect(helperView.body.user.staff).toMatchObject({ seen_as: 'Helper', class_ids: [adults.id] })
    const { body: ownView } = await sensei.delete('/staff/view')
    expect(ownView.user.staff).toMatchObject({ is_owner: true, seen_as: null })
    expect((await sensei.get('/staff')).status).toBe(200)
    expect((await kim.put('/staff/view', { preset: 'desk' })).status).toBe(403)
    expect((await kim.put('/my/view', { family: true })).status).toBe(409)
  })
})

test('nobody can end work, or add classes, if they lack the person’s rights', async () => {
  const manager = await server.createStaff(sensei, { rights: ['students.read', 'staff'] })
  const bookkeeper = await server.createStaff(sensei, { rights: ['students.read', 'money.see'] })
  expect((await manager.post(`/staff/${bookkeeper.id}/end`, {})).status).toBe(403)
  const kids = await server.createClass(sensei)
  const assistant = await server.createStaff(sensei, {
    rights: ['students.read', 'medical'],
    class_ids: [kids.id],
  })
  const rights = ['students.read', 'medical']
  const response = await manager.put(`/staff/${assistant.id}`, { rights, class_ids: null })
  expect(response.status).toBe(403)
})
