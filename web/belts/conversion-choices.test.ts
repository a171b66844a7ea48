import { expect, test } from 'vitest'
import {
  findMovedBelts,
  countStudentsWithBelts,
  describeConversion,
  suggestChoices,
} from './conversion-choices.ts'

const belts = [
  {
    from_rank_id: 'white',
    name: 'White belt',
    belt_level: 'white' as const,
    students: 15,
    suggested_rank_id: '9k',
  },
  {
    from_rank_id: 'yellow',
    name: 'Yellow belt',
    belt_level: 'yellow' as const,
    students: 1,
    suggested_rank_id: '8k',
  },
]
const ranks = [
  { id: '9k', name: '9th kyu' },
  { id: '8k', name: '8th kyu' },
]

test('says how many students move to which rank and how many stay', () => {
  const suggestedChoices = suggestChoices(belts)
  expect(describeConversion(belts, suggestedChoices, ranks)).toBe(
    'Moves 16 students: 15 White belt → 9th kyu, 1 Yellow belt → 8th kyu.',
  )
  expect(describeConversion(belts, { ...suggestedChoices, white: '' }, ranks)).toBe(
    'Moves 1 student: 1 Yellow belt → 8th kyu. 15 students stay where they are.',
  )
  expect(describeConversion(belts, { white: '', yellow: '' }, ranks)).toBe(
    '16 students stay where they are.',
  )
  expect(countStudentsWithBelts(findMovedBelts(belts, { ...suggestedChoices, white: '' }))).toBe(1)
})
