import { expect, test } from 'vitest'
import { watchMs } from './watch.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const NONE = { total: 9, pending: 0, waiting: 0, queued: 0, sent: 0, delivered: 0, failed: 0, uncertain: 0, skipped: 0 }
const batch = (counts: object) => ({ counts: { ...NONE, ...counts }, updated_at: '2026-03-01T11:59:30Z' })

test('what is under way is asked every two seconds', () => {
  expect(watchMs([batch({ delivered: 9 }), batch({ pending: 1, queued: 1 })], NOON)).toBe(2000)
  expect(watchMs([batch({ pending: 4, waiting: 3 })], NOON)).toBe(2000)
})

test('what waits for tomorrow, or is settled, is not', () => {
  expect(watchMs([], NOON)).toBe(false)
  expect(watchMs([batch({ pending: 3, waiting: 3 }), batch({ delivered: 9 })], NOON)).toBe(false)
})

test('whether it arrived is asked for a minute after the last news', () => {
  expect([watchMs([batch({ sent: 1 })], NOON), watchMs([batch({ sent: 1 })], NOON + 60_000)]).toEqual([2000, false])
})
