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
const acceptInvitation = async ({ sensei }: Dojo, path: string, body?: object) => {
  const { link } = (await sensei.post(path, body)).body
  return server.anonymous.post('/log-in-invitations/accept', { invitation: link.split('#')[1], password: 'eight888' })
}
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

  test('closes no log-in in favour of a guardian who no longer sees the student, or was linked anew', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia } = dojo
    const students = [leo, mia].map(({ id }) => ({ student_id: id, log_in: 'close' }))
    const { guardian } = (await sensei.post('/families', { guardian: { ...ANN, email: uniqueEmail('ann') }, students })).body
    await sensei.put(`/guardians/${guardian.id}/students/${leo.id}`, { sees: false })
    await sensei.delete(`/guardians/${guardian.id}/students/${mia.id}`)
    await sensei.put(`/guardians/${guardian.id}/students/${mia.id}`, {})
    await acceptInvitation(dojo, `/guardians/${guardian.id}/log-in-invitation`)
    expect([(await leo.get('/profile')).status, (await mia.get('/profile')).status]).toEqual([200, 200])
  })

  test('gives a guardian who is linked already nothing back that was taken from them', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia } = dojo
    const links = [leo, mia].map(({ id }) => ({ student_id: id, gets_texts: false }))
    const ann = await server.createGuardian(sensei, [], { phone: PHONE, students: [{ ...links[0]!, sees: false }, links[1]!] })
    const form = { guardian_id: ann.id, students: [leo, mia].map(({ id }) => ({ student_id: id })) }
    const withTexts = async (over: object) => (await sensei.post('/families/preview', { ...form, ...over })).body.after.texts
    await sensei.put(`/students/${leo.id}`, { ...leo, phone_number: '512 555 0177' })
    expect([await withTexts({}), await withTexts({ gets_texts: true })]).toEqual([2, 1])
    const { guardian } = (await sensei.post('/families', form)).body
    expect(guardian.students).toMatchObject([
      { student_id: leo.id, sees: false, sees_fees: false, gets_texts: false, pays: true },
      { student_id: mia.id, sees: true, sees_fees: true, gets_texts: false, pays: true },
    ])
    // A payer from whom the fees are hidden goes on not seeing them; who is to get the texts, the form may say.
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, { sees_fees: false })
    const again = (await sensei.post('/families', { ...form, gets_texts: true })).body.guardian
    expect(again.students).toMatchObject([
      { sees: false, sees_fees: false, gets_texts: true },
      { sees_fees: false, gets_texts: true },
    ])
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

describe('a closed log-in', () => {
  async function withClosed() {
    const dojo = await aDojo()
    const { guardian } = (await dojo.sensei.post('/families', familyOf(dojo))).body
    expect((await dojo.mia.get('/profile')).status).toBe(401)
    return { ...dojo, guardian }
  }
  const closedOf = async ({ sensei }: Pick<Dojo, 'sensei'>) =>
    (await sensei.get('/families')).body.guardians.flatMap(
      ({ students }: { students: { student_name: string; log_in_closed_at: string }[] }) =>
        students.flatMap(({ student_name, log_in_closed_at }) => (log_in_closed_at ? [student_name] : [])),
    )

  test('is shown to the instructor, who opens it again within 7 days', async () => {
    setClock('2027-05-01T12:00:00Z')
    const dojo = await withClosed()
    const reopen = (id: string) => dojo.sensei.post(`/students/${id}/log-in/reopen`)
    expect(await closedOf(dojo)).toEqual(['Mia Adams'])
    expect((await reopen(dojo.mia.id)).body).toEqual({ success: true })
    expect((await server.signIn(dojo.mia.email)).id).toBe(dojo.mia.id)
    expect(await closedOf(dojo)).toEqual([])
    const refused = [await reopen(dojo.mia.id), await reopen(dojo.ana.id), await reopen(dojo.guardian.id)]
    expect(refused.map(({ status, body }) => [status, body.detail])).toEqual([
      [409, 'This log-in is not closed'],
      [409, 'This log-in is not closed'],
      [404, 'Student not found'],
    ])
  })

  test('is deleted after 7 days, and cannot be opened again', async () => {
    setClock('2027-05-01T12:00:00Z')
    const { sensei, mia } = await withClosed()
    setClock('2027-05-09T12:00:00Z')
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect((await sensei.post(`/students/${mia.id}/log-in/reopen`)).status).toBe(409)
  })

  test('opens again when the link to the guardian ends', async () => {
    const { sensei, mia, guardian } = await withClosed()
    await sensei.delete(`/guardians/${guardian.id}/students/${mia.id}`)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
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

  test('brings back nothing that was decided otherwise since', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia, ana } = dojo
    const linked = (id: string) => ({ student_id: id, gets_texts: false })
    const ben = await server.createGuardian(sensei, [], { name: 'Ben Adams', students: [{ student_id: ana.id, pays: true }] })
    const ann = await server.createGuardian(sensei, [], { students: [{ ...linked(leo.id), pays: true }, linked(mia.id)] })
    const { change } = (
      await sensei.post('/families', {
        guardian_id: ann.id,
        gets_texts: true,
        students: [leo, mia, ana].map(({ id }) => ({ student_id: id })),
      })
    ).body
    // A court's order, a new payer of one whom Ann paid for before the family, and one of whom Ben paid for.
    await sensei.put(`/guardians/${ann.id}/students/${mia.id}`, { sees: false, sees_fees: false, gets_texts: false })
    await sensei.put(`/guardians/${ben.id}/students/${leo.id}`, { pays: true })
    const cy = await server.createGuardian(sensei, [], { name: 'Cy Adams', students: [{ student_id: ana.id, pays: true }] })
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    const { guardians, families } = (await sensei.get('/families')).body
    expect(guardians[0].students).toMatchObject([
      { student_id: leo.id, pays: false, gets_texts: false },
      { student_id: mia.id, sees: false, sees_fees: false, gets_texts: false, pays: false },
    ])
    expect(families).toEqual([
      { payer_id: ben.id, student_ids: [leo.id] },
      { payer_id: cy.id, student_ids: [ana.id] },
    ])
  })

  test('gives nothing back to the guardian of a student who came of age since', async () => {
    setClock('2027-05-01T12:00:00Z')
    const { sensei, leo } = await aDojo()
    await sensei.put(`/students/${leo.id}`, { ...leo, date_of_birth: '2009-05-03' })
    const ann = await server.createGuardian(sensei, [leo])
    const { change } = (await sensei.post('/families', { guardian_id: ann.id, gets_texts: false, students: [{ student_id: leo.id }] })).body
    setClock('2027-05-03T12:00:00Z')
    await runDueJobs(server.db, (error) => {
      throw error
    })
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    const [guardian] = (await sensei.get('/families')).body.guardians
    expect(guardian.students).toMatchObject([{ sees: false, sees_fees: false, gets_texts: false, pays: false }])
  })

  test('leaves the log-in that was moved where the student has made another', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia } = dojo
    await sensei.put(`/students/${leo.id}`, { ...leo, date_of_birth: '2011-03-01' })
    const email = uniqueEmail('leo')
    const { change } = (await sensei.post('/families', familyOf(dojo))).body
    await acceptInvitation(dojo, `/students/${leo.id}/log-in-invitation`, { email })
    expect((await sensei.post(`/families/changes/${change.id}/undo`)).status).toBe(200)
    expect(await emails(dojo)).toMatchObject({ 'Leo Adams': email, 'Mia Adams': mia.email })
    expect((await server.signIn(email, 'eight888')).id).toBe(leo.id)
    expect((await leo.get('/profile')).status).toBe(401)
  })

  test('gives a guardian her email back, and opens what another family closed in favour of the log-in that goes', async () => {
    const dojo = await aDojo()
    const { sensei, leo, mia, ana } = dojo
    const email = uniqueEmail('ann')
    const { id } = (await sensei.post('/guardians', { ...ANN, email })).body.guardian
    const made = async (student_id: string, log_in: string) =>
      (await sensei.post('/families', { guardian_id: id, students: [{ student_id, log_in }] })).body.change.id
    const first = await made(leo.id, 'move')
    await made(leo.id, 'keep')
    await made(mia.id, 'close')
    await made(ana.id, 'keep')
    expect((await mia.get('/profile')).status).toBe(401)
    expect((await sensei.post(`/families/changes/${first}/undo`)).status).toBe(200)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
    expect((await sensei.get('/families')).body.guardians).toMatchObject([{ id, email, has_log_in: false }])
  })

  test('opens a log-in that another family closed with the link that goes', async () => {
    const { sensei, leo, mia } = await aDojo()
    const ann = await server.createGuardian(sensei, [leo])
    const made = async (log_in: string) =>
      (await sensei.post('/families', { guardian_id: ann.id, students: [{ student_id: mia.id, log_in }] })).body.change.id
    const first = await made('keep')
    await made('close')
    expect((await mia.get('/profile')).status).toBe(401)
    await sensei.post(`/families/changes/${first}/undo`)
    expect((await server.signIn(mia.email)).id).toBe(mia.id)
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
