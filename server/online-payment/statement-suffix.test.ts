import { expect, test } from 'vitest'
import { statementSuffix } from './statement-suffix.ts'

const line = (name: string, pays_for = 'an id') => ({ name, pays_for })

test.each([
  [[line('Leo: April 2026', '2026-3')], 'APR LEO'],
  [[line('Leo: April 2026', '2026-3'), line('Mia: April 2026', '2026-3')], 'APR LEO MI'],
  [[line('Zoë: Equipment')], 'ZOE'],
  [[line('Bartholomew: April 2026', '2026-3')], 'APR BARTHO'],
  [[line('李: April 2026', '2026-3')], 'APR'],
  [[line('李: Equipment')], undefined],
])('the bank statement of %j ends with %s', (lines, suffix) => {
  expect(statementSuffix(lines)).toBe(suffix)
})
