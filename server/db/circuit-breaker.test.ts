import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createCircuitBreaker, type Ping } from './circuit-breaker.ts'

const pauseProcess = (ms: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

function createBreaker(ping: Ping) {
  const breaker = createCircuitBreaker(ping)
  const abort = vi.fn<() => void>()
  const stop = breaker.onOpen(abort)
  return { breaker, abort, stop }
}

test('opens within two seconds without a reply, and closes at the next reply', async () => {
  let isAnswering = false
  const { breaker, abort, stop } = createBreaker(async () => {
    if (!isAnswering) await sleep(300)
    return isAnswering
  })
  await vi.waitFor(() => expect(abort).toHaveBeenCalledOnce(), { timeout: 3_000 })
  expect(breaker.throwIfOpen).toThrow('The database does not answer')
  isAnswering = true
  await vi.waitFor(breaker.throwIfOpen)
  stop()
})

test('stays closed if this process was suspended for longer than a ping may take', async () => {
  let pingCount = 0
  const { breaker, abort, stop } = createBreaker(async () => {
    pingCount += 1
    await sleep(50)
    pauseProcess(1_500)
    await sleep(300)
    return true
  })
  await vi.waitFor(() => expect(pingCount).toBe(1), { timeout: 3_000 })
  await sleep(2_000)
  expect(abort).not.toHaveBeenCalled()
  breaker.throwIfOpen()
  stop()
})
