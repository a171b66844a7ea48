import { rightsOfPreset } from '@tatami/contract/rights'
import { expect, test } from 'vitest'
import { choosePreset, newGrant, switchRight, toGrantBody, toGrantValues } from './grant-form.ts'

test('turns on the rights that a right needs, and turns off those that need it', () => {
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
  expect(choosePreset('helper').hasOwnClasses).toBe(true)
  expect(choosePreset('desk')).toEqual({
    preset: 'desk',
    rights: rightsOfPreset('desk'),
    hasOwnClasses: false,
  })
})

test('sends the chosen classes only while “own classes” is on', () => {
  const values = { ...newGrant(), class_ids: ['kids'], hasOwnClasses: false }
  expect(toGrantBody(values)).toMatchObject({ class_ids: null, starts_on: null, ends_on: null })
  expect(toGrantBody({ ...values, hasOwnClasses: true, ends_on: '2026-12-31' })).toMatchObject({
    class_ids: ['kids'],
    ends_on: '2026-12-31',
  })
})

test('sends a stored grant back unchanged', () => {
  const grant = {
    title: 'Head coach',
    preset: null,
    rights: ['roll' as const],
    class_ids: ['kids'],
    starts_on: null,
    ends_on: '2026-12-31',
  }
  expect(toGrantBody(toGrantValues(grant))).toEqual(grant)
})
