import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { runDueJobs } from '../schedule.ts'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const PHONE = '(512) 555-0143'
const ANN = { name: 'Ann Adams', phone: PHONE }

/** Three children with log-ins of their own, which are their mother's, and her phone in three spellings. */
async function aDojo() {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const child = (name: string, phone_number: string) =>
    server.createStudent(sensei, {
      name,
      phone_number,
      date_of_birth: '2018-03-01',
      enrolled_classes: [kids.id],
      emergency_contact_name: 'Ann Adams',
      emergency_contact_phone: PHONE,
    })
  const leo = await child('Leo Adams', '512 555 0143')
  const mia = await child('Mia Adams', '512-555-0143')
  const ana = await child('Ana Adams', '+1 512 555 0143')
  return { sensei, kids, leo, mia, ana }
}
type Dojo = Awaited<ReturnType<typeof aDojo>>

const familyOf = ({ leo, mia, ana }: Dojo, over: object = {}) => ({
  guardian: ANN,
  students: [
    { student_id: leo.id, relation: 'mother', log_in: 'move' },
    { student_id: mia.id, log_in: 'close' },
    { student_id: ana.id, log_in: 'keep' },
  ],
  ...over,
})
const emails = async ({ sensei }: Dojo) =>
  Object.fromEntries((await sensei.get('/students')).body.map(({ name, email }: { name: string; email: string }) => [name, email]))

describe('making a family', () => {
  test('is shown beforehand: three log-ins become two', async () => {
    const dojo = await aDojo()
    const { body } = await dojo.sensei.post('/families/preview', familyOf(dojo))
    expect(body).toEqual({ before: { texts: 1, log_ins: 3 }, after: { texts: 1, log_ins: 2 }, closes_at_once: true })
    expect((await dojo.sensei.get('/families')).body.guardians).toEqual([])
  })

  test('counts a text for each phone, and a child’s own only where no guardian has one', async () => {
    const dojo = await aDojo()
    const child = await server.createStudent(dojo.sensei, { phone_number: '512 555 0177', date_of_birth: '2018-03-01' })
    const teen = await server.createStudent(dojo.sensei, { phone_number: '512 555 0178', date_of_birth: '2011-03-01' })
    const students = [dojo.leo, child, teen].map(({ id }) => ({ student_id: id }))
    const preview = async (over: object) => (await dojo.sensei.post('/families/preview', { guardian: ANN, students, ...over })).body
    expect(await preview({})).toMatchObject({ before: { texts: 3, log_ins: 3 }, after: { texts: 2, log_ins: 3 }, closes_at_once: false })
    expect(await preview({ gets_texts: false })).toMatchObject({ after: { texts: 3 } })
    expect(await preview({ guardian: { ...ANN, email: uniqueEmail('ann') } })).toMatchObject({ after: { log_ins: 4 } })
  })

  test('moves a log-in with its password, sessions, settings and read marks; the student keeps the rest', async () => {
    const dojo = await aDojo()
    const { sensei, kids, leo } = dojo
    await sensei.post('/attendance', { student_id: leo.id, class_id: kids.id, class_date: '2026-03-02', present: true })
    await sensei.post('/payment-records', { student_id: leo.id, payment_month: 2, payment_year: 2026, payment_status: 'paid' })
    await sensei.post('/notifications/send', { title: 'Belt test', message: 'Hi {name}' })
    await leo.put('/notification-settings', { sound_enabled: false })
    const [notice] = (await leo.get('/notifications')).body
    await leo.put(`/notifications/${notice.id}/mark-read`)

    const { status, body } = await sensei.post('/families', familyOf(dojo))
    expect(status).toBe(200)
    const { guardian } = body
    expect(guardian).toMatchObject({ ...ANN, email: leo.email, has_log_in: true })
    expect(guardian.id).not.toBe(leo.id)
    // Leo's token is hers now, on this server and on another.
    const second = await server.openServer()
    for (const { http } of [server, second]) {
      const answer = await http.inject({ url: '/api/profile', headers: { authorization: `Bearer ${leo.token}` } })
      expect(answer.json()).toMatchObject({ id: guardian.id, name: 'Ann Adams', is_guardian: true, belt_level: null })
    }
    expect((await leo.get('/notification-settings')).body.sound_enabled).toBe(false)
    expect((await leo.get('/notifications')).body).toMatchObject([{ id: notice.id, is_read: true }])
    expect((await leo.get('/announcements')).body).toMatchObject([{ title: 'Belt test' }])
    expect((await server.signIn(leo.email)).id).toBe(guardian.id)
    expect(await emails(dojo)).toMatchObject({ 'Leo Adams': null })
    expect((await sensei.get(`/attendance?student_id=${leo.id}`)).body).toHaveLength(1)
    expect((await sensei.get('/payment-records?month=2&year=2026')).body).toMatchObject([{ student_id: leo.id }])
    const { children, total } = (await leo.get('/family/home')).body
    expect(children.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Ana Adams', 'Leo Adams', 'Mia Adams'])
    expect(total).toEqual({ paid: 0, owed: 256.5 })
  })

  test('closes a log-in at the guardian’s first sign-in, not before', async () => {
    const dojo = await aDojo()
    const { sensei, mia } = dojo
    const students = [{ student_id: mia.id, log_in: 'close' }]
    const email = uniqueEmail('ann')
    const { body } = await sensei.post('/families', { guardian: { ...ANN, email }, students })
    expect((await mia.get('/profile')).status).toBe(200)
    const { link } = (await sensei.post(`/guardians/${body.guardian.id}/log-in-invitation`)).body
    await server.anonymous.post('/log-in-invitations/accept', { invitation: link.split('#')[1], password: 'eight888' })
    expect((await mia.get('/profile')).status).toBe(401)
    const refused = await server.anonymous.post('/login', { email: mia.email, password: 'Kiai2026!' })
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'This log-in was closed. Your parent or guardian has one, and your instructor can open this one again.',
    ])
    expect((await sensei.get('/students')).body).toHaveLength(3)
  })

  test('opens closed log-ins again when the guardian is deleted', async () => {
    const dojo = await aDojo()
    const { guardian } = (await dojo.sensei.post('/families', familyOf(dojo))).body
    await dojo.sensei.delete(`/guardians/${guardian.id}`)
    expect((await server.signIn(dojo.mia.email)).id).toBe(dojo.mia.id)
    expect((await dojo.leo.get('/profile')).status).toBe(401)
  })

  test('is refused where it makes no sense, and changes nothing', async () => {
    const dojo = await aDojo(),
      theirs = await aDojo()
    const { sensei, leo, mia } = dojo
    const ann = await server.createGuardian(sensei, [leo])
    await sensei.post('/guardians', { account_id: mia.id })
    const answers = []
    for (const form of [
      { guardian_id: ann.id, students: [{ student_id: leo.id, log_in: 'move' }] },
      { guardian: ANN, students: [{ student_id: mia.id, log_in: 'move' }] },
      { guardian: ANN, students: [{ student_id: theirs.leo.id }] },
      { guardian_id: mia.id, students: [{ student_id: mia.id }] },
      { students: [{ student_id: leo.id }] },
      familyOf(dojo, { students: [leo, mia].map(({ id }) => ({ student_id: id, log_in: 'move' })) }),
    ]) {
      const { status, body } = await sensei.post('/families', form)
      answers.push([status, body.detail])
    }
    expect(answers).toEqual([
      [409, 'The guardian has a log-in already'],
      [422, 'Mia Adams is a guardian with the same log-in'],
      [404, 'Student not found'],
      [422, 'Nobody is their own guardian'],
      [422, 'Name a new guardian or choose one'],
      [422, 'Only one log-in can become the guardian’s'],
    ])
    expect((await sensei.get('/families')).body.guardians).toHaveLength(2)
  })
})

describe('undoing a family', () => {
  test('gives every log-in back as it is by now, and the payer before', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia, ana } = dojo
    const ben = await server.createGuardian(sensei, [leo], { students: [{ student_id: leo.id, pays: true }] })
    const before = await emails(dojo)
    const { guardian, change } = (await sensei.post('/families', familyOf(dojo))).body
    expect((await mia.get('/profile')).status).toBe(401)
    await leo.put('/profile/password', { current_password: 'Kiai2026!', new_password: 'another-1' })
    expect((await sensei.get('/families/changes')).body).toMatchObject([{ id: change.id, guardian_name: 'Ann Adams' }])

    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    expect(await emails(dojo)).toEqual(before)
    expect((await leo.get('/profile')).body).toMatchObject({ id: leo.id, name: 'Leo Adams', is_guardian: false, belt_level: 'white' })
    expect((await server.signIn(leo.email, 'another-1')).id).toBe(leo.id)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
    expect((await ana.get('/profile')).status).toBe(200)
    const { guardians, families } = (await sensei.get('/families')).body
    expect(guardians.map(({ id }: { id: string }) => id)).toEqual([ben.id])
    expect(families).toEqual([{ payer_id: ben.id, student_ids: [leo.id] }])
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(404)
    expect((await leo.get('/family/home')).body.children).toEqual([])
    expect(JSON.stringify((await sensei.get('/students')).body)).not.toContain(guardian.id)
  })

  test('of a guardian who was there keeps them with the rights of before', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia } = dojo
    const ann = await server.createGuardian(sensei, [leo], { students: [{ student_id: leo.id, gets_texts: false }] })
    const students = [leo, mia].map(({ id }) => ({ student_id: id, log_in: 'close' }))
    const { change } = (await sensei.post('/families', { guardian_id: ann.id, students })).body
    // A session is a sign-in.
    expect((await leo.get('/profile')).status).toBe(401)
    await sensei.post(`/families/changes/${change.id}/undo`)
    const [guardian] = (await sensei.get('/families')).body.guardians
    expect(guardian.students).toMatchObject([{ student_id: leo.id, gets_texts: false, pays: false }])
    expect((await server.signIn(leo.email)).id).toBe(leo.id)
    const again = await sensei.post(`/families/changes/${change.id}/undo`)
    expect([again.status, again.body.detail]).toEqual([409, 'This was undone already'])
  })

  test('leaves out who was deleted since', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia } = dojo
    const { change } = (await sensei.post('/families', familyOf(dojo))).body
    await sensei.delete(`/students/${leo.id}`)
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    expect(Object.keys(await emails(dojo))).toEqual(['Ana Adams', 'Mia Adams'])
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
  })

  test('is possible for 7 days; then closed log-ins are deleted, and the students stay', async () => {
    setClock('2027-05-01T12:00:00Z')
    const dojo = await aDojo()
    const { sensei, mia } = dojo
    const { change } = (await sensei.post('/families', familyOf(dojo))).body
    setClock('2027-05-08T11:59:00Z')
    expect((await sensei.get('/families/changes')).body).toHaveLength(1)
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect(await emails(dojo)).toMatchObject({ 'Mia Adams': mia.email })
    setClock('2027-05-09T12:00:00Z')
    const late = await sensei.post(`/families/changes/${change.id}/undo`)
    expect([late.status, late.body.detail]).toEqual([409, 'A family can be undone for 7 days'])
    expect((await sensei.get('/families/changes')).body).toEqual([])
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect(await emails(dojo)).toMatchObject({ 'Mia Adams': null, 'Leo Adams': null })
    const { rows } = await server.db.withoutDojo((tx) => tx.execute(sql`select 1 from accounts where id = ${mia.id}`))
    expect(rows).toEqual([])
  })
})
