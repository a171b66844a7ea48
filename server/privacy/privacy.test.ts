import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { retainedData } from '../retention.ts'
import { startTestServer } from '../test/test-server.ts'
import { privacyNotice } from './privacy.ts'

const settings = {
  retainedData,
  sendsTexts: true,
  sendsMail: true,
  makesBackups: true,
  logDays: 30,
}
const recipients = (changes: Partial<typeof settings>) =>
  privacyNotice({ ...settings, ...changes }).recipients.map(({ who }) => who)
const keptData = (changes: Partial<typeof settings>) =>
  privacyNotice({ ...settings, ...changes }).kept.map(({ what }) => what)

test('names a service only if the settings use it', () => {
  expect(recipients({})).toEqual([
    'Your school’s instructors',
    'Parents and guardians',
    'The people who run this server',
    'Twilio, which delivers text messages',
    'The mail service of this server',
    'The maker of your browser, if you turn on push notifications',
    'Nobody else',
  ])
  expect(recipients({ sendsTexts: false })).not.toContain('Twilio, which delivers text messages')
  expect(recipients({ sendsMail: false })).not.toContain('The mail service of this server')
  expect(keptData({})).toContain('Nightly backups of all of this')
  expect(keptData({ makesBackups: false })).not.toContain('Nightly backups of all of this')
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
  const logPurpose =
    'Requests to this server, in its log: when, for what, and from which internet address'
  expect(privacyNotice(settings).kept).toContainEqual({ what: logPurpose, how_long: '30 days' })
  const server = await startTestServer()
  const { kept } = (await server.anonymous.get('/privacy')).body
  expect(kept).toContainEqual({ what: logPurpose, how_long: '92 days' })
})

test('says what is kept for as long as the school exists', () => {
  const { kept } = privacyNotice(settings)
  const howLong = (purpose: string) => kept.find((row) => row.what === purpose)?.how_long
  expect(howLong('Payments')).toContain('methods and receipt numbers stay')
  expect(howLong('That a student left')).toContain('the month, the belt and the month of joining')
  expect(howLong('Who changed what, and when')).toContain('as long as the school exists')
  expect(howLong('Who changed what, and when')).toContain('It shows the names of people')
  expect(kept.map(({ what }) => what)).toContain('Test texts, which were never sent')
})

test('the security document has the same numbers of days', () => {
  const table = readFileSync('docs/SECURITY.md', 'utf8')
  const dayCounts = [...table.matchAll(/^\| [^|]+ \| (\d+) \|$/gm)].map(([, days]) => Number(days))
  for (const { days } of retainedData) expect(dayCounts).toContain(days)
})
