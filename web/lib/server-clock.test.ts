import { expect, test } from 'vitest'
import { updateServerClock, serverTime } from './server-clock.ts'

const HOUR_MS = 3_600_000

test('the time at the server is told from its answers, however wrong this device’s clock', () => {
  const deviceNow = Date.now()
  updateServerClock(new Date(deviceNow + HOUR_MS).toUTCString())
  // The Date header is exact to the second only.
  expect(Math.abs(serverTime(deviceNow) - deviceNow - HOUR_MS)).toBeLessThan(2000)
})

test('an answer that does not say the time changes nothing', () => {
  const timeBefore = serverTime(0)
  updateServerClock(null)
  updateServerClock('soon')
  expect(serverTime(0)).toBe(timeBefore)
})
