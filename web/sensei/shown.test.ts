import { expect, test } from 'vitest'
import { dojoShown, phoneShown } from './shown.ts'

test.each([null, '', '  '])('a dojo named %j is not set', (name) => {
  expect(dojoShown(name)).toEqual({ name: 'Not Set', branding: 'Default Branding' })
})

test('a name is branding of its own', () => {
  expect(dojoShown('The Way')).toEqual({ name: 'The Way', branding: 'Custom Branding' })
})

test('ten digits are written as a phone number, anything else as it was typed', () => {
  expect(['5125550100', '+1 512 555 0100', ''].map(phoneShown)).toEqual(['(512) 555-0100', '+1 512 555 0100', ''])
})
