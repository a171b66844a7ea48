import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { US_STATES } from '../dojos/dojos.ts'
import { passwordReset, passwordStrength, senseiRegistration } from './sensei.ts'
import { validationErrors } from '../test/validation-errors.ts'

const validForm = {
  first_name: 'Aiko',
  last_name: 'Tanaka',
  email: 'aiko@tanaka.com',
  contact_area_code: '512',
  contact_number: '5550100',
  password: 'Strong1pass',
  retype_password: 'Strong1pass',
  city: 'Cedar Park',
  state: 'Texas',
  dojo_name: 'Tanaka Dojo #1',
}
const findErrors = (changes: Record<string, unknown>) =>
  validationErrors(senseiRegistration, { ...validForm, ...changes })
const findPasswordErrors = (password: string) => findErrors({ password, retype_password: password })

test('accepts a complete form, lowercases the email and trims text', () => {
  expect(
    senseiRegistration.parse({ ...validForm, email: ' Aiko@Tanaka.com ', city: ' Cedar Park ' }),
  ).toEqual(validForm)
})

test('requires every field', () => {
  expect(validationErrors(senseiRegistration, {})).toEqual({
    first_name: 'First name is required',
    last_name: 'Last name is required',
    email: 'Email is required',
    contact_area_code: 'Area code is required',
    contact_number: 'Phone number is required',
    password: 'Password is required',
    retype_password: 'Retype password is required',
    city: 'City is required',
    state: 'State is required',
    dojo_name: 'Dojo name is required',
  })
})

test.each([
  ['email', 'aiko@tanaka.org', 'Email must have .com domain'],
  ['email', 'aiko@tanaka.com.au', 'Email must have .com domain'],
  ['first_name', 'Aiko2', 'First name may contain letters and spaces only'],
  ['last_name', 'O’Hara’', 'Last name may contain letters and spaces only'],
  ['city', 'St. Louis 2', 'City may contain letters and spaces only'],
  ['state', 'TX', 'State is not valid'],
  ['state', 'Puerto Rico', 'State is not valid'],
])('refuses %s %j: %s', (field, value, message) => {
  expect(findErrors({ [field]: value })).toEqual({ [field]: message })
})

test('offers the 50 states by their full names', () => {
  expect(new Set(US_STATES).size).toBe(50)
  for (const state of US_STATES) expect(findErrors({ state })).toEqual({})
})

describe('the phone', () => {
  const digits = (count: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: count, maxLength: count })

  test('has an area code of 3 digits and a number of 7', () => {
    fc.assert(
      fc.property(digits(3), digits(7), (contact_area_code, contact_number) => {
        expect(findErrors({ contact_area_code, contact_number })).toEqual({})
      }),
    )
  })

  test('rejects any other area code or number', () => {
    const texts = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.integer({ min: 0, max: 1e9 }).map(String),
      fc.constantFrom('٥١٢', '+12', '5 2', '-12', '1e2', '5550-100'),
    )
    fc.assert(
      fc.property(
        texts.filter((text) => text.trim() !== ''),
        (text) => {
          if (!/^[0-9]{3}$/.test(text.trim()))
            expect(findErrors({ contact_area_code: text })).toEqual({
              contact_area_code: 'Area code must be 3 digits',
            })
          if (!/^[0-9]{7}$/.test(text.trim()))
            expect(findErrors({ contact_number: text })).toEqual({
              contact_number: 'Phone number must be 7 digits',
            })
        },
      ),
    )
  })
})

describe('the password', () => {
  function expectedMessage(password: string) {
    if (password.length < 8) return 'Password must be at least 8 characters'
    if (!/[QÄ]/.test(password)) return 'Password must contain at least one uppercase letter'
    if (!password.includes('7')) return 'Password must contain at least one digit'
    return null
  }

  test('reports a short password first, then a missing capital, then a missing digit', () => {
    const passwords = fc.string({
      unit: fc.constantFrom('a', 'ß', 'Q', 'Ä', '7', ' ', '!'),
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(passwords, (password) => {
        const message = expectedMessage(password)
        expect(findPasswordErrors(password)).toEqual(message === null ? {} : { password: message })
      }),
    )
  })

  test('keeps its spaces and has a maximum length', () => {
    expect(
      senseiRegistration.parse({
        ...validForm,
        password: ' Strong1 ',
        retype_password: ' Strong1 ',
      }).password,
    ).toBe(' Strong1 ')
    expect(findPasswordErrors(`A1${'a'.repeat(126)}`)).toEqual({})
    expect(findPasswordErrors(`A1${'a'.repeat(127)}`)).toEqual({
      password: 'Password must be at most 128 characters',
    })
  })

  test('must be repeated exactly, and is reported together with the other errors', () => {
    expect(findErrors({ retype_password: 'Strong1pasS' })).toEqual({
      retype_password: 'Passwords do not match',
    })
    expect(findErrors({ first_name: '', retype_password: 'other' })).toEqual({
      first_name: 'First name is required',
      retype_password: 'Passwords do not match',
    })
    expect(findErrors({ retype_password: '' })).toEqual({
      retype_password: 'Retype password is required',
    })
  })
})

test('rates a password as strong, moderate or weak', () => {
  for (const weak of ['', 'Ab1!', 'Ab1!xyz']) expect(passwordStrength(weak)).toBe('Weak')
  for (const moderate of ['abcdefgh', 'Abcdefg1', 'abcdef1!', 'ABCDEFG!', 'Abcdef 1'])
    expect(passwordStrength(moderate)).toBe('Moderate')
  for (const strong of ['Abcdef1!', '1!aÄbcde']) expect(passwordStrength(strong)).toBe('Strong')
})

test('requires a reset password to have 8 characters', () => {
  expect(validationErrors(passwordReset, { new_password: 'seven77' })).toEqual({
    new_password: 'Password must be at least 8 characters',
  })
})
