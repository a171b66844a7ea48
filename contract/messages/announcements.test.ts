import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncate } from './announcements.ts'

test('shows up to 100 characters and cuts off the rest', () => {
  expect(truncate('a'.repeat(100))).toBe('a'.repeat(100))
  expect(truncate('a'.repeat(101))).toBe(`${'a'.repeat(100)}…`)
})

test('does not cut a character in half', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 90, maxLength: 130 }), (content) => {
      const excerpt = truncate(content)
      expect(excerpt.isWellFormed()).toBe(true)
      expect(content.startsWith(excerpt.replace(/…$/, ''))).toBe(true)
    }),
  )
})
