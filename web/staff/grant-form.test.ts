import { rightsOfPreset } from '@tatami/contract/rights'
import { expect, test } from 'vitest'
import {
  valuesOfPreset,
  newFormValues,
  switchRight,
  toRequestBody,
  toFormValues,
} from './grant-form.ts'

test('turning a right on adds the rights it needs, and turning it off removes those that need it', () => {
  expect(switchRight([], 'texts.send', true).toSorted()).toEqual([
    'students.contact',
    'students.read',
    'texts.read',
    'texts.send',
  ])
  expect(
    switchRight(['roll', 'students.read', 'medical', 'notes'], 'students.read', false),
  ).toEqual(['roll'])
})

test('limits helpers to their own classes, but no other preset', () => {
  expect(valuesOfPreset('helper').isLimitedToClasses).toBe(true)
  expect(valuesOfPreset('desk')).toEqual({
    preset: 'desk',
    rights: rightsOfPreset('desk'),
    isLimitedToClasses: false,
  })
})

test('sends the chosen classes only while “own classes” is on', () => {
  const values = { ...newFormValues(), class_ids: ['kids'], isLimitedToClasses: false }
  expect(toRequestBody(values)).toMatchObject({ class_ids: null, starts_on: null, ends_on: null })
  expect(
    toRequestBody({ ...values, isLimitedToClasses: true, ends_on: '2026-12-31' }),
  ).toMatchObject({
    class_ids: ['kids'],
    ends_on: '2026-12-31',
  })
})

test('sends a stored grant unchanged if nobody edits it', () => {
  const grant = {
    title: 'Head coach',
    preset: null,
    rights: ['roll' as const],
    class_ids: ['kids'],
    starts_on: null,
    ends_on: '2026-12-31',
  }
  expect(toRequestBody(toFormValues(grant))).toEqual(grant)
})
