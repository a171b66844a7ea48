import { expect, test } from 'vitest'
import { consentForm } from './consent.ts'
import { validationErrors } from '../test/validation-errors.ts'

const validForm = {
  sensei_name: 'Aiko Tanaka',
  phone_number: '(512) 555-0142',
  signature: 'Ann Adams',
  email: '',
  date: '2026-03-01',
}

test('trims values and makes the email optional', () => {
  expect(
    consentForm.parse({ ...validForm, sensei_name: ' Aiko Tanaka ', signature: ' Ann Adams' }),
  ).toEqual({ ...validForm, email: null })
  expect(validationErrors(consentForm, { ...validForm, email: undefined })).toEqual({})
})

test('reports errors in the order of the specification', () => {
  const invalidForm = {
    sensei_name: ' ',
    phone_number: '',
    signature: '',
    email: 'ann',
    date: '2026-03-01',
  }
  const messages =
    consentForm.safeParse(invalidForm).error?.issues.map(({ message }) => message) ?? []
  const specifiedMessages = [
    'Sensei name is required',
    'Phone number is required',
    'Digital signature is required',
    'Email must be a valid email address',
  ]
  expect(messages.filter((message) => specifiedMessages.includes(message))).toEqual(
    specifiedMessages,
  )
  expect(messages[0]).toBe('Sensei name is required')
})
