import { describe, expect, test } from 'vitest'
import { fullGuardianJoinForm, fullJoinForm, joinForm, passwordChange, profileUpdate, settingsForm } from './profile.ts'
import { validationErrors } from './test/validation-errors.ts'

describe("an instructor's settings", () => {
  const settings = { email: 'aiko@tanaka.com', dojo_name: 'Tanaka Dojo', phone_number: '', city: 'Austin', state: 'Texas' }

  test('treats a blank password as no password', () => {
    for (const password of ['', null, undefined]) expect(profileUpdate.parse({ ...settings, password }).password).toBeUndefined()
  })

  test('requires 8 to 128 characters of a new password', () => {
    expect(validationErrors(profileUpdate, { ...settings, password: 'seven77' })).toEqual({
      password: 'Password must be at least 8 characters long',
    })
    expect(validationErrors(profileUpdate, { ...settings, password: 'x'.repeat(129) })).toEqual({
      password: 'Password must be at most 128 characters',
    })
    expect(profileUpdate.parse({ ...settings, password: ' eight 8' }).password).toBe(' eight 8')
  })

  test('requires email and dojo name, and lets the rest be cleared', () => {
    expect(validationErrors(profileUpdate, { email: '', dojo_name: ' ' })).toEqual({
      email: 'Email is required',
      dojo_name: 'Dojo name is required',
    })
    expect(profileUpdate.parse({ ...settings, city: '', state: '' })).toEqual({ ...settings, phone_number: null, city: null, state: null })
  })

  test.each([
    ['email', 'aiko@tanaka.org', 'Email must have .com domain'],
    ['city', 'Austin 3', 'City may contain letters and spaces only'],
    ['state', 'TX', 'State is not valid'],
    ['time_zone', 'Texas', 'Time zone is not valid'],
    ['time_zone', '+05:00', 'Time zone is not valid'],
    ['phone_number', 'call', 'Phone number may contain digits, +, -, spaces and parentheses only'],
  ])('%s %j: %s', (field, value, sentence) => {
    expect(validationErrors(profileUpdate, { ...settings, [field]: value })).toEqual({ [field]: sentence })
  })

  test('requires a new password twice, reported together with the other errors', () => {
    expect(validationErrors(settingsForm, { ...settings, retype_password: '' })).toEqual({})
    expect(validationErrors(settingsForm, { ...settings, password: 'long enough', retype_password: 'long enough' })).toEqual({})
    expect(validationErrors(settingsForm, { ...settings, retype_password: 'alone' })).toEqual({ retype_password: 'Passwords do not match' })
    expect(validationErrors(settingsForm, { ...settings, dojo_name: '', password: 'short', retype_password: '' })).toEqual({
      dojo_name: 'Dojo name is required',
      password: 'Password must be at least 8 characters long',
      retype_password: 'Passwords do not match',
    })
  })
})

test('requires name, email and password of an invited student', () => {
  expect(validationErrors(joinForm, {})).toEqual({
    name: 'Name is required',
    email: 'Email is required',
    password: 'Password is required',
    invite_code: 'Invitation is required',
  })
})

test('applies the rules of a new password to a changed one', () => {
  expect(validationErrors(passwordChange, { current_password: 'x', new_password: 'seven77' })).toEqual({
    new_password: 'Password must be at least 8 characters',
  })
})

describe('the join page', () => {
  const TODAY = '2027-03-02'
  const filled = { name: 'Mia Chen', email: 'mia@home.org', password: 'Kiai2026!', invite_code: 'abc' }
  const child = { ...filled, date_of_birth: '2009-03-03', guardian: { name: 'Rosa Diaz', phone: '512 555 0177' } }
  const errors = (form: object, offersClasses = false) => validationErrors(fullJoinForm(TODAY, offersClasses), form)

  test('asks an adult for a phone and an emergency contact', () => {
    expect(errors({ ...filled, date_of_birth: '2009-03-02' })).toEqual({
      phone_number: 'Phone number is required',
      emergency_contact_name: 'Emergency contact name is required',
      emergency_contact_phone: 'Emergency contact phone is required',
    })
  })

  test('asks for a guardian until the day before the 18th birthday', () => {
    expect(errors({ ...filled, date_of_birth: '2009-03-03' })).toEqual({
      'guardian.name': 'Name is required',
      'guardian.phone': 'Phone number is required',
    })
    expect(errors(child)).toEqual({})
  })

  test('asks for everything at once, and for a class where there are some', () => {
    expect(errors({}, true)).toMatchObject({
      name: 'Name is required',
      email: 'Email is required',
      date_of_birth: 'Date of birth is required',
      class_preferences: 'Choose at least one class',
    })
    expect(errors({ ...child, date_of_birth: '2027-03-03' })).toMatchObject({ date_of_birth: 'Date of birth must not be after today' })
  })

  test('lets nobody under 13 have a log-in of their own', () => {
    expect(errors({ ...child, date_of_birth: '2014-03-03' })).toEqual({
      date_of_birth: 'A child under 13 joins with the log-in of a parent or guardian',
    })
    expect(errors({ ...child, date_of_birth: '2014-03-02' })).toEqual({})
  })
})

describe('the join page of a guardian', () => {
  const leo = { name: 'Leo Diaz', date_of_birth: '2017-05-04' }
  const filled = {
    guardian: { name: 'Rosa Diaz', relation: 'mother', phone: '512 555 0177' },
    children: [leo],
    email: 'rosa@home.org',
    password: 'Kiai2026!',
    invite_code: 'abc',
  }
  const errors = (form: object, offersClasses = false) => validationErrors(fullGuardianJoinForm('2027-03-02', offersClasses), form)

  test('asks for everything at once, of each child', () => {
    expect(errors(filled)).toEqual({})
    expect(errors({ invite_code: 'abc', guardian: {}, children: [leo, {}] }, true)).toEqual({
      'guardian.name': 'Name is required',
      'guardian.phone': 'Phone number is required',
      'children.0.class_preferences': 'Choose at least one class',
      'children.1.name': 'Name is required',
      'children.1.date_of_birth': 'Date of birth is required',
      'children.1.class_preferences': 'Choose at least one class',
      email: 'Email is required',
      password: 'Password is required',
    })
  })

  test('is for children under age', () => {
    expect(
      errors({ ...filled, children: [leo, { ...leo, date_of_birth: '2009-03-02' }, { ...leo, date_of_birth: '2027-03-03' }] }),
    ).toEqual({
      'children.1.date_of_birth': 'Anyone of 18 or older joins with a log-in of their own',
      'children.2.date_of_birth': 'Date of birth must not be after today',
    })
    expect(errors({ ...filled, children: [{ ...leo, date_of_birth: '2009-03-03' }] })).toEqual({})
  })
})
