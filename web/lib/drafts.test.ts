import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasDrafts } from './draft-storage.ts'

const TYPED = {
  dialog: 'enrol',
  subject: '',
  values: { name: 'Zoë', password: 'Secret-2026', retype_password: 'Secret-2026' },
}

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}
const at = (pathname: string, assign = () => {}) => vi.stubGlobal('location', { pathname, assign })

/** As after the page has been loaded, with somebody signed in. */
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
  at('/students')
})
afterEach(() => vi.unstubAllGlobals())

test('what stands in a form when the session ends is there for the same account on the same page, once, without its passwords', async () => {
  const before = await load('aiko')
  const close = before.drafts.register(() => TYPED)
  before.session.end()
  close()
  const { drafts } = await load('aiko')
  at('/dashboard')
  expect(drafts.subjectOf('enrol')).toBeUndefined()
  at('/students')
  expect([drafts.subjectOf('enrol'), drafts.subjectOf('settings')]).toEqual(['', undefined])
  expect(drafts.take('enrol', 'another')).toBeUndefined()
  expect(drafts.take('enrol', '')).toEqual({ name: 'Zoë' })
  expect(drafts.take('enrol', '')).toBeUndefined()
  expect(hasDrafts()).toBe(false)
})

test('a form that is as it was, or closed, leaves nothing', async () => {
  const { drafts, session } = await load('aiko')
  drafts.register(() => undefined)
  drafts.register(() => TYPED)()
  session.end()
  expect(hasDrafts()).toBe(false)
})

test('what is typed when a link is followed is there once one comes back to its page', async () => {
  const { drafts } = await load('aiko')
  const close = drafts.register(() => TYPED)
  drafts.keep()
  close()
  at('/students/1')
  const closeOther = drafts.register(() => ({
    dialog: 'text',
    subject: '1',
    values: { text: 'Hello' },
  }))
  drafts.keep()
  closeOther()
  expect([drafts.subjectOf('enrol'), drafts.subjectOf('text')]).toEqual([undefined, '1'])
  at('/students')
  expect(drafts.take('enrol', '')).toEqual({ name: 'Zoë' })
  expect(drafts.subjectOf('enrol')).toBeUndefined()
})

test('another account that signs in finds nothing, and neither does the first one afterwards', async () => {
  const before = await load('aiko')
  before.drafts.register(() => TYPED)
  before.session.end()
  expect(hasDrafts()).toBe(true)
  const other = await load('ben')
  expect(other.drafts.subjectOf('enrol')).toBeUndefined()
  const { drafts } = await load('aiko')
  expect(drafts.subjectOf('enrol')).toBeUndefined()
})

test('a log-out by hand keeps nothing', async () => {
  const { drafts, session } = await load('aiko')
  drafts.register(() => TYPED)
  session.leaveTo('/')
  expect(hasDrafts()).toBe(false)
  session.end()
  expect(hasDrafts()).toBe(true)
  drafts.clear()
  expect(hasDrafts()).toBe(false)
})
