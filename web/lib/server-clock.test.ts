import { expect, test } from 'vitest'
import { updateServerClock, serverTime } from './server-clock.ts'

const HOUR_MS = 3_600_000

test('follows the server’s clock when this device’s clock is wrong', () => {
  const deviceNow = Date.now()
  updateServerClock(new Date(deviceNow + HOUR_MS).toUTCString())
  // The Date header is exact to the second only.
  expect(Math.abs(serverTime(deviceNow) - deviceNow - HOUR_MS)).toBeLessThan(2000)
})

test('ignores a response without a valid Date header', () => {
  const timeBefore = serverTime(0)
  updateServerClock(null)
  updateServerClock('soon')
  expect(serverTime(0)).toBe(timeBefore)
})
