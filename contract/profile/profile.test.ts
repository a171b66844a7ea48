import { describe, expect, test } from 'vitest'
import { passwordChange, profileUpdate } from './profile.ts'
import { settingsForm, registeredSenseiSettingsForm } from './settings-form.ts'
import { validationErrors } from '../test/validation-errors.ts'

describe("an instructor's settings", () => {
  const settings = {
    email: 'aiko@tanaka.com',
    dojo_name: 'Tanaka Dojo',
    phone_number: '',
    city: 'Austin',
    state: 'Texas',
  }

  test('treats a blank password as no password', () => {
    for (const password of ['', null, undefined])
      expect(profileUpdate.parse({ ...settings, password }).password).toBeUndefined()
  })

  test('requires a new password to have 8 to 128 characters', () => {
    expect(validationErrors(profileUpdate, { ...settings, password: 'seven77' })).toEqual({
      password: 'Password must be at least 8 characters long',
    })
    expect(validationErrors(profileUpdate, { ...settings, password: 'x'.repeat(129) })).toEqual({
      password: 'Password must be at most 128 characters',
    })
    expect(profileUpdate.parse({ ...settings, password: ' eight 8' }).password).toBe(' eight 8')
  })

  test('requires an email and a dojo name, and allows all other fields to be empty', () => {
    expect(validationErrors(profileUpdate, { email: '', dojo_name: ' ' })).toEqual({
      email: 'Email is required',
      dojo_name: 'Dojo name is required',
    })
    expect(profileUpdate.parse({ ...settings, city: '', state: '' })).toEqual({
      ...settings,
      phone_number: null,
      city: null,
      state: null,
    })
  })

  test.each([
    ['city', 'Austin 3', 'City may contain letters and spaces only'],
    ['state', 'TX', 'State is not valid'],
    ['time_zone', 'Texas', 'Time zone is not valid'],
    ['time_zone', '+05:00', 'Time zone is not valid'],
    ['phone_number', 'call', 'Phone number may contain digits, +, -, spaces and parentheses only'],
  ])('refuses %s %j: %s', (field, value, message) => {
    expect(validationErrors(profileUpdate, { ...settings, [field]: value })).toEqual({
      [field]: message,
    })
  })

  test('asks for an email that ends with .com only if the instructor registered the school', () => {
    const form = { ...settings, email: 'aiko@tanaka.org', retype_password: '' }
    expect(validationErrors(settingsForm, form)).toEqual({})
    expect(validationErrors(registeredSenseiSettingsForm, form)).toEqual({
      email: 'Email must have .com domain',
    })
  })

  test('requires a new password twice, and reports all errors together', () => {
    expect(validationErrors(settingsForm, { ...settings, retype_password: '' })).toEqual({})
    expect(
      validationErrors(settingsForm, {
        ...settings,
        password: 'long enough',
        retype_password: 'long enough',
      }),
    ).toEqual({})
    expect(validationErrors(settingsForm, { ...settings, retype_password: 'alone' })).toEqual({
      retype_password: 'Passwords do not match',
    })
    expect(
      validationErrors(settingsForm, {
        ...settings,
        dojo_name: '',
        password: 'short',
        retype_password: '',
      }),
    ).toEqual({
      dojo_name: 'Dojo name is required',
      password: 'Password must be at least 8 characters long',
      retype_password: 'Passwords do not match',
    })
  })
})

test('requires a changed password to have 8 characters', () => {
  expect(
    validationErrors(passwordChange, { current_password: 'x', new_password: 'seven77' }),
  ).toEqual({ new_password: 'Password must be at least 8 characters' })
})
