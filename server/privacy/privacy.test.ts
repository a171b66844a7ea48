import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { retainedData } from '../retention.ts'
import { startTestServer } from '../test/test-server.ts'
import { buildPrivacyNotice } from './privacy.ts'

const settings = {
  retainedData,
  sendsTexts: true,
  sendsMail: true,
  makesBackups: true,
  logDays: 30,
}
const listRecipients = (changes: Partial<typeof settings>) =>
  buildPrivacyNotice({ ...settings, ...changes }).recipients.map(({ who }) => who)
const listKeptData = (changes: Partial<typeof settings>) =>
  buildPrivacyNotice({ ...settings, ...changes }).kept.map(({ what }) => what)

test('names a service only if the settings use it', () => {
  expect(listRecipients({})).toEqual([
    'Your school’s instructors',
    'Parents and guardians',
    'The people who run this server',
    'Twilio, which delivers text messages',
    'The mail service of this server',
    'The maker of your browser, if you turn on push notifications',
    'Nobody else',
  ])
  expect(listRecipients({ sendsTexts: false })).not.toContain(
    'Twilio, which delivers text messages',
  )
  expect(listRecipients({ sendsMail: false })).not.toContain('The mail service of this server')
  expect(listKeptData({})).toContain('Nightly backups of all of this')
  expect(listKeptData({ makesBackups: false })).not.toContain('Nightly backups of all of this')
})

test('says how many days data is kept, as the nightly job deletes it', async () => {
  const server = await startTestServer()
  const { status, body } = await server.anonymous.get('/privacy')
  expect(status).toBe(200)
  expect(body.kept).toContainEqual({
    what: 'Internet addresses that you have logged in from, since you last used them',
    how_long: '180 days',
  })
  expect(body.kept).toContainEqual({ what: 'Which browser got a notification', how_long: '1 day' })
  expect(retainedData.length).toBeGreaterThan(10)
})

test('says how long the log keeps the addresses of requests', async () => {
  const logEntry =
    'Requests to this server, in its log: when, for what, and from which internet address'
  expect(buildPrivacyNotice(settings).kept).toContainEqual({ what: logEntry, how_long: '30 days' })
  const server = await startTestServer()
  const { kept } = (await server.anonymous.get('/privacy')).body
  expect(kept).toContainEqual({ what: logEntry, how_long: '92 days' })
})

test('says what is kept for as long as the school exists', () => {
  const { kept } = buildPrivacyNotice(settings)
  const findDuration = (purpose: string) => kept.find((row) => row.what === purpose)?.how_long
  expect(findDuration('Payments')).toContain('methods and receipt numbers stay')
  expect(findDuration('That a student left')).toContain(
    'the month, the belt and the month of joining',
  )
  expect(findDuration('Who changed what, and when')).toContain('as long as the school exists')
  expect(findDuration('Who changed what, and when')).toContain('It shows the names of people')
  expect(kept.map(({ what }) => what)).toContain('Test texts, which were never sent')
})

test('says the same numbers of days as the security document', () => {
  const table = readFileSync('docs/SECURITY.md', 'utf8')
  const dayCounts = [...table.matchAll(/^\| [^|]+ \| (\d+) \|$/gm)].map(([, days]) => Number(days))
  for (const { days } of retainedData) expect(dayCounts).toContain(days)
})
