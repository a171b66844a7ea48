import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasDrafts } from './draft-storage.ts'

const DRAFT = {
  dialog: 'enroll',
  subject: '',
  values: { name: 'Zoë', password: 'Secret-2026', retype_password: 'Secret-2026' },
}

const createStorage = () => {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}
const goTo = (pathname: string, assign = () => {}) =>
  vi.stubGlobal('location', { pathname, assign })

async function openPage(account: string) {
  vi.resetModules()
  const { drafts } = await import('./drafts.ts')
  const { session } = await import('./session.ts')
  session.start('token')
  drafts.setOwner(account)
  return { drafts, session }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', createStorage())
  vi.stubGlobal('sessionStorage', createStorage())
  vi.stubGlobal('window', { addEventListener: () => {} })
  goTo('/students')
})
afterEach(() => vi.unstubAllGlobals())

test('restores a form once, for the same account and page, without its passwords', async () => {
  const firstPage = await openPage('aiko')
  const close = firstPage.drafts.register(() => DRAFT)
  firstPage.session.end()
  close()
  const { drafts } = await openPage('aiko')
  goTo('/dashboard')
  expect(drafts.subjectOf('enroll')).toBeUndefined()
  goTo('/students')
  expect([drafts.subjectOf('enroll'), drafts.subjectOf('settings')]).toEqual(['', undefined])
  expect(drafts.take('enroll', 'another')).toBeUndefined()
  expect(drafts.take('enroll', '')).toEqual({ name: 'Zoë' })
  expect(drafts.take('enroll', '')).toBeUndefined()
  expect(hasDrafts()).toBe(false)
})

test('does not keep drafts of forms that are unchanged or closed', async () => {
  const { drafts, session } = await openPage('aiko')
  drafts.register(() => undefined)
  drafts.register(() => DRAFT)()
  session.end()
  expect(hasDrafts()).toBe(false)
})

test('restores a form after following a link, but only on the page of the form', async () => {
  const { drafts } = await openPage('aiko')
  const close = drafts.register(() => DRAFT)
  drafts.storeOpenForms()
  close()
  goTo('/students/1')
  const closeTextForm = drafts.register(() => ({
    dialog: 'text',
    subject: '1',
    values: { text: 'Hello' },
  }))
  drafts.storeOpenForms()
  closeTextForm()
  expect([drafts.subjectOf('enroll'), drafts.subjectOf('text')]).toEqual([undefined, '1'])
  goTo('/students')
  expect(drafts.take('enroll', '')).toEqual({ name: 'Zoë' })
  expect(drafts.subjectOf('enroll')).toBeUndefined()
})

test('stores an open form with the page it opened on, without its tokens', async () => {
  const { drafts } = await openPage('aiko')
  goTo('/sms-setup')
  const close = drafts.register(() => ({
    dialog: 'twilio-account',
    subject: '',
    values: { account_sid: 'AC1', auth_token: 'secret' },
  }))
  goTo('/message-center')
  drafts.storeOpenForms()
  close()
  expect(drafts.take('twilio-account', '')).toBeUndefined()
  goTo('/sms-setup')
  expect(drafts.take('twilio-account', '')).toEqual({ account_sid: 'AC1' })
})

test('deletes the drafts when another account logs in', async () => {
  const firstPage = await openPage('aiko')
  firstPage.drafts.register(() => DRAFT)
  firstPage.session.end()
  expect(hasDrafts()).toBe(true)
  const otherPage = await openPage('ben')
  expect(otherPage.drafts.subjectOf('enroll')).toBeUndefined()
  const { drafts } = await openPage('aiko')
  expect(drafts.subjectOf('enroll')).toBeUndefined()
})

test('does not keep drafts when the user logs out', async () => {
  const { drafts, session } = await openPage('aiko')
  drafts.register(() => DRAFT)
  session.leaveTo('/')
  expect(hasDrafts()).toBe(false)
})

test('deletes the drafts when they are cleared', async () => {
  const { drafts, session } = await openPage('aiko')
  drafts.register(() => DRAFT)
  session.end()
  expect(hasDrafts()).toBe(true)
  drafts.clear()
  expect(hasDrafts()).toBe(false)
})
