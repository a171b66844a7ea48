import { ALL_RIGHTS } from '@tatami/contract/rights'
import { expect, test } from 'vitest'
import { type StudentFields, exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const readProfile = async (person: {
  get: (path: string) => Promise<{ status: number; body: unknown }>
}) => {
  const { status, body } = await person.get('/profile')
  return [status, body]
}
/** The fields of students in section 3 of the specification. They are null for everybody else. */
const STUDENT_FIELDS = [
  'belt_level',
  'date_of_birth',
  'gender',
  'emergency_contact_name',
  'emergency_contact_phone',
  'class_preferences',
  'enrolled_classes',
  'is_trial',
  'monthly_payment_amount',
  'on_vacation',
  'app_returned',
  'payment_method',
  'current_month_paid',
  'awaits_approval',
  'rank',
  'photo',
]
/** Fields that the specification does not have, of a user who is not a guardian. */
const NO_GUARDIAN = {
  is_guardian: false,
  students: [],
  sign_in_step: null,
  staff: null,
  has_family_view: false,
  is_in_family_view: false,
}
const OWNER = {
  is_owner: true,
  rights: ALL_RIGHTS,
  class_ids: null,
  seen_as: null,
  has_registered: true,
}
const NO_LOOK = { dojo_logo: null, dojo_color: null }
const noStudentFields = Object.fromEntries(STUDENT_FIELDS.map((field) => [field, null]))

test('returns an instructor with their dojo, and null for the fields of students', async () => {
  const sensei = await server.createSensei({
    first_name: 'Mina',
    last_name: 'Okafor',
    dojo_name: 'Lone Star Judo',
    city: 'Waco',
    contact_area_code: '254',
    contact_number: '5550100',
  })
  expect(await readProfile(sensei)).toEqual([
    200,
    {
      ...noStudentFields,
      id: sensei.id,
      name: 'Mina Okafor',
      email: sensei.email,
      is_instructor: true,
      is_super_admin: false,
      dojo_name: 'Lone Star Judo',
      contact_number: '2545550100',
      city: 'Waco',
      state: 'Texas',
      phone_number: '2545550100',
      time_zone: 'America/Chicago',
      belt_test_name: 'belt test',
      ...NO_LOOK,
      ...NO_GUARDIAN,
      staff: OWNER,
    },
  ])
})

test('returns a student as the instructor sees them', async () => {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const { password: _, ...form } = exampleStudent({
    belt_level: 'green',
    gender: 'female',
    enrolled_classes: [class_id],
    app_returned: false,
    payment_method: 'cash',
  })
  const student = await server.createStudent(sensei, form as StudentFields)
  const user = {
    ...form,
    class_preferences: [],
    id: student.id,
    is_instructor: false,
    is_super_admin: false,
    on_vacation: false,
    current_month_paid: false,
    dojo_name: 'Cedar Park Judo',
    contact_number: form.phone_number,
    city: 'Austin',
    state: 'Texas',
  }
  const expectedUser = { ...user, awaits_approval: false, rank: null, photo: null }
  expect(await readProfile(student)).toEqual([
    200,
    {
      ...expectedUser,
      time_zone: 'America/Chicago',
      belt_test_name: 'belt test',
      ...NO_LOOK,
      ...NO_GUARDIAN,
    },
  ])
  expect((await sensei.get('/students')).body).toEqual([
    {
      ...expectedUser,
      guardians: [],
      price_note: null,
      sibling_exempt: false,
      has_medical_note: false,
      belt_size: null,
      left_on: null,
      left_reason: null,
    },
  ])
})

test('returns a super admin with null in all other fields', async () => {
  const superAdmin = await server.signInSuperAdmin()
  expect(await readProfile(superAdmin)).toEqual([
    200,
    {
      ...noStudentFields,
      id: superAdmin.id,
      name: 'Super Admin',
      email: 'admin@tatami.test',
      is_instructor: false,
      is_super_admin: true,
      dojo_name: null,
      contact_number: null,
      city: null,
      state: null,
      phone_number: null,
      time_zone: null,
      belt_test_name: null,
      ...NO_LOOK,
      ...NO_GUARDIAN,
    },
  ])
})

test('returns the same user as the sign-in', async () => {
  const sensei = await server.createSensei()
  const {
    get,
    post: _post,
    put: _put,
    delete: _delete,
    token: _token,
    ...user
  } = await server.signIn(sensei.email)
  expect(await readProfile({ get })).toEqual([200, user])
})
