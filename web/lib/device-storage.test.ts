import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEVICE_DATABASE, deviceStorage } from './device-storage.ts'

const deleteDatabase = vi.fn<(name: string) => void>()

beforeEach(() => {
  const values = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  })
  vi.stubGlobal('indexedDB', { deleteDatabase })
  deviceStorage.setOwner('aiko')
  deleteDatabase.mockClear()
})
afterEach(() => vi.unstubAllGlobals())

test('keeps the data when the same account logs in, and deletes it when another logs in', () => {
  deviceStorage.setOwner('aiko')
  expect(deleteDatabase).not.toHaveBeenCalled()
  deviceStorage.setOwner('ken')
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith(DEVICE_DATABASE)
  expect(deviceStorage.owner()).toBe('ken')
})

test('deletes the database and the owner when it is cleared', () => {
  deviceStorage.clear()
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith(DEVICE_DATABASE)
  expect(deviceStorage.owner()).toBe('')
})
