import { expect, test } from 'vitest'
import { badge } from './notifications.ts'

test('shows 9+ on the badge for more than 9 unread notifications', () => {
  expect([0, 1, 9, 10, 250].map(badge)).toEqual(['0', '1', '9', '9+', '9+'])
})
