import { nextMonth } from '@tatami/contract/lib/calendar-day'
import { expect, test } from 'vitest'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { raisedFeeWords } from './price-words.ts'

const month = formatMonth(nextMonth(thisMonth()))

test('a raise that counts from the next month reads like no part payment', () => {
  expect(raisedFeeWords({ amount: 80, reason: `new fee from ${month}` }, 90)).toBe(
    `$80.00 now, $90.00 from ${month}`,
  )
})

test('a raise of another time, and the price of a sibling, keep their reason', () => {
  expect(raisedFeeWords({ amount: 80, reason: 'new fee from March 2020' }, 90)).toBeUndefined()
  expect(raisedFeeWords({ amount: 81, reason: '2nd of 3: −10%' }, 90)).toBeUndefined()
})
