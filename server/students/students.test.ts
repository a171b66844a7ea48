import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../accounts/accounts.ts'
import { newId } from '../db/columns.ts'
import { dojoIdOf, exampleStudent, PASSWORD } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { students } from './tables.ts'

const server = await startTestServer()
type Sensei = Awaited<ReturnType<typeof server.createSensei>>
const listStudents = async (sensei: Sensei) => (await sensei.get('/students')).body
const createStudentForm = (changes: object = {}) =>
  exampleStudent({ class_preferences: ['saturday'], ...changes })
/** Returns the form without these fields. */
const omitFields = (form: object, ...fields: string[]) =>
  Object.fromEntries(Object.entries(form).filter(([field]) => !fields.includes(field)))
const EMAIL_TAKEN = [409, { detail: 'An account with this email already exists' }]
const EMAIL_TAKEN_BY_PARENT = [
  409,
  {
    detail:
      "An account with this email already exists. If this is a parent's address, add the student to the parent's family.",
  },
]

describe('enrolling a student', () => {
  test('stores every field and returns the whole student', async () => {
    const sensei = await server.createSensei({
      dojo_name: 'Cedar Park Judo',
      city: 'Austin',
      state: 'Texas',
    })
    const { id: class_id } = await server.createClass(sensei)
    const form = exampleStudent({
      belt_level: 'brown',
      gender: 'other',
      is_trial: true,
      monthly_payment_amount: 0.07,
      app_returned: true,
      payment_method: 'cash',
      class_preferences: ['travisso', class_id],
      enrolled_classes: [class_id],
    })
    const { status, body } = await sensei.post('/students', form)
    const { password: _, ...keptFields } = form
    const student = {
      ...keptFields,
      id: expect.any(String),
      is_instructor: false,
      is_super_admin: false,
      on_vacation: false,
      current_month_paid: false,
      has_medical_note: false,
      dojo_name: 'Cedar Park Judo',
      contact_number: form.phone_number,
      city: 'Austin',
      state: 'Texas',
      guardians: [],
      price_note: null,
      sibling_exempt: false,
      awaits_approval: false,
      belt_size: null,
      photo: null,
      rank: null,
      left_on: null,
      left_reason: null,
    }
    expect([status, body]).toEqual([200, { student }])
    expect(await listStudents(sensei)).toEqual([student])
  })

  test('uses the defaults white belt, male and not on trial', async () => {
    const sensei = await server.createSensei()
    const defaults = {
      belt_level: 'white',
      gender: 'male',
      is_trial: false,
      app_returned: null,
      payment_method: null,
    }
    for (const form of [
      omitFields(createStudentForm(), 'belt_level', 'gender', 'is_trial'),
      createStudentForm({
        belt_level: '',
        gender: '',
        is_trial: '',
        app_returned: '',
        payment_method: '',
      }),
      createStudentForm({ belt_level: null, gender: null, is_trial: null }),
    ]) {
      const { status, body } = await sensei.post('/students', form)
      expect([status, body.student]).toEqual([200, expect.objectContaining(defaults)])
    }
  })

  test('lets the student log in and read their profile', async () => {
    const sensei = await server.createSensei()
    const form = createStudentForm({ password: 'eight8-8' })
    const { student } = (await sensei.post('/students', form)).body
    const { body: profile } = await (await server.signIn(form.email, 'eight8-8')).get('/profile')
    const hiddenFields = [
      'guardians',
      'price_note',
      'sibling_exempt',
      'has_medical_note',
      'belt_size',
      'left_on',
      'left_reason',
    ]
    expect(profile).toEqual({
      ...omitFields(student, ...hiddenFields),
      time_zone: 'America/Chicago',
      belt_test_name: 'belt test',
      dojo_logo: null,
      dojo_color: null,
      is_guardian: false,
      sign_in_step: null,
      students: [],
      staff: null,
      has_family_view: false,
      is_in_family_view: false,
    })
  })

  test('ignores unknown fields and fields that the server computes', async () => {
    const sensei = await server.createSensei()
    const {
      body: { student },
    } = await sensei.post(
      '/students',
      createStudentForm({
        current_month_paid: true,
        is_instructor: true,
        role: 'super-admin',
        dojo_id: newId(),
        id: newId(),
        on_vacation: true,
      }),
    )
    expect(student).toMatchObject({
      current_month_paid: false,
      is_instructor: false,
      on_vacation: false,
    })
    expect(await listStudents(sensei)).toEqual([student])
  })

  test('refuses an email that already has a login, and stores nothing', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    const { email } = await server.createStudent(otherSensei)
    for (const takenEmail of [email, email.toUpperCase(), sensei.email, 'admin@tatami.test']) {
      const { status, body } = await sensei.post(
        '/students',
        createStudentForm({ email: takenEmail }),
      )
      expect([status, body]).toEqual(EMAIL_TAKEN_BY_PARENT)
    }
    expect(await listStudents(sensei)).toEqual([])
  })

  test('creates only one student for concurrent requests', async () => {
    const sensei = await server.createSensei()
    const form = createStudentForm()
    const responses = await Promise.all([1, 2, 3].map(() => sensei.post('/students', form)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(2)
    expect(await listStudents(sensei)).toHaveLength(1)
  })
})

describe('changing a student', () => {
  test('changes every field, and the email of the login', async () => {
    const sensei = await server.createSensei()
    const { id, email } = await server.createStudent(sensei)
    const form = createStudentForm({
      name: 'Kenji Adams',
      belt_level: 'black',
      date_of_birth: '2012-02-29',
      gender: 'female',
      phone_number: '+1 512 555 0199',
      emergency_contact_name: 'Bo',
      emergency_contact_phone: '5',
      class_preferences: ['travisso'],
      is_trial: true,
      monthly_payment_amount: 1_000_000,
      on_vacation: true,
      app_returned: false,
      payment_method: 'card',
    })
    const { status, body } = await sensei.put(`/students/${id}`, form)
    const { password: _, ...keptFields } = form
    expect([status, body.student]).toEqual([
      200,
      expect.objectContaining({ ...keptFields, id, contact_number: '+1 512 555 0199' }),
    ])
    expect(await listStudents(sensei)).toEqual([body.student])
    expect((await server.anonymous.post('/login', { email, password: PASSWORD })).status).toBe(401)
    expect((await server.signIn(form.email)).id).toBe(id)
  })

  test('keeps omitted fields, and clears optional fields that are sent empty', async () => {
    const sensei = await server.createSensei()
    const { id } = await server.createStudent(sensei, {
      belt_level: 'blue',
      gender: 'female',
      is_trial: true,
      app_returned: true,
      payment_method: 'cash',
    })
    const initialForm = createStudentForm({
      belt_level: 'blue',
      gender: 'female',
      is_trial: true,
      on_vacation: true,
    })
    const { student } = (await sensei.put(`/students/${id}`, initialForm)).body
    const form = omitFields(
      createStudentForm({ email: student.email }),
      'belt_level',
      'gender',
      'is_trial',
      'on_vacation',
      'password',
      'enrolled_classes',
    )
    expect((await sensei.put(`/students/${id}`, form)).body.student).toEqual(student)
    const formWithEmptyFields = {
      ...form,
      payment_method: '',
      app_returned: null,
      belt_level: '',
      on_vacation: '',
    }
    const { body } = await sensei.put(`/students/${id}`, formWithEmptyFields)
    expect(body.student).toEqual({ ...student, payment_method: null, app_returned: null })
  })

  test('refuses an email that already has a login, and changes nothing', async () => {
    const sensei = await server.createSensei()
    const firstStudent = await server.createStudent(sensei)
    const secondStudent = await server.createStudent(sensei)
    const initialStudents = await listStudents(sensei)
    const { status, body } = await sensei.put(
      `/students/${firstStudent.id}`,
      createStudentForm({
        email: secondStudent.email,
        name: 'Somebody Else',
        class_preferences: ['travisso'],
      }),
    )
    expect([status, body]).toEqual(EMAIL_TAKEN)
    expect(await listStudents(sensei)).toEqual(initialStudents)
  })

  test('responds with 404 for an unknown student or a student of another dojo', async () => {
    const otherStudent = await server.createStudent(await server.createSensei())
    const sensei = await server.createSensei()
    for (const id of [otherStudent.id, newId(), sensei.id]) {
      const responses = [
        await sensei.put(`/students/${id}`, createStudentForm()),
        await sensei.delete(`/students/${id}`),
        await sensei.get(`/students/${id}/deletion-impact`),
      ]
      expect(responses.map(({ status, body }) => [status, body])).toEqual(
        responses.map(() => [404, { detail: 'Student not found' }]),
      )
    }
    expect((await otherStudent.get('/profile')).status).toBe(200)
  })
})

describe('the list', () => {
  test('contains only this dojo’s students, and no instructor', async () => {
    const sensei = await server.createSensei()
    const otherSensei = await server.createSensei()
    await server.createStudent(otherSensei)
    const { id } = await server.createStudent(sensei)
    expect(
      (await listStudents(sensei)).map((student: { id: string; is_instructor: boolean }) => [
        student.id,
        student.is_instructor,
      ]),
    ).toEqual([[id, false]])
  })

  test('is sorted by name, ignoring letter case and accents', async () => {
    const sensei = await server.createSensei()
    for (const name of ['zoe', 'Émile', 'adam', 'Bea', 'Adam Z', 'eva', 'Ärne'])
      await sensei.post('/students', createStudentForm({ name }))
    expect((await listStudents(sensei)).map(({ name }: { name: string }) => name)).toEqual([
      'adam',
      'Adam Z',
      'Ärne',
      'Bea',
      'Émile',
      'eva',
      'zoe',
    ])
  })

  test('keeps students of the same name in the order in which they were added', async () => {
    const sensei = await server.createSensei()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1)
      ids.push((await server.createStudent(sensei, { name: 'Ken' })).id)
    // A changed row moves to the end of the table, which must not affect the order.
    await server.db.inDojo(await dojoIdOf(server.db, sensei.id), (tx) =>
      tx.execute(sql`update students set gender = 'other' where id = ${ids[0]}`),
    )
    expect((await listStudents(sensei)).map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  test('has all fields even for a student who has only a name and an email', async () => {
    const sensei = await server.createSensei()
    const dojoId = await dojoIdOf(server.db, sensei.id)
    const id = newId()
    const email = `${id}@home.org`
    await server.db.inDojo(dojoId, async (tx) => {
      await createAccount(tx, {
        id,
        email,
        password_hash: 'none',
        role: 'student',
        dojo_id: dojoId,
        is_active: true,
      })
      await tx.insert(students).values({ id, name: 'Mia', email, is_trial: true, gender: null })
    })
    expect(await listStudents(sensei)).toEqual([
      {
        id,
        name: 'Mia',
        email,
        is_instructor: false,
        is_super_admin: false,
        dojo_name: 'Cedar Park Judo',
        contact_number: null,
        city: 'Austin',
        state: 'Texas',
        phone_number: null,
        belt_level: 'white',
        date_of_birth: null,
        gender: null,
        emergency_contact_name: null,
        emergency_contact_phone: null,
        class_preferences: [],
        enrolled_classes: [],
        is_trial: true,
        monthly_payment_amount: null,
        on_vacation: false,
        app_returned: null,
        payment_method: null,
        current_month_paid: false,
        guardians: [],
        has_medical_note: false,
        price_note: null,
        sibling_exempt: false,
        awaits_approval: false,
        belt_size: null,
        photo: null,
        rank: null,
        left_on: null,
        left_reason: null,
      },
    ])
  })
})
