import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasDrafts } from './draft-storage.ts'

const TYPED_VALUES = {
  dialog: 'enroll',
  subject: '',
  values: { name: 'Zoë', password: 'Secret-2026', retype_password: 'Secret-2026' },
}

const storage = () => {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}
const goTo = (pathname: string, assign = () => {}) =>
  vi.stubGlobal('location', { pathname, assign })

async function load(account: string) {
  vi.resetModules()
  const { drafts } = await import('./drafts.ts')
  const { session } = await import('./session.ts')
  session.start('token')
  drafts.setOwner(account)
  return { drafts, session }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('window', { addEventListener: () => {} })
  goTo('/students')
})
afterEach(() => vi.unstubAllGlobals())

test('a form is restored once, for the same account and page, without its passwords', async () => {
  const storedDrafts = await load('aiko')
  const close = storedDrafts.drafts.register(() => TYPED_VALUES)
  storedDrafts.session.end()
  close()
  const { drafts } = await load('aiko')
  goTo('/dashboard')
  expect(drafts.subjectOf('enroll')).toBeUndefined()
  goTo('/students')
  expect([drafts.subjectOf('enroll'), drafts.subjectOf('settings')]).toEqual(['', undefined])
  expect(drafts.take('enroll', 'another')).toBeUndefined()
  expect(drafts.take('enroll', '')).toEqual({ name: 'Zoë' })
  expect(drafts.take('enroll', '')).toBeUndefined()
  expect(hasDrafts()).toBe(false)
})

test('a form that is as it was, or closed, leaves nothing', async () => {
  const { drafts, session } = await load('aiko')
  drafts.register(() => undefined)
  drafts.register(() => TYPED_VALUES)()
  session.end()
  expect(hasDrafts()).toBe(false)
})

test('what is typed when a link is followed is there once one comes back to its page', async () => {
  const { drafts } = await load('aiko')
  const close = drafts.register(() => TYPED_VALUES)
  drafts.storeOpenForms()
  close()
  goTo('/students/1')
  const closeOther = drafts.register(() => ({
    dialog: 'text',
    subject: '1',
    values: { text: 'Hello' },
  }))
  drafts.storeOpenForms()
  closeOther()
  expect([drafts.subjectOf('enroll'), drafts.subjectOf('text')]).toEqual([undefined, '1'])
  goTo('/students')
  expect(drafts.take('enroll', '')).toEqual({ name: 'Zoë' })
  expect(drafts.subjectOf('enroll')).toBeUndefined()
})

test('another account finds nothing, and neither does the first one afterwards', async () => {
  const storedDrafts = await load('aiko')
  storedDrafts.drafts.register(() => TYPED_VALUES)
  storedDrafts.session.end()
  expect(hasDrafts()).toBe(true)
  const otherForm = await load('ben')
  expect(otherForm.drafts.subjectOf('enroll')).toBeUndefined()
  const { drafts } = await load('aiko')
  expect(drafts.subjectOf('enroll')).toBeUndefined()
})

test('a log-out by hand keeps nothing', async () => {
  const { drafts, session } = await load('aiko')
  drafts.register(() => TYPED_VALUES)
  session.leaveTo('/')
  expect(hasDrafts()).toBe(false)
  session.end()
  expect(hasDrafts()).toBe(true)
  drafts.clear()
  expect(hasDrafts()).toBe(false)
})
