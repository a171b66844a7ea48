import { nextMonth } from '@tatami/contract/lib/calendar-day'
import { expect, test } from 'vitest'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { describeRaisedFee } from './raised-fee.ts'

const month = formatMonth(nextMonth(thisMonth()))

test('shows both prices if a new fee starts next month', () => {
  expect(describeRaisedFee({ amount: 80, reason: `new fee from ${month}` }, 90)).toBe(
    `$80.00 now, $90.00 from ${month}`,
  )
})

test('ignores a new fee that started earlier, and sibling prices', () => {
  expect(describeRaisedFee({ amount: 80, reason: 'new fee from March 2020' }, 90)).toBeUndefined()
  expect(describeRaisedFee({ amount: 81, reason: '2nd of 3: −10%' }, 90)).toBeUndefined()
})
