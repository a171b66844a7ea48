import { expect, test } from 'vitest'
import { describeBelt, describeNewBelt } from './describe-belt.ts'

test('names the belt, its date, the classes since then and the next belt', () => {
  expect(describeBelt('green', { since: '2027-05-03', classes: 24 })).toBe(
    'Green belt since May\u00A03,\u00A02027, 24 classes; next is blue',
  )
  expect(describeBelt('black', { since: '2027-05-03', classes: 1 })).toBe(
    'Black belt since May\u00A03,\u00A02027, 1 class',
  )
  expect([describeBelt('green', null), describeBelt('black', null)]).toEqual([
    'Green belt, next is blue',
    'Black belt',
  ])
})

test('says which belt a child now wears', () => {
  const rank = { id: '', stripes: 0, pattern: 'solid', tags_count: 0, tags_colour: null } as const
  expect(describeNewBelt('Ken', { ...rank, name: 'Orange', colours: ['orange'] })).toBe(
    'Ken now wears the orange belt',
  )
  expect(describeNewBelt('Ken', { ...rank, name: '8th kyu', colours: ['yellow'] })).toBe(
    'Ken now holds 8th kyu',
  )
})
