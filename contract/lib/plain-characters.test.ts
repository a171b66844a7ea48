import { expect, test } from 'vitest'
import { plainCharacters } from './plain-characters.ts'
import { segmentsOf } from '../texting/segments.ts'

test('writes quotation marks, dashes, dots and spaces plainly, and saves segments by it', () => {
  const curly = `“Leo’s class” – it’s at 6 pm — don’t be late… ${'x'.repeat(60)}`
  const plain = plainCharacters(curly)
  expect(plain).toBe(`"Leo's class" - it's at 6 pm - don't be late... ${'x'.repeat(60)}`)
  expect([segmentsOf(curly).segments, segmentsOf(plain).segments]).toEqual([2, 1])
})

test('changes no letter and no emoji', () => {
  const plainText = 'José, Łukasz, Ñandú, Zoë, Çelik, Ольга, 李 🥋 {name} €5 {amount}'
  expect(plainCharacters(plainText)).toBe(plainText)
})
