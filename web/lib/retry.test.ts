import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRetrying } from './retry.ts'

const page = Object.assign(new EventTarget(), { hidden: false })
const browser = new EventTarget()
const attempt = vi.fn<() => Promise<void>>()
let stopRetrying = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', browser)
  attempt.mockReset().mockRejectedValue(new Error('no response'))
  stopRetrying = startRetrying(attempt)
})
afterEach(() => {
  stopRetrying()
  page.hidden = false
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('tries after 2 seconds, then doubles the delay up to 30 seconds', async () => {
  const attemptTimes: number[] = []
  attempt.mockImplementation(() => {
    attemptTimes.push(Date.now())
    return Promise.reject(new Error('no response'))
  })
  const startMs = Date.now()
  await vi.advanceTimersByTimeAsync(122_000)
  expect(attemptTimes.map((time) => (time - startMs) / 1000)).toEqual([2, 6, 14, 30, 60, 90, 120])
})

test('tries immediately when the browser goes online or the page becomes visible', async () => {
  browser.dispatchEvent(new Event('online'))
  expect(attempt).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(0)
  page.hidden = true
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(attempt).toHaveBeenCalledTimes(1)
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  expect(attempt).toHaveBeenCalledTimes(2)
})

test('makes one attempt at a time, and another if the browser went online during it', async () => {
  const { promise, reject } = Promise.withResolvers<void>()
  attempt.mockReturnValueOnce(promise)
  await vi.advanceTimersByTimeAsync(2_000)
  browser.dispatchEvent(new Event('online'))
  expect(attempt).toHaveBeenCalledTimes(1)
  reject(new Error('too late'))
  await vi.advanceTimersByTimeAsync(0)
  expect(attempt).toHaveBeenCalledTimes(2)
})

test('makes no attempts after it is stopped', async () => {
  stopRetrying()
  browser.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(attempt).not.toHaveBeenCalled()
})
