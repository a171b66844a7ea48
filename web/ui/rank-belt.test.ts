import type { HeldRank } from '@tatami/contract/lib/ranks'
import { expect, test } from 'vitest'
import { describeRank } from './rank-belt.tsx'
import { rankEdgeStyle, rankName } from './rank-name.ts'

const createRank = (overrides: Partial<HeldRank>): HeldRank => ({
  id: '',
  name: '8th kyu',
  colours: ['yellow'],
  pattern: 'solid',
  tags_count: 0,
  tags_colour: null,
  stripes: 0,
  ...overrides,
})

test.each([
  [{}, 'yellow belt'],
  [{ tags_count: 1, tags_colour: 'black' }, 'yellow belt, 1 black tag'],
  [{ tags_count: 3, tags_colour: 'red', colours: ['orange'] }, 'orange belt, 3 red tags'],
  [{ pattern: 'split', colours: ['red', 'black'] }, 'red and black belt in halves'],
  [
    { pattern: 'centre-stripe', colours: ['green', 'white'] },
    'green belt with a white stripe along the middle',
  ],
  [{ pattern: 'tip', colours: ['white', 'yellow'] }, 'white belt with a yellow tip'],
  [{ pattern: 'bar', colours: ['blue'] }, 'blue belt with a black bar'],
  [{ pattern: 'red-bar', colours: ['black'] }, 'black belt with a red bar'],
  [{ pattern: 'panels', colours: ['red', 'white'] }, 'red and white belt in panels'],
  [
    { pattern: 'patch', colours: ['gold', 'black'], tags_count: 2, tags_colour: 'black' },
    'gold and black patch, 2 black tags',
  ],
  [{ pattern: 'patch', colours: [] }, 'patch'],
] as const)('describes the drawing %j as %s', (drawing, description) => {
  expect(describeRank(createRank(drawing as Partial<HeldRank>))).toBe(description)
})

test('the name of a rank includes its stripes, and "belt" after the name of a color', () => {
  expect(rankName(null, 'yellow')).toBe('Yellow belt')
  expect(rankName(createRank({}), 'yellow')).toBe('8th kyu')
  expect(rankName(createRank({ stripes: 1 }), 'yellow')).toBe('8th kyu, 1 stripe')
  expect(rankName(createRank({ name: 'Yellow', stripes: 2 }), 'yellow')).toBe(
    'Yellow belt, 2 stripes',
  )
  expect(rankName(createRank({ name: 'Blue', colours: ['blue'], pattern: 'bar' }), 'blue')).toBe(
    'Blue belt',
  )
  expect(rankName(createRank({ name: 'Yellow', pattern: 'patch' }), 'yellow')).toBe('Yellow')
})

test('the edge of a row has all colors of the rank', () => {
  const edgeStyles = (heldRank: HeldRank | null) => Object.values(rankEdgeStyle(heldRank, 'brown'))
  expect(edgeStyles(null)).toEqual(['var(--belt-brown)'])
  expect(edgeStyles(createRank({}))).toEqual(['var(--belt-yellow)'])
  expect(edgeStyles(createRank({ colours: ['red', 'black'] }))).toEqual([
    'linear-gradient(var(--belt-red) 50%, var(--belt-black) 50%)',
  ])
})
