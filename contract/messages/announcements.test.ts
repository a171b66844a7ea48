import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncated } from './announcements.ts'

test('up to 100 characters are shown whole, more are cut off', () => {
  expect(truncated('a'.repeat(100))).toBe('a'.repeat(100))
  expect(truncated('a'.repeat(101))).toBe(`${'a'.repeat(100)}…`)
})

test('no character is cut in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 90, maxLength: 130 }), (content) => {
      const shown = truncated(content)
      expect(shown.isWellFormed()).toBe(true)
      expect(content.startsWith(shown.replace(/…$/, ''))).toBe(true)
    }),
  )
})
