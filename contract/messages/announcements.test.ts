import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncate } from './announcements.ts'

test('up to 100 characters are shown whole, more are cut off', () => {
  expect(truncate('a'.repeat(100))).toBe('a'.repeat(100))
  expect(truncate('a'.repeat(101))).toBe(`${'a'.repeat(100)}…`)
})

test('no character is cut in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 90, maxLength: 130 }), (content) => {
      const excerpt = truncate(content)
      expect(excerpt.isWellFormed()).toBe(true)
      expect(content.startsWith(excerpt.replace(/…$/, ''))).toBe(true)
    }),
  )
})
