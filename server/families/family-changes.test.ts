import { describe, expect, test } from 'vitest'
import { uniqueEmail } from '../test/fixtures.ts'
import {
  acceptInvitation,
  MOTHER,
  createSiblings,
  readEmailsByName,
  familyForm,
  PHONE,
} from '../test/siblings.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const setUpDojo = () => createSiblings(server)

describe('making a family', () => {
  test('previews that three logins become two', async () => {
    const dojo = await setUpDojo()
    const { body } = await dojo.sensei.post('/families/preview', familyForm(dojo))
    expect(body).toEqual({
      before: { texts: 1, log_ins: 3 },
      after: { texts: 1, log_ins: 2 },
      closes_at_once: true,
    })
    expect((await dojo.sensei.get('/families')).body.guardians).toEqual([])
  })

  test('counts one text per phone, and none for a child whose guardian gets texts', async () => {
    const dojo = await setUpDojo()
    const child = await server.createStudent(dojo.sensei, {
      phone_number: '512 555 0177',
      date_of_birth: '2018-03-01',
    })
    const teen = await server.createStudent(dojo.sensei, {
      phone_number: '512 555 0178',
      date_of_birth: '2011-03-01',
    })
    const students = [dojo.leo, child, teen].map(({ id }) => ({ student_id: id }))
    const preview = async (fields: object) =>
      (await dojo.sensei.post('/families/preview', { guardian: MOTHER, students, ...fields })).body
    expect(await preview({})).toMatchObject({
      before: { texts: 3, log_ins: 3 },
      after: { texts: 2, log_ins: 3 },
      closes_at_once: false,
    })
    expect(await preview({ gets_texts: false })).toMatchObject({ after: { texts: 3 } })
    expect(await preview({ guardian: { ...MOTHER, email: uniqueEmail('ann') } })).toMatchObject({
      after: { log_ins: 4 },
    })
  })

  test('moves a login with its password, sessions, settings and read notifications', async () => {
    const dojo = await setUpDojo()
    const { sensei, kids, leo } = dojo
    await sensei.post('/attendance', {
      student_id: leo.id,
      class_id: kids.id,
      class_date: '2026-03-02',
      present: true,
    })
    await sensei.post('/payment-records', {
      student_id: leo.id,
      payment_month: 2,
      payment_year: 2026,
      payment_status: 'paid',
    })
    await sensei.post('/notifications/send', { title: 'Belt test', message: 'Hi {name}' })
    await leo.put('/notification-settings', { sound_enabled: false })
    const [notice] = (await leo.get('/notifications')).body
    await leo.put(`/notifications/${notice.id}/mark-read`)
    const { status, body } = await sensei.post('/families', familyForm(dojo))
    expect(status).toBe(200)
    const { guardian } = body
    expect(guardian).toMatchObject({ ...MOTHER, email: leo.email, has_log_in: true })
    expect(guardian.id).not.toBe(leo.id)
    // Leo's token now belongs to his mother, on this server and on another.
    const otherServer = await server.openServer()
    for (const { http } of [server, otherServer]) {
      const response = await http.inject({
        url: '/api/profile',
        headers: { authorization: `Bearer ${leo.token}` },
      })
      expect(response.json()).toMatchObject({
        id: guardian.id,
        name: 'Ann Adams',
        is_guardian: true,
        belt_level: null,
      })
    }
    expect((await leo.get('/notification-settings')).body.sound_enabled).toBe(false)
    expect((await leo.get('/notifications')).body).toMatchObject([{ id: notice.id, is_read: true }])
    expect((await leo.get('/announcements')).body).toMatchObject([{ title: 'Belt test' }])
    expect((await server.signIn(leo.email)).id).toBe(guardian.id)
    expect(await readEmailsByName(dojo)).toMatchObject({ 'Leo Adams': null })
    expect((await sensei.get(`/attendance?student_id=${leo.id}`)).body).toHaveLength(1)
    expect((await sensei.get('/payment-records?month=2&year=2026')).body).toMatchObject([
      { student_id: leo.id },
    ])
    const { children, total } = (await leo.get('/family/home')).body
    expect(children.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Ana Adams',
      'Leo Adams',
      'Mia Adams',
    ])
    expect(total).toEqual({ paid: 0, owed: 3 * 85.5, on_its_way: 0 })
  })

  test('closes a login when the guardian first logs in, and not before', async () => {
    const dojo = await setUpDojo()
    const { sensei, mia } = dojo
    const students = [{ student_id: mia.id, log_in: 'close' }]
    const email = uniqueEmail('ann')
    const { body } = await sensei.post('/families', { guardian: { ...MOTHER, email }, students })
    expect((await mia.get('/profile')).status).toBe(200)
    const { link } = (await sensei.post(`/guardians/${body.guardian.id}/log-in-invitation`)).body
    await server.anonymous.post('/log-in-invitations/accept', {
      invitation: link.split('#')[1],
      password: 'eight8-8',
    })
    expect((await mia.get('/profile')).status).toBe(401)
    const refusal = await server.anonymous.post('/login', {
      email: mia.email,
      password: 'Kiai2026!',
    })
    expect([refusal.status, refusal.body.detail]).toEqual([
      403,
      'This login was closed. Use your parent’s or guardian’s, or ask your instructor to reopen it.',
    ])
    expect((await sensei.get('/students')).body).toHaveLength(3)
  })

  test('closes no login for a guardian who no longer sees the student', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia } = dojo
    const students = [leo, mia].map(({ id }) => ({ student_id: id, log_in: 'close' }))
    const mother = { ...MOTHER, email: uniqueEmail('ann') }
    const { guardian } = (await sensei.post('/families', { guardian: mother, students })).body
    await sensei.put(`/guardians/${guardian.id}/students/${leo.id}`, { sees: false })
    await sensei.delete(`/guardians/${guardian.id}/students/${mia.id}`)
    await sensei.put(`/guardians/${guardian.id}/students/${mia.id}`, {})
    await acceptInvitation(server, dojo, `/guardians/${guardian.id}/log-in-invitation`)
    expect([(await leo.get('/profile')).status, (await mia.get('/profile')).status]).toEqual([
      200, 200,
    ])
  })

  test('does not restore rights that a guardian has lost', async () => {
    const dojo = await setUpDojo()
    const { sensei, leo, mia } = dojo
    const links = [leo, mia].map(({ id }) => ({ student_id: id, gets_texts: false }))
    const ann = await server.createGuardian(sensei, [], {
      phone: PHONE,
      students: [{ ...links[0]!, sees: false }, links[1]!],
    })
    const form = { guardian_id: ann.id, students: [leo, mia].map(({ id }) => ({ student_id: id })) }
    const previewTexts = async (fields: object) =>
      (await sensei.post('/families/preview', { ...form, ...fields })).body.after.texts
    await sensei.put(`/students/${leo.id}`, {
      ...leo,
      phone_number: '512 555 0177',
      date_of_birth: '2018-03-01',
    })
    expect([await previewTexts({}), await previewTexts({ gets_texts: true })]).toEqual([2, 1])
    const { guardian } = (await sensei.post('/families', form)).body
    expect(guardian.students).toMatchObject([
      { student_id: leo.id, sees: false, sees_fees: false, gets_texts: false, pays: true },
      { student_id: mia.id, sees: true, sees_fees: true, gets_texts: false, pays: true },
    ])
    // A payer who may not see the fees still cannot see them. The form decides who gets the texts.
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, { sees_fees: false })
    const secondGuardian = (await sensei.post('/families', { ...form, gets_texts: true })).body
      .guardian
    expect(secondGuardian.students).toMatchObject([
      { sees: false, sees_fees: false, gets_texts: true },
      { sees_fees: false, gets_texts: true },
    ])
  })

  test('reopens closed logins when the guardian is deleted', async () => {
    const dojo = await setUpDojo()
    const { guardian } = (await dojo.sensei.post('/families', familyForm(dojo))).body
    await dojo.sensei.delete(`/guardians/${guardian.id}`)
    expect((await server.signIn(dojo.mia.email)).id).toBe(dojo.mia.id)
    expect((await dojo.leo.get('/profile')).status).toBe(401)
  })

  test('refuses impossible families, and changes nothing', async () => {
    const dojo = await setUpDojo(),
      otherDojo = await setUpDojo()
    const { sensei, leo, mia } = dojo
    const ann = await server.createGuardian(sensei, [leo])
    await sensei.post('/guardians', { account_id: mia.id })
    const responses = []
    for (const form of [
      { guardian_id: ann.id, students: [{ student_id: leo.id, log_in: 'move' }] },
      { guardian: MOTHER, students: [{ student_id: mia.id, log_in: 'move' }] },
      { guardian: MOTHER, students: [{ student_id: otherDojo.leo.id }] },
      { guardian_id: mia.id, students: [{ student_id: mia.id }] },
      { students: [{ student_id: leo.id }] },
      familyForm(dojo, {
        students: [leo, mia].map(({ id }) => ({ student_id: id, log_in: 'move' })),
      }),
    ]) {
      const { status, body } = await sensei.post('/families', form)
      responses.push([status, body.detail])
    }
    expect(responses).toEqual([
      [409, 'This guardian already has a login'],
      [422, 'Mia Adams is also a guardian with this login'],
      [404, 'Student not found'],
      [422, 'Students can’t be their own guardian'],
      [422, 'Name a new guardian or choose one'],
      [422, 'Only one login can become the guardian’s'],
    ])
    expect((await sensei.get('/families')).body.guardians).toHaveLength(2)
  })
})
