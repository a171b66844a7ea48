import { toCents, toDollars } from '@tatami/contract/lib/money'
import { describe, expect, test } from 'vitest'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { todayIn } from '../dojos/calendar.ts'
import { now } from '../lib/clock.ts'
import { newId } from '../db/columns.ts'
import { setClock } from '../test/clock.ts'
import { exampleStudent } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const student = await server.createStudent(sensei)
const createStudentForm = (changes: object = {}) =>
  exampleStudent({ class_preferences: ['saturday'], ...changes })
const listStudents = async () => (await sensei.get('/students')).body
const getDayFromNow = (daysFromNow: number) =>
  todayIn(DEFAULT_TIME_ZONE, new Date(now().getTime() + daysFromNow * 86_400_000))

const ERRORS: [changes: Record<string, unknown>, detail: string][] = [
  [{ name: '' }, 'Name is required'],
  [{ name: ' \t ' }, 'Name is required'],
  [{ name: 'Ken 2' }, 'Name may contain letters and spaces only'],
  [{ name: 'Ken--Ichi' }, 'Name may contain letters and spaces only'],
  [{ name: 'K'.repeat(101) }, 'Name must be at most 100 characters'],
  [{ name: 7 }, 'Name is not valid'],
  [{ email: undefined }, 'Email is required'],
  [{ email: 'ken@' }, 'Email must be a valid email address'],
  [{ phone_number: '' }, 'Phone number is required'],
  [
    { phone_number: '512.555.0100' },
    'Phone number may contain digits, +, -, spaces and parentheses only',
  ],
  [{ emergency_contact_name: null }, 'Emergency contact name is required'],
  [
    { emergency_contact_name: 'Ann (mother)' },
    'Emergency contact name may contain letters and spaces only',
  ],
  [{ emergency_contact_phone: '' }, 'Emergency contact phone is required'],
  [
    { emergency_contact_phone: 'call Ann' },
    'Emergency contact phone may contain digits, +, -, spaces and parentheses only',
  ],
  [{ date_of_birth: '' }, 'Date of birth is required'],
  [{ date_of_birth: '2015-02-29' }, 'Date of birth must be a date (YYYY-MM-DD)'],
  [{ date_of_birth: '2015-03-01T00:00:00Z' }, 'Date of birth must be a date (YYYY-MM-DD)'],
  [{ date_of_birth: getDayFromNow(1) }, 'Date of birth must not be after today'],
  [{ monthly_payment_amount: '' }, 'Monthly payment amount is required'],
  [{ monthly_payment_amount: undefined }, 'Monthly payment amount is required'],
  [{ monthly_payment_amount: '85' }, 'Monthly payment amount is not valid'],
  [{ monthly_payment_amount: -0.01 }, 'Monthly payment amount must be 0 or more'],
  [
    { monthly_payment_amount: 85.555 },
    'Monthly payment amount must have at most two decimal places',
  ],
  [{ monthly_payment_amount: 1_000_000.01 }, 'Monthly payment amount must be at most 1,000,000'],
  [{ belt_level: 'pink' }, 'Belt level is not valid'],
  [{ gender: 'boy' }, 'Gender is not valid'],
  [{ is_trial: 'yes' }, 'Trial is not valid'],
  [{ payment_method: 'x'.repeat(101) }, 'Payment method must be at most 100 characters'],
  [
    { class_preferences: [], enrolled_classes: [] },
    'Student must be enrolled in at least one class.',
  ],
  [
    { class_preferences: undefined, enrolled_classes: undefined },
    'Student must be enrolled in at least one class.',
  ],
  [{ class_preferences: ['sunday'] }, 'Class is not valid'],
  [{ class_preferences: [], enrolled_classes: ['saturday'] }, 'Class is not valid'],
]

test.each([
  ...ERRORS,
  [{ password: '' }, 'Password must be at least 8 characters'],
  [{ password: 'seven77' }, 'Password must be at least 8 characters'],
  [{ password: 'x'.repeat(129) }, 'Password must be at most 128 characters'],
  [{ password: undefined }, 'Password is required'],
] as typeof ERRORS)('refuses to add a student with %j, and says why', async (changes, detail) => {
  const initialStudents = await listStudents()
  const { status, body } = await sensei.post('/students', createStudentForm(changes))
  expect([status, body.detail, body.errors[0].message]).toEqual([422, detail, detail])
  expect(await listStudents()).toEqual(initialStudents)
})

test.each([...ERRORS, [{ on_vacation: 'no' }, 'On vacation is not valid']] as typeof ERRORS)(
  'refuses to change a student to %j, and says why',
  async (changes, detail) => {
    const initialStudents = await listStudents()
    const { status, body } = await sensei.put(
      `/students/${student.id}`,
      createStudentForm({ name: 'Somebody Else', ...changes }),
    )
    expect([status, body.detail]).toEqual([422, detail])
    expect(await listStudents()).toEqual(initialStudents)
  },
)

test.each([
  { name: 'Ольга Ω 山田' },
  { date_of_birth: getDayFromNow(0) },
  { monthly_payment_amount: 0 },
  { monthly_payment_amount: 19.99 },
  { monthly_payment_amount: 0.1 + 0.2 },
  { phone_number: '+1 (512) 555-0100' },
  { date_of_birth: '2016-02-29' },
  { date_of_birth: '1900-01-01' },
  { password: ' spaces count ' },
])('accepts a student with %j', async (changes) => {
  const { status, body } = await sensei.post('/students', createStudentForm(changes))
  const {
    password: _,
    monthly_payment_amount: fee = 85.5,
    ...keptFields
  } = changes as Record<string, unknown> & { monthly_payment_amount?: number }
  expect([status, body.student]).toEqual([
    200,
    expect.objectContaining({ ...keptFields, monthly_payment_amount: toDollars(toCents(fee)) }),
  ])
})

// In UTC, the first time is on June 11, and the second is on June 10.
test.each([
  ['America/Chicago', '2031-06-11T03:00:00Z', '2031-06-10', '2031-06-11'],
  ['Pacific/Auckland', '2031-06-10T13:00:00Z', '2031-06-11', '2031-06-12'],
])(
  'accepts today’s local date as the date of birth in %s at %s',
  async (time_zone, moment, today, tomorrow) => {
    const localSensei = await server.createSensei()
    await localSensei.put('/profile', { email: localSensei.email, dojo_name: 'Judo', time_zone })
    setClock(moment)
    const client = await server.signIn(localSensei.email)
    const formBornToday = createStudentForm({ date_of_birth: today })
    const refusal = { status: 422, body: { detail: 'Date of birth must not be after today' } }
    const { status, body } = await client.post('/students', formBornToday)
    expect([status, body.student?.date_of_birth]).toEqual([200, today])
    expect(
      await client.post('/students', createStudentForm({ date_of_birth: tomorrow })),
    ).toMatchObject(refusal)
    const changeBirthDate = (date_of_birth: string) =>
      client.put(`/students/${body.student.id}`, { ...formBornToday, date_of_birth })
    expect(await changeBirthDate(tomorrow)).toMatchObject(refusal)
    expect((await changeBirthDate(today)).status).toBe(200)
  },
)

describe('classes', () => {
  const INVALID_CLASS = [422, 'Class is not valid']
  const getStatusAndDetail = ({ status, body }: { status: number; body: { detail: string } }) => [
    status,
    body.detail,
  ]

  test('are refused in both fields if they do not exist or belong to another dojo', async () => {
    const { id: otherClassId } = await server.createClass(await server.createSensei())
    const { id: ownClassId } = await server.createClass(sensei)
    const initialStudents = await listStudents()
    for (const id of [otherClassId, newId()]) {
      for (const classFields of [
        { class_preferences: [ownClassId, id] },
        { enrolled_classes: [ownClassId, id] },
      ]) {
        expect(
          getStatusAndDetail(await sensei.post('/students', createStudentForm(classFields))),
        ).toEqual(INVALID_CLASS)
        expect(
          getStatusAndDetail(
            await sensei.put(
              `/students/${student.id}`,
              createStudentForm({ name: 'Somebody Else', ...classFields }),
            ),
          ),
        ).toEqual(INVALID_CLASS)
      }
    }
    expect(await listStudents()).toEqual(initialStudents)
  })

  test('are stored once if their ids are sent twice or in capital letters', async () => {
    const { id } = await server.createClass(sensei)
    const { body } = await sensei.post(
      '/students',
      createStudentForm({
        class_preferences: [id, id.toUpperCase(), 'saturday', 'saturday'],
        enrolled_classes: [id.toUpperCase(), id],
      }),
    )
    expect(body.student).toMatchObject({
      class_preferences: [id, 'saturday'],
      enrolled_classes: [id],
    })
  })

  test('are refused if there are more than a hundred', async () => {
    const classIds = Array.from({ length: 101 }, newId)
    const form = createStudentForm({ enrolled_classes: classIds })
    expect((await sensei.post('/students', form)).status).toBe(422)
  })
})
