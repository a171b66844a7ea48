import { expect, test } from 'vitest'
import { describeVacation } from './vacation-text.ts'

const NO_VACATION = { on_vacation: false, vacation_from: null, vacation_until: null }
const TODAY = '2026-07-01'
const describeOnToday = (fields: Partial<Parameters<typeof describeVacation>[1]>) =>
  describeVacation(TODAY, { ...NO_VACATION, ...fields })

test.each([
  [{}, undefined],
  [{ on_vacation: true }, 'On vacation'],
  [
    { on_vacation: true, vacation_from: '2026-06-20', vacation_until: '2026-07-14' },
    'On vacation until Jul\u00A014,\u00A02026',
  ],
  [
    { vacation_from: '2026-07-03', vacation_until: '2026-07-14' },
    'Vacation from Jul\u00A03,\u00A02026 until Jul\u00A014,\u00A02026',
  ],
  [{ vacation_from: '2026-07-03' }, 'Vacation from Jul\u00A03,\u00A02026'],
  // The server may start the vacation up to a minute after midnight.
  [{ vacation_from: TODAY }, 'On vacation'],
  [{ vacation_from: '2026-06-01', vacation_until: '2026-06-30' }, undefined],
])('describes %o as %s', (fields, description) => {
  expect(describeOnToday(fields)).toBe(description)
})
