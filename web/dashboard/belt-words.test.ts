import { expect, test } from 'vitest'
import { beltWords } from './belt-words.ts'

test('says since when a child wears the belt, with how many classes, and which is next', () => {
  expect(beltWords('green', { since: '2027-05-03', classes: 24 })).toBe(
    'Green belt since May 3, 2027, 24 classes; next is blue',
  )
  expect(beltWords('black', { since: '2027-05-03', classes: 1 })).toBe(
    'Black belt since May 3, 2027, 1 class',
  )
  expect([beltWords('green', null), beltWords('black', null)]).toEqual([
    'Green belt, next is blue',
    'Black belt',
  ])
})
