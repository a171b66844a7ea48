import { senseiRegistration } from '@tatami/contract/sensei/sensei'
import { expect, test } from 'vitest'
import { ApiError } from './api.ts'
import { fieldErrors, serverErrors } from './form.ts'

const filledForm = {
  first_name: 'Ken',
  last_name: 'Adams',
  email: 'ken@dojo.com',
  contact_area_code: '512',
  contact_number: '5550100',
  password: 'Secret123',
  retype_password: 'Secret123',
  city: 'Austin',
  state: 'Texas',
  dojo_name: 'River Dojo',
}

test('has no errors for values that the schema accepts', () => {
  expect(fieldErrors(senseiRegistration, filledForm)).toEqual({})
})

test('returns the first error message of each field', () => {
  expect(
    fieldErrors(senseiRegistration, {
      ...filledForm,
      password: 'x',
      retype_password: 'y',
      contact_area_code: '51',
    }),
  ).toEqual({
    password: 'Password must be at least 8 characters',
    retype_password: 'Passwords do not match',
    contact_area_code: 'Area code must be 3 digits',
  })
})

test('returns the first error message of each field in a 422 response', () => {
  const refusal = new ApiError(422, {
    detail: 'a',
    errors: [
      { field: 'email', message: 'a' },
      { field: 'email', message: 'b' },
      { field: 'city', message: 'c' },
    ],
  })
  expect(serverErrors(refusal)).toEqual({ email: 'a', city: 'c' })
  expect(serverErrors(new Error('Something else'))).toEqual({})
})
