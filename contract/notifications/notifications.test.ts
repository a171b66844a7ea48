import { expect, test } from 'vitest'
import { badgeText } from './notifications.ts'

test('shows 9+ on the badge for more than 9 unread notifications', () => {
  expect([0, 1, 9, 10, 250].map(badgeText)).toEqual(['0', '1', '9', '9+', '9+'])
})
