import { expect, test } from 'vitest'
import { createHeatMapCells } from './heat-map-year.ts'

test('puts the days of a year into weeks from Sunday to Saturday', () => {
  // December 1, 2025 is a Monday.
  const cells = createHeatMapCells('2025-12-01', '2026-11-26', [
    { day: '2025-12-01', isPresent: true },
    { day: '2026-11-26', isPresent: false },
  ])
  expect(cells).toHaveLength(361)
  expect(cells[0]).toEqual({ day: '2025-12-01', week: 0, weekday: 1, state: 'present' })
  expect(cells[5]).toEqual({ day: '2025-12-06', week: 0, weekday: 6, state: 'none' })
  expect(cells[6]).toEqual({ day: '2025-12-07', week: 1, weekday: 0, state: 'none' })
  expect(cells.at(-1)).toEqual({ day: '2026-11-26', week: 51, weekday: 4, state: 'absent' })
})
