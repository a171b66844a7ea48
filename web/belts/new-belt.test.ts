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
const historyRow = (changes: object) => ({
  id: 'row',
  kind: 'promotion' as const,
  rank: RANK,
  given_on: '2026-11-20',
  examiner: null,
  is_corrected: false,
  ...changes,
})

test('a promotion of the last 60 days is news', () => {
  const promotion = historyRow({})
  expect(findNewBelt([promotion], '2026-11-26')).toBe(promotion)
  expect(findNewBelt([promotion], '2027-01-19')).toBeUndefined()
})

test('a stripe, a first belt and a corrected promotion are no news', () => {
  const rows = [
    historyRow({ kind: 'stripe' }),
    historyRow({ kind: 'start' }),
    historyRow({ is_corrected: true }),
  ]
  expect(findNewBelt(rows, '2026-11-26')).toBeUndefined()
})
