import { expect, test } from 'vitest'
import { chosenBelts, countOf, previewSentence, suggestedChoices } from './conversion-words.ts'

const belts = [
  {
    from_rank_id: 'w',
    name: 'White belt',
    belt_level: 'white' as const,
    students: 15,
    suggested_rank_id: '9k',
  },
  {
    from_rank_id: 'y',
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

test('says who comes to which rank, counted, and who stays', () => {
  const suggestedIds = suggestedChoices(belts)
  expect(previewSentence(belts, suggestedIds, ranks)).toBe(
    'Moves 16 students: 15 White belt → 9th kyu, 1 Yellow belt → 8th kyu.',
  )
  expect(previewSentence(belts, { ...suggestedIds, w: '' }, ranks)).toBe(
    'Moves 1 student: 1 Yellow belt → 8th kyu. 15 students stay where they are.',
  )
  expect(previewSentence(belts, { w: '', y: '' }, ranks)).toBe('16 students stay where they are.')
  expect(countOf(chosenBelts(belts, { ...suggestedIds, w: '' }))).toBe(1)
})
