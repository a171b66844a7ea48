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
  const { deviceStorage } = await import('./device-storage.ts')
  const { clearCopies } = await import('./device-database.ts')
  deviceStorage.setOwner(account)
  return { deviceStorage, clearCopies }
}
const stored = () => Object.keys(localStorage).filter((key) => key.startsWith('device:'))

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('window', { addEventListener: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

/** What version 1.0.0 left in local storage. */
function leaveFormer() {
  localStorage.setItem('device:gradings', '["May"]')
  localStorage.setItem('device:pending-results', '["pass"]')
}

test('what is stored stays for the same account, and is gone for another', async () => {
  await load('aiko')
  leaveFormer()
  const { deviceStorage } = await load('aiko')
  expect([deviceStorage.owner(), stored().length]).toEqual(['aiko', 3])
  const other = await load('ken')
  expect([other.deviceStorage.owner(), stored()]).toEqual(['ken', ['device:owner']])
})

test('when the session ends by itself only what is not at the server yet is kept', async () => {
  const { clearCopies } = await load('aiko')
  leaveFormer()
  await clearCopies()
  expect(stored()).toEqual(['device:owner', 'device:pending-results'])
})

test('a log-out leaves nothing', async () => {
  const { deviceStorage } = await load('aiko')
  leaveFormer()
  deviceStorage.clear()
  expect(stored()).toEqual([])
})
