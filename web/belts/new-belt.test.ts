import { expect, test } from 'vitest'
import { findNewBelt } from './new-belt.ts'

const RANK = {
  id: 'green',
  name: 'Green',
  colours: ['green' as const],
  pattern: 'solid' as const,
  tags_count: 0,
  tags_colour: null,
  stripes: 0,
}
const createRow = (changes: object) => ({
  id: 'row',
  kind: 'promotion' as const,
  rank: RANK,
  given_on: '2026-11-20',
  examiner: null,
  is_corrected: false,
  ...changes,
})

test('finds a promotion of the last 60 days', () => {
  const promotion = createRow({})
  expect(findNewBelt([promotion], '2026-11-26')).toBe(promotion)
  expect(findNewBelt([promotion], '2027-01-19')).toBeUndefined()
})

test('ignores a stripe, a first belt and a corrected promotion', () => {
  const rows = [
    createRow({ kind: 'stripe' }),
    createRow({ kind: 'start' }),
    createRow({ is_corrected: true }),
  ]
  expect(findNewBelt(rows, '2026-11-26')).toBeUndefined()
})
