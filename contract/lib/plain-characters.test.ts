import { expect, test } from 'vitest'
import { toPlainCharacters } from './plain-characters.ts'
import { segmentsOf } from '../texting/segments.ts'

test('replaces curly quotes, dashes and special spaces, which saves segments', () => {
  const curlyText = `“Leo’s class” – it’s at 6 pm — don’t be late… ${'x'.repeat(60)}`
  const plainText = toPlainCharacters(curlyText)
  expect(plainText).toBe(`"Leo's class" - it's at 6 pm - don't be late... ${'x'.repeat(60)}`)
  expect([segmentsOf(curlyText).segments, segmentsOf(plainText).segments]).toEqual([2, 1])
})

test('leaves letters and emoji unchanged', () => {
  const plainText = 'José, Łukasz, Ñandú, Zoë, Çelik, Ольга, 李 🥋 {name} €5 {amount}'
  expect(toPlainCharacters(plainText)).toBe(plainText)
})
