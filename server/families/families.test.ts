import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const ANN = { name: 'Ann Adams', phone: '(512) 555-0143', email: uniqueEmail('ann') }

async function setUpDojo() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
  const mia = await server.createStudent(sensei, { name: 'Mia Adams' })
  return { sensei, leo, mia }
}
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const addGuardian = async (sensei: Sensei, fields: object = {}) =>
  (await sensei.post('/guardians', { ...ANN, email: uniqueEmail('ann'), ...fields })).body.guardian
const readPayers = async (sensei: Sensei) =>
  (await sensei.get('/families')).body.families.map(
    ({ payer_id, student_ids }: { payer_id: string; student_ids: string[] }) => [
      payer_id,
      student_ids.length,
    ],
  )
const readAuditedActions = async (sensei: Sensei) => {
  const { rows } = await server.db.withoutDojo((tx) =>
    tx.execute<{ action: string }>(
      sql`select action from audit_log where actor_id = ${sensei.id} order by id`,
    ),
  )
  return rows.map(({ action }) => action).filter((action) => action !== 'student added')
}

describe('a guardian', () => {
  test('is added with links, and listed with the students', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    const { status, body } = await sensei.post('/guardians', {
      ...ANN,
      students: [
        { student_id: leo.id, relation: 'mother', pays: true, note: 'Lives in Austin' },
        { student_id: mia.id, sees: false, picks_up: true, emergency_rank: 1 },
      ],
    })
    expect(status).toBe(200)
    const { guardian } = body
    expect(guardian).toMatchObject({
      ...ANN,
      has_log_in: false,
      is_student: false,
      is_instructor: false,
      invited_until: null,
      has_former_students: false,
    })
    expect(guardian.students).toMatchObject([
      {
        student_id: leo.id,
        student_name: 'Leo Adams',
        relation: 'mother',
        sees: true,
        sees_fees: true,
        pays: true,
        note: 'Lives in Austin',
      },
      {
        student_id: mia.id,
        relation: 'guardian',
        sees: false,
        sees_fees: false,
        gets_texts: true,
        pays: false,
        picks_up: true,
      },
    ])
    expect((await sensei.get('/families')).body).toEqual({
      guardians: [guardian],
      families: [{ payer_id: guardian.id, student_ids: [leo.id] }],
    })
    const summary = {
      id: guardian.id,
      ...ANN,
      relation: 'mother',
      pays: true,
      gets_texts: true,
      emergency_rank: null,
    }
    const studentList = (await sensei.get('/students')).body
    expect(studentList.map(({ guardians }: { guardians: unknown }) => guardians)).toEqual([
      [summary],
      [{ ...summary, relation: 'guardian', pays: false, emergency_rank: 1 }],
    ])
  })

  test('keeps rights that the form omits, and stops paying when somebody else pays', async () => {
    const { sensei, leo } = await setUpDojo()
    const ann = await addGuardian(sensei, {
      students: [{ student_id: leo.id, pays: true, relation: 'mother' }],
    })
    const ben = await addGuardian(sensei, { name: 'Ben Adams' })
    const linkResponse = await sensei.put(`/guardians/${ben.id}/students/${leo.id}`, { pays: true })
    expect(linkResponse.body.guardian.students).toMatchObject([
      { pays: true, sees: true, sees_fees: true },
    ])
    expect(await readPayers(sensei)).toEqual([[ben.id, 1]])
    const changeResponse = await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, {
      sees_fees: false,
      emergency_rank: 2,
    })
    expect(changeResponse.body.guardian.students).toMatchObject([
      {
        relation: 'mother',
        sees: true,
        sees_fees: false,
        gets_texts: true,
        pays: false,
        emergency_rank: 2,
      },
    ])
    const guardiansOfLeo = (await sensei.get('/students')).body.find(
      ({ id }: { id: string }) => id === leo.id,
    ).guardians
    expect(guardiansOfLeo).toContainEqual(
      expect.objectContaining({ id: ann.id, emergency_rank: 2 }),
    )
    const clearResponse = await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, {
      emergency_rank: null,
    })
    expect(clearResponse.body.guardian.students).toMatchObject([
      { emergency_rank: null, sees_fees: false },
    ])
  })

  test('is in the audit log when they stop paying because of a new payer', async () => {
    const { sensei, leo } = await setUpDojo()
    const ann = await addGuardian(sensei, { students: [{ student_id: leo.id, pays: true }] })
    const ben = await addGuardian(sensei, {
      name: 'Ben Adams',
      students: [{ student_id: leo.id, pays: true }],
    })
    await sensei.put(`/guardians/${ben.id}/students/${leo.id}`, { pays: true })
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute(
        sql`select details from audit_log
          where subject_id = ${ann.id} and action = 'guardian rights changed'`,
      ),
    )
    expect(rows).toEqual([{ details: { student_id: leo.id, pays: false } }])
  })

  test('is the only payer even after concurrent changes', async () => {
    const { sensei, leo } = await setUpDojo()
    const guardianList = [
      await addGuardian(sensei),
      await addGuardian(sensei),
      await addGuardian(sensei),
    ]
    const responses = await Promise.all(
      guardianList.map(({ id }) =>
        sensei.put(`/guardians/${id}/students/${leo.id}`, { pays: true }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await readPayers(sensei)).toHaveLength(1)
  })

  test('sees nothing after the link ends, and gets default rights with a new link', async () => {
    const { sensei, leo } = await setUpDojo()
    const ann = await server.createGuardian(sensei, [leo], {
      students: [{ student_id: leo.id, pays: true, may_edit: true }],
    })
    expect((await sensei.delete(`/guardians/${ann.id}/students/${leo.id}`)).status).toBe(200)
    expect((await ann.get('/family/home')).body.children).toEqual([])
    expect(await readPayers(sensei)).toEqual([])
    expect((await sensei.delete(`/guardians/${ann.id}/students/${leo.id}`)).status).toBe(404)
    const secondResponse = await sensei.put(`/guardians/${ann.id}/students/${leo.id}`, {})
    expect(secondResponse.body.guardian.students).toMatchObject([
      { sees: true, pays: false, may_edit: false },
    ])
    expect((await ann.get('/family/home')).body.children).toHaveLength(1)
  })

  test('cannot be their own guardian, and every change is in the audit log', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    const { body } = await sensei.post('/guardians', {
      account_id: leo.id,
      students: [{ student_id: mia.id }],
    })
    const refusal = await sensei.put(`/guardians/${body.guardian.id}/students/${leo.id}`, {})
    expect([refusal.status, refusal.body.detail]).toEqual([
      422,
      'Students can’t be their own guardian',
    ])
    await sensei.put(`/guardians/${leo.id}/students/${mia.id}`, {
      picks_up: true,
      note: 'A secret',
    })
    await sensei.put(`/guardians/${leo.id}`, { phone: '512 555 0199' })
    await sensei.delete(`/guardians/${leo.id}/students/${mia.id}`)
    await sensei.delete(`/guardians/${leo.id}`)
    expect(await readAuditedActions(sensei)).toEqual([
      'guardian added',
      'guardian linked',
      'guardian rights changed',
      'guardian changed',
      'guardian link ended',
      'guardian deleted',
    ])
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute(sql`select details::text from audit_log where actor_id = ${sensei.id}`),
    )
    expect(JSON.stringify(rows)).not.toContain('A secret')
  })

  test('keeps one login for both roles if they also teach or train', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    const instructorReply = await sensei.post('/guardians', {
      account_id: sensei.id,
      students: [{ student_id: mia.id }],
    })
    expect(instructorReply.body.guardian).toMatchObject({
      id: sensei.id,
      email: sensei.email,
      has_log_in: true,
      is_instructor: true,
    })
    expect((await sensei.get('/profile')).body).toMatchObject({
      is_instructor: true,
      is_guardian: true,
      students: [{ id: mia.id, name: 'Mia Adams', belt_level: 'white', is_trial: false }],
    })
    await sensei.post('/guardians', { account_id: leo.id, students: [{ student_id: mia.id }] })
    expect((await sensei.post('/guardians', { account_id: leo.id })).status).toBe(409)
    const kids = await server.createClass(sensei)
    for (const { id } of [leo, mia])
      await sensei.post('/attendance', {
        student_id: id,
        class_id: kids.id,
        class_date: '2026-03-02',
        present: true,
      })
    const visibleStudents = (await leo.get('/attendance')).body.map(
      ({ student_name }: { student_name: string }) => student_name,
    )
    expect(visibleStudents.toSorted()).toEqual(['Leo Adams', 'Mia Adams'])
    expect((await leo.get('/profile')).body).toMatchObject({
      belt_level: 'white',
      is_guardian: true,
      students: [{ id: mia.id }],
    })
    // Deleting the student keeps the guardian.
    await sensei.delete(`/students/${leo.id}`)
    const guardianClient = await server.signIn(leo.email)
    expect((await guardianClient.get('/profile')).body).toMatchObject({
      name: 'Leo Adams',
      belt_level: null,
      is_guardian: true,
    })
  })

  test('has the name and number of the instructor or student whose login they use', async () => {
    const { sensei, leo, mia } = await setUpDojo()
    for (const account_id of [sensei.id, leo.id, mia.id])
      await sensei.post('/guardians', { account_id })
    await sensei.put(`/guardians/${mia.id}`, { phone: '512 555 0199' })
    for (const student of [leo, mia])
      await sensei.put(`/students/${student.id}`, {
        ...student,
        name: `${student.name} Young`,
        phone_number: '512 555 0188',
      })
    const { email, dojo_name, city, state } = (await sensei.get('/profile')).body
    await sensei.put('/profile', { email, dojo_name, city, state, phone_number: '512 555 0177' })
    const client = await server.signIn(sensei.email)
    const { guardians } = (await client.get('/families')).body
    expect(
      guardians.map(({ name, phone }: { name: string; phone: string }) => `${name} ${phone}`),
    ).toEqual([
      'Aiko Tanaka 512 555 0177',
      'Leo Adams Young 512 555 0188',
      'Mia Adams Young 512 555 0199',
    ])
  })

  test('changes the email of their login, and cannot remove it', async () => {
    const { sensei, leo } = await setUpDojo()
    const ann = await server.createGuardian(sensei, [leo])
    const email = uniqueEmail('ann')
    expect((await sensei.put(`/guardians/${ann.id}`, { email })).body.guardian).toMatchObject({
      email,
      name: 'Ann Adams',
    })
    expect((await server.signIn(email)).name).toBe('Ann Adams')
    const clearResponse = await sensei.put(`/guardians/${ann.id}`, { email: null })
    expect([clearResponse.status, clearResponse.body.detail]).toEqual([
      422,
      'Email is required while the guardian has a login',
    ])
    expect((await sensei.put(`/guardians/${ann.id}`, { email: leo.email })).status).toBe(409)
  })

  test('of another dojo is not found, and neither are students of another dojo', async () => {
    const ownDojo = await setUpDojo(),
      otherDojo = await setUpDojo()
    const ann = await addGuardian(ownDojo.sensei)
    const responses = [
      await otherDojo.sensei.put(`/guardians/${ann.id}`, { name: 'X' }),
      await otherDojo.sensei.put(`/guardians/${ann.id}/students/${otherDojo.leo.id}`, {}),
      await otherDojo.sensei.delete(`/guardians/${ann.id}`),
      await otherDojo.sensei.post(`/guardians/${ann.id}/log-in-invitation`),
      await ownDojo.sensei.put(`/guardians/${ann.id}/students/${otherDojo.leo.id}`, {}),
      await ownDojo.sensei.post('/guardians', { account_id: otherDojo.leo.id }),
      await ownDojo.sensei.post('/guardians', { account_id: otherDojo.sensei.id }),
    ]
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404))
    expect((await ownDojo.sensei.get('/families')).body.guardians).toHaveLength(1)
  })
})

describe('enrolling a student', () => {
  const createStudentForm = (fields: object = {}) => ({
    name: 'Ana Adams',
    phone_number: '512 555 0150',
    date_of_birth: '2018-03-01',
    emergency_contact_name: 'Ann Adams',
    emergency_contact_phone: '512 555 0143',
    monthly_payment_amount: 85.5,
    class_preferences: ['saturday'],
    ...fields,
  })

  const NO_CONTACT = {
    phone_number: undefined,
    emergency_contact_name: undefined,
    emergency_contact_phone: undefined,
  }

  test('needs no login with a guardian, who becomes the payer', async () => {
    const { sensei } = await setUpDojo()
    const { status, body } = await sensei.post(
      '/students',
      createStudentForm({ guardian: { ...ANN, relation: 'mother' } }),
    )
    expect([status, body.student.email]).toEqual([200, null])
    expect(body.student.guardians).toMatchObject([
      { ...ANN, relation: 'mother', pays: true, gets_texts: true },
    ])
    const secondReply = await sensei.post(
      '/students',
      createStudentForm({ email: '', guardian_ids: [body.student.guardians[0].id] }),
    )
    expect(secondReply.body.student).toMatchObject({
      email: null,
      guardians: [{ name: 'Ann Adams', pays: true }],
    })
    const { families } = (await sensei.get('/families')).body
    expect(families).toEqual([
      {
        payer_id: body.student.guardians[0].id,
        student_ids: expect.arrayContaining([body.student.id]),
      },
    ])
  })

  test('uses the guardian’s phone if there is no phone and no emergency contact', async () => {
    const { sensei } = await setUpDojo()
    const childForm = (changes: object) => createStudentForm({ ...NO_CONTACT, ...changes })
    const guardian = { name: 'Rosa Diaz (mom)', phone: '512 555 0177', relation: 'mother' }
    const { body } = await sensei.post('/students', childForm({ guardian }))
    const contact = {
      phone_number: null,
      emergency_contact_name: 'Rosa Diaz mom',
      emergency_contact_phone: '512 555 0177',
    }
    expect(body.student).toMatchObject(contact)
    const [{ id }] = body.student.guardians
    const sibling = await sensei.post('/students', childForm({ guardian_ids: [id] }))
    expect(sibling.body.student).toMatchObject({ ...contact, guardians: [{ relation: 'mother' }] })
  })

  test('needs an emergency contact if the guardian has no phone', async () => {
    const { sensei } = await setUpDojo()
    const guardian = await addGuardian(sensei, { phone: null })
    const { status, body } = await sensei.post(
      '/students',
      createStudentForm({ ...NO_CONTACT, guardian_ids: [guardian.id] }),
    )
    const message = 'Emergency contact phone is required'
    expect([status, body.errors]).toEqual([422, [{ field: 'emergency_contact_phone', message }]])
    expect((await sensei.get('/students')).body).toHaveLength(2)
  })

  test('needs an email and a password, or a guardian', async () => {
    const { sensei } = await setUpDojo()
    const readErrors = async (form: object) => {
      const { status, body } = await sensei.post('/students', form)
      return [
        status,
        body.errors?.map(
          ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
        ),
      ]
    }
    expect(await readErrors(createStudentForm())).toEqual([
      422,
      ['email: Email is required', 'password: Password is required'],
    ])
    expect(await readErrors(createStudentForm({ guardian_ids: [] }))).toEqual([
      422,
      ['email: Email is required', 'password: Password is required'],
    ])
    expect(
      await readErrors(createStudentForm({ guardian: ANN, email: uniqueEmail('ana') })),
    ).toEqual([422, ['password: Password is required']])
    expect(await readErrors(createStudentForm({ guardian: ANN, password: 'eight8-8' }))).toEqual([
      422,
      ['email: Email is required'],
    ])
    expect((await sensei.get('/students')).body).toHaveLength(2)
  })

  test('stores nothing if the guardian belongs to another dojo', async () => {
    const ownDojo = await setUpDojo(),
      otherDojo = await setUpDojo()
    const otherGuardian = await addGuardian(otherDojo.sensei)
    const refusal = await ownDojo.sensei.post(
      '/students',
      createStudentForm({ guardian_ids: [otherGuardian.id] }),
    )
    expect([refusal.status, refusal.body.detail]).toEqual([404, 'Guardian not found'])
    expect((await ownDojo.sensei.get('/students')).body).toHaveLength(2)
  })

  test('creates or closes no login when the email is edited later', async () => {
    const { sensei, leo } = await setUpDojo()
    const { student: ana } = (await sensei.post('/students', createStudentForm({ guardian: ANN })))
      .body
    const responses = []
    for (const [id, email] of [
      [leo.id, null],
      [ana.id, uniqueEmail('ana')],
      [ana.id, null],
    ] as const) {
      const { status, body } = await sensei.put(
        `/students/${id}`,
        createStudentForm({ email, name: 'Renamed' }),
      )
      responses.push([status, body.detail ?? body.student.name])
    }
    expect(responses).toEqual([
      [422, 'Email is required'],
      [422, 'This student has no login. Send an invitation to make one.'],
      [200, 'Renamed'],
    ])
  })
})
