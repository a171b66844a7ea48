import { ageOn } from '../lib/calendar-day.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { studentMatches } from './student-search.ts'
import { BELTS } from '../lib/ranks.ts'
import { withLatestBirthDate, newStudent, studentUpdate, studentUpdateFor } from './student-form.ts'
import { GENDERS } from '../accounts/users.ts'
import { validationErrors } from '../test/validation-errors.ts'

const KIDS = '01970000-0000-7000-8000-000000000001'
const TEENS = '01970000-0000-7000-8000-000000000002'
const editForm = {
  name: 'Ken Adams',
  email: 'ken@example.org',
  phone_number: '+1 (512) 555-0100',
  date_of_birth: '2015-04-01',
  emergency_contact_name: 'Ana Adams',
  emergency_contact_phone: '512 555 0101',
  monthly_payment_amount: 89.5,
  enrolled_classes: [KIDS],
}
const validForm = { ...editForm, password: 'white-belt' }
const errorsWith = (changes: Record<string, unknown>) =>
  validationErrors(newStudent, { ...validForm, ...changes })

test('accepts a complete form and drops unknown fields', () => {
  expect(
    newStudent.parse({
      ...validForm,
      current_month_paid: true,
      dojo_id: TEENS,
      is_instructor: true,
    }),
  ).toEqual(validForm)
})

test('requires every field', () => {
  expect(validationErrors(newStudent, {})).toEqual({
    name: 'Name is required',
    email: 'Email is required',
    password: 'Password is required',
    phone_number: 'Phone number is required',
    date_of_birth: 'Date of birth is required',
    monthly_payment_amount: 'Monthly payment amount is required',
    emergency_contact_name: 'Emergency contact name is required',
    emergency_contact_phone: 'Emergency contact phone is required',
    class_preferences: 'Student must be enrolled in at least one class.',
  })
})

describe('a student with a guardian', () => {
  const guardian = { name: 'Ana Adams', phone: '512 555 0101' }
  const { name, date_of_birth, monthly_payment_amount, enrolled_classes } = validForm
  const childForm = { name, date_of_birth, monthly_payment_amount, enrolled_classes, guardian }

  test('needs no login, phone or emergency contact', () => {
    expect(newStudent.parse(childForm)).toEqual(childForm)
    expect(validationErrors(newStudent, { ...childForm, phone_number: '', email: '' })).toEqual({})
  })

  test('needs a guardian with a phone, or an emergency contact', () => {
    const form = { ...childForm, guardian: { name: 'Ana Adams' } }
    expect(validationErrors(newStudent, form)).toEqual({
      'guardian.phone': 'Guardian’s phone number is required',
    })
    expect(
      validationErrors(newStudent, {
        ...form,
        emergency_contact_name: 'Ben Adams',
        emergency_contact_phone: '512 555 0102',
      }),
    ).toEqual({})
  })

  test('needs both parts of an emergency contact, or neither', () => {
    expect(
      validationErrors(newStudent, { ...childForm, emergency_contact_name: 'Ben Adams' }),
    ).toEqual({ emergency_contact_phone: 'Emergency contact phone is required' })
    expect(
      validationErrors(newStudent, {
        ...childForm,
        emergency_contact_name: '',
        emergency_contact_phone: '',
      }),
    ).toEqual({
      emergency_contact_name: 'Emergency contact name is required',
      emergency_contact_phone: 'Emergency contact phone is required',
    })
  })
})

test.each([
  ['name', 'Ken 2', 'Name may contain letters and spaces only'],
  [
    'emergency_contact_name',
    'Ana (mother)',
    'Emergency contact name may contain letters and spaces only',
  ],
  [
    'phone_number',
    '555-CALL',
    'Phone number may contain digits, +, -, spaces and parentheses only',
  ],
  [
    'emergency_contact_phone',
    '512.555.0101',
    'Emergency contact phone may contain digits, +, -, spaces and parentheses only',
  ],
  ['email', 'ken', 'Email must be a valid email address'],
  ['password', 'seven77', 'Password must be at least 8 characters'],
  ['monthly_payment_amount', -1, 'Monthly payment amount must be 0 or more'],
  ['monthly_payment_amount', 10.005, 'Monthly payment amount must have at most two decimal places'],
  ['belt_level', 'pink', 'Belt level is not valid'],
  ['gender', 'm', 'Gender is not valid'],
  ['is_trial', 'yes', 'Trial is not valid'],
])('refuses %s %j: %s', (field, value, message) => {
  expect(errorsWith({ [field]: value })).toEqual({ [field]: message })
})

test('offers the belts and genders of the specification', () => {
  expect([BELTS, GENDERS]).toEqual([
    ['white', 'yellow', 'orange', 'green', 'blue', 'brown', 'black'],
    ['male', 'female', 'other'],
  ])
})

test('rejects a date of birth in the future together with the other errors', () => {
  const futureDateError = { date_of_birth: 'Date of birth must not be after today' }
  for (const formSchema of [newStudent, studentUpdate]) {
    const schema = withLatestBirthDate('2026-03-01', formSchema)
    expect(validationErrors(schema, { ...validForm, date_of_birth: '2026-03-01' })).toEqual({})
    expect(validationErrors(schema, { ...validForm, date_of_birth: '2026-03-02' })).toEqual(
      futureDateError,
    )
    expect(
      validationErrors(schema, { ...validForm, date_of_birth: '2026-03-02', name: '' }),
    ).toEqual({
      ...futureDateError,
      name: 'Name is required',
    })
    expect(validationErrors(schema, { ...validForm, date_of_birth: '' })).toEqual({
      date_of_birth: 'Date of birth is required',
    })
  }
})

describe('the classes of a student', () => {
  const noClasses = { class_preferences: 'Student must be enrolled in at least one class.' }

  test('must include at least one, in either list', () => {
    expect(errorsWith({ enrolled_classes: [] })).toEqual(noClasses)
    expect(errorsWith({ enrolled_classes: undefined, class_preferences: [] })).toEqual(noClasses)
    expect(errorsWith({ enrolled_classes: [], class_preferences: [KIDS] })).toEqual({})
    expect(validationErrors(studentUpdate, { ...validForm, enrolled_classes: [] })).toEqual(
      noClasses,
    )
  })

  test('are reported as missing together with the other errors', () => {
    expect(errorsWith({ enrolled_classes: [], name: '' })).toEqual({
      ...noClasses,
      name: 'Name is required',
    })
  })

  test('may be fallback classes as preferences, but not as enrollments', () => {
    expect(
      errorsWith({
        enrolled_classes: [],
        class_preferences: ['cedar_park', 'travisso', 'saturday'],
      }),
    ).toEqual({})
    expect(errorsWith({ enrolled_classes: ['saturday'] })).toEqual({
      'enrolled_classes.0': 'Class is not valid',
    })
    expect(errorsWith({ class_preferences: ['sunday'] })).toEqual({
      'class_preferences.0': 'Class is not valid',
    })
  })

  test('are stored without duplicates', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(KIDS, TEENS), { minLength: 1 }), (ids) => {
        expect(newStudent.parse({ ...validForm, enrolled_classes: ids }).enrolled_classes).toEqual([
          ...new Set(ids),
        ])
      }),
    )
  })
})

test('an edit follows the same rules, but has no password', () => {
  expect(studentUpdate.parse({ ...editForm, on_vacation: true })).toEqual({
    ...editForm,
    on_vacation: true,
  })
  expect(
    validationErrors(studentUpdate, { ...editForm, name: 'Ken 2', on_vacation: 'no' }),
  ).toEqual({
    name: 'Name may contain letters and spaces only',
    on_vacation: 'On vacation is not valid',
  })
})

test('lets a student stay without a phone if they have a guardian or are a minor', () => {
  const adult = { phone_number: null, date_of_birth: '2008-03-01', guardians: [] }
  const errorsWithoutPhone = (student: Parameters<typeof studentUpdateFor>[0]) =>
    ['', null].map((phone_number) =>
      validationErrors(studentUpdateFor(student, '2026-03-01'), { ...validForm, phone_number }),
    )
  const phoneRequired = { phone_number: 'Phone number is required' }
  expect(errorsWithoutPhone(adult)).toEqual([phoneRequired, phoneRequired])
  expect(errorsWithoutPhone({ ...adult, date_of_birth: null })).toEqual([
    phoneRequired,
    phoneRequired,
  ])
  expect(errorsWithoutPhone({ ...adult, date_of_birth: '2008-03-02' })).toEqual([{}, {}])
  expect(errorsWithoutPhone({ ...adult, guardians: [{}] })).toEqual([{}, {}])
  // An update must not remove a phone number.
  expect(errorsWithoutPhone({ ...adult, phone_number: '512 555 0142', guardians: [{}] })).toEqual([
    phoneRequired,
    phoneRequired,
  ])
})

describe('the Student Center finds a student', () => {
  const ken = { name: 'Ken Adams', email: 'ken@example.org', is_trial: false, on_vacation: false }

  test('by any part of the name or email, ignoring case', () => {
    for (const searchText of ['', '  ', 'ken', 'ADAMS', ' n ad ', 'example.org'])
      expect(studentMatches(ken, searchText, 'all')).toBe(true)
    expect(studentMatches(ken, 'kim', 'all')).toBe(false)
  })

  test('with the last name first, and without accents', () => {
    const zoe = { ...ken, name: 'Zoë Müller Ito' }
    for (const searchText of ['Müller, Zoë', 'muller zoe', 'ito z', 'ZOE', 'Zoe\u0308'])
      expect(studentMatches(zoe, searchText, 'all')).toBe(true)
    for (const searchText of ['zoe adams', 'moeller'])
      expect(studentMatches(zoe, searchText, 'all')).toBe(false)
  })

  test('when plain letters are typed instead of letters such as ø', () => {
    const find = (name: string, searchText: string) =>
      studentMatches({ ...ken, name }, searchText, 'all')
    expect([
      find('Đặng Łukasz', 'dang lukasz'),
      find('Søren Weiß', 'soren weiss'),
      find('Işıl Cœur', 'isil coeur'),
    ]).toEqual([true, true, true])
    expect([find('Søren', 'Sø'), find('Dang', 'đặng'), find('Søren', 'saren')]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('by part of the phone number, in any format', () => {
    const studentWithPhone = { ...ken, phone_number: '512 555-0142' }
    for (const searchText of ['5125550142', '(512) 555', '+1 512 555 0142', '0142', '555.01'])
      expect(studentMatches(studentWithPhone, searchText, 'all')).toBe(true)
    for (const searchText of ['0143', '14', '512 ken'])
      expect(studentMatches(studentWithPhone, searchText, 'all')).toBe(false)
    expect(studentMatches({ ...ken, phone_number: null }, '512', 'all')).toBe(false)
  })

  test('by status, counting every student who is not on trial as regular', () => {
    const filtersShowing = (student: typeof ken) =>
      (['all', 'regular', 'trial', 'vacation'] as const).filter((filter) =>
        studentMatches(student, '', filter),
      )
    expect(filtersShowing(ken)).toEqual(['all', 'regular'])
    expect(filtersShowing({ ...ken, on_vacation: true })).toEqual(['all', 'regular', 'vacation'])
    expect(filtersShowing({ ...ken, is_trial: true })).toEqual(['all', 'trial'])
  })
})

test.each([
  ['2027-03-02', '2009-03-02', 18],
  ['2027-03-02', '2009-03-03', 17],
  ['2027-03-02', '2027-03-02', 0],
  ['2026-02-27', '2008-02-29', 17],
  ['2026-02-28', '2008-02-29', 18],
  ['2028-02-28', '2008-02-29', 19],
  ['2028-02-29', '2008-02-29', 20],
])('on %s, a person born on %s is %d', (day, birthday, age) => {
  expect(ageOn(day, birthday)).toBe(age)
})
