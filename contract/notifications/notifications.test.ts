import { expect, test } from 'vitest'
import { badge } from './notifications.ts'

test('the unread badge stops counting at 9', () => {
  expect([0, 1, 9, 10, 250].map(badge)).toEqual(['0', '1', '9', '9+', '9+'])
})
