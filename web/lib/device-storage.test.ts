import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A browser's storage: its keys are its own properties. */
const storage = () => {
  const kept: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => void delete kept[key],
  }
  return new Proxy(kept, { get: (_, name) => methods[name as keyof typeof methods] })
}
async function load(account: string) {
  vi.resetModules()
  const { deviceStorage, PENDING_RESULTS } = await import('./device-storage.ts')
  const { session } = await import('./session.ts')
  session.start('token')
  deviceStorage.setOwner(account)
  return { deviceStorage, session, PENDING_RESULTS }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('window', { addEventListener: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

test('what is stored is there after a reload for the same account, and gone for another', async () => {
  const before = await load('aiko')
  expect(before.deviceStorage.store('gradings', ['May'])).toBe(true)
  const after = await load('aiko')
  expect(after.deviceStorage.load('gradings')).toEqual(['May'])
  const other = await load('ken')
  expect(other.deviceStorage.load('gradings')).toBeUndefined()
})

test('when the session ends by itself only what is not at the server yet is kept', async () => {
  const { deviceStorage, session, PENDING_RESULTS } = await load('aiko')
  deviceStorage.store('gradings', ['May'])
  deviceStorage.store(PENDING_RESULTS, ['pass'])
  session.end()
  expect([deviceStorage.load('gradings'), deviceStorage.load(PENDING_RESULTS)]).toEqual([
    undefined,
    ['pass'],
  ])
})

test('a log-out leaves nothing', async () => {
  const { deviceStorage, PENDING_RESULTS } = await load('aiko')
  deviceStorage.store(PENDING_RESULTS, ['pass'])
  deviceStorage.clear()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('device:'))).toEqual([])
})

test('says where the browser has no room', async () => {
  const { deviceStorage } = await load('aiko')
  vi.stubGlobal('localStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect(deviceStorage.store('gradings', [])).toBe(false)
})
