import { expect, test } from 'vitest'
import { dojoShown } from './shown.ts'

test.each([null, '', '  '])('a dojo named %j is not set', (name) => {
  expect(dojoShown(name)).toEqual({ name: 'Not Set', branding: 'Default Branding' })
})

test('a name is branding of its own', () => {
  expect(dojoShown('The Way')).toEqual({ name: 'The Way', branding: 'Custom Branding' })
})
