import type { Ladder } from '@tatami/contract/belts/belts'
import { ladderForm } from '@tatami/contract/belts/ladder-form'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { expect, test } from 'vitest'
import { fieldErrors } from '../lib/form.ts'
import {
  toPreviewRank,
  findFormField,
  moveItem,
  createLadder,
  createSkill,
  createRankAbove,
  toLadder,
  toLadderValues,
} from './ladder-form.ts'
import {
  describeAges,
  hasDefaultBelts,
  describeRequirements,
  templateMatches,
} from './rank-text.ts'

const ID_PREFIX = '0198c0de-0000-7000-8000-00000000000'
const createRank = (overrides: Partial<Ladder['ranks'][number]> = {}): Ladder['ranks'][number] => ({
  id: `${ID_PREFIX}1`,
  name: '8th kyu',
  short: null,
  colours: ['yellow'],
  pattern: 'solid',
  tags_count: 0,
  tags_colour: null,
  stripes: 0,
  belt_level: 'yellow',
  fee: 25.5,
  min_months: 4,
  min_classes: 30,
  max_classes_a_day: 2,
  min_age: null,
  max_age: null,
  min_stripes: null,
  needs_approval: true,
  needs_fee: false,
  skills: [{ id: `${ID_PREFIX}2`, name: 'Heian shodan', required: true }],
  students: 3,
  ...overrides,
})
const ladder: Ladder = {
  id: `${ID_PREFIX}3`,
  name: 'Karate',
  min_age: 6,
  max_age: null,
  age_counts: 'birthday',
  continues_as: null,
  template: null,
  is_retired: false,
  last_conversion: null,
  ranks: [
    createRank(),
    createRank({
      id: `${ID_PREFIX}4`,
      name: '7th kyu',
      colours: ['orange', 'white'],
      pattern: 'centre-stripe',
      belt_level: 'orange',
    }),
  ],
}

const firstRank = mustExist(toLadderValues(ladder).ranks[0], 'The first rank')

test('sends a ladder unchanged if nobody edits it', () => {
  const { ranks, name, min_age, max_age, age_counts, continues_as } = ladder
  const expected = {
    ranks: ranks.map(({ students: _, ...rankBody }) => rankBody),
    name,
    min_age,
    max_age,
    age_counts,
    continues_as,
  }
  expect(toLadder(toLadderValues(ladder))).toEqual(expected)
  expect(fieldErrors(ladderForm, toLadder(toLadderValues(ladder)))).toEqual({})
})

test('a new ladder only needs a name to be valid', () => {
  expect(fieldErrors(ladderForm, toLadder(createLadder()))).toEqual({ name: 'Ladder is required' })
})

test('a new rank has the settings of the rank below, but not its name or skills', () => {
  const lowerRank = mustExist(toLadderValues(ladder).ranks[1], 'The second rank')
  const higherRank = createRankAbove(lowerRank)
  expect(higherRank).toMatchObject({
    id: '',
    name: '',
    colour: 'orange',
    second_colour: 'white',
    belt_level: 'orange',
    min_months: '4',
    skills: [],
  })
  expect(higherRank.key).not.toBe(lowerRank.key)
})

test('ignores a second color and a tag color that the belt does not have', () => {
  expect(
    toPreviewRank({ ...firstRank, second_colour: 'red', tags_count: '2', tags_colour: 'black' }),
  ).toMatchObject({
    colours: ['yellow'],
    tags_count: 2,
    tags_colour: 'black',
  })
  const [rankBody] = toLadder({
    ...createLadder(),
    ranks: [{ ...firstRank, second_colour: 'red', tags_count: '', tags_colour: 'black' }],
  }).ranks
  expect(rankBody).toMatchObject({ colours: ['yellow'], tags_count: 0, tags_colour: null })
})

test('maps each error to its form field, even for text that is not a number', () => {
  const skills = [...firstRank.skills, { ...createSkill(), name: '' }]
  const invalidLadder = toLadder({
    ...toLadderValues(ladder),
    ranks: [{ ...firstRank, name: '', min_classes: 'x', skills }],
  })
  const errors = fieldErrors(ladderForm, invalidLadder)
  expect(Object.keys(errors).map(findFormField).toSorted()).toEqual([
    'ranks.0.min_classes',
    'ranks.0.name',
    'ranks.0.skills.1.name',
  ])
  expect(findFormField('ranks.3.colours')).toBe('ranks.3.colour')
  expect(findFormField('ranks.3.colours.1')).toBe('ranks.3.second_colour')
})

test('moves a rank by one place, but not beyond the ends', () => {
  expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
  expect(moveItem(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moveItem(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})

test('describes a rank’s requirements and a ladder’s ages', () => {
  expect(describeRequirements(createRank())).toBe('4 months, 30 classes, 1 skill, approval')
  const emptyValues = {
    min_months: null,
    min_classes: 0,
    needs_approval: false,
    skills: [{ id: 'x', name: 'Extra', required: false }],
  }
  expect(describeRequirements(createRank(emptyValues))).toBe('')
  expect(describeAges({ min_age: 6, max_age: 12 })).toBe('Ages 6 to 12')
  expect(describeAges({ min_age: null, max_age: 15 })).toBe('Up to age 15')
  expect(describeAges({ min_age: null, max_age: null })).toBe('')
})

test('finds a template by words of its name, and recognizes the default belts', () => {
  const template = {
    id: 't',
    style: 'brazilian jiu-jitsu',
    name: 'BJJ, youth (IBJJF)',
    note: null,
    min_age: 4,
    max_age: 15,
    ranks: [],
  }
  expect(templateMatches(template, ' youth jiu')).toBe(true)
  expect(templateMatches(template, 'karate')).toBe(false)
  const sevenRanks = Array.from({ length: 7 }, () =>
    createRank({ min_months: null, min_classes: null, needs_approval: false, skills: [] }),
  )
  expect(hasDefaultBelts([{ ...ladder, ranks: sevenRanks }])).toBe(true)
  expect(hasDefaultBelts([{ ...ladder, ranks: [...sevenRanks.slice(1), createRank()] }])).toBe(
    false,
  )
})
