import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import type { Email } from '../lib/mail.ts'
import { setClock } from '../test/clock.ts'
import { ADMIN } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { createNightlyBackups } from './nightly.ts'

const server = await startTestServer()
const otherServer = await server.openServer({ backupDir: null })
const databaseUrl = Object.assign(new URL(inject('cluster').adminUrl), {
  pathname: new URL(server.databaseUrl).pathname,
}).href
const base = mkdtempSync(join(tmpdir(), 'tatami-nightly-'))
afterAll(() => rmSync(base, { recursive: true }))
const folder = join(base, 'backups')

const emails: Email[] = []
const logLines: string[] = []
const createBackups = (targetFolder: string | null, { db }: Pick<typeof server, 'db'> = server) =>
  createNightlyBackups({
    db,
    databaseUrl,
    folder: targetFolder,
    mail: { isConfigured: true, send: (email) => void emails.push(email) },
    onFailure: (reason) => void logLines.push(reason),
  })
const signInSuperAdmin = async () => server.signInSuperAdmin()
const readStatus = async () => (await (await signInSuperAdmin()).get('/super-admin/backups')).body
const listWarnings = async () =>
  (
    (await (await signInSuperAdmin()).get('/notifications')).body as {
      title: string
      message: string
    }[]
  )
    .filter(({ title }) => title === 'Backup missing')
    .map(({ message }) => message)

// Nights are in the time zone of Chicago, where 8:00 UTC is 3 a.m. in summer.
test('makes one backup across all servers, at 3 a.m. after the installation', async () => {
  const [backups, otherBackups] = [createBackups(folder), createBackups(folder, otherServer)]
  const runJobsAt = async (instant: string) => {
    setClock(instant)
    await Promise.all([backups.runIfDue(), otherBackups.runIfDue(), backups.runIfDue()])
    await otherBackups.runIfDue()
  }
  expect(await readStatus()).toEqual({ is_on: true, is_late: false, last: null, failure: null })
  await runJobsAt('2027-06-10T08:00:30Z')
  const firstFile = 'tatami-nightly-2027-06-10T080030Z.zip'
  expect(readdirSync(folder)).toEqual([firstFile])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(await readStatus()).toEqual({
    is_on: true,
    is_late: false,
    last: {
      made_at: expect.stringMatching(/^2027-06-10T08:00:3/) as string,
      bytes: statSync(join(folder, firstFile)).size,
      file: join(folder, firstFile),
    },
    failure: null,
  })
  await runJobsAt('2027-06-11T07:59:00Z')
  expect(readdirSync(folder)).toEqual([firstFile])
  writeFileSync(
    join(folder, 'tatami-nightly-2027-06-11T070000Z.zip.part'),
    'of a server that was killed',
  )
  const earlierDays = [
    '2027-06-01',
    '2027-06-02',
    '2027-06-03',
    '2027-06-04',
    '2027-06-05',
    '2027-06-06',
    '2027-06-08',
    '2027-06-09',
  ]
  for (const day of earlierDays)
    writeFileSync(join(folder, `tatami-nightly-${day}T080000Z.zip`), '')
  await runJobsAt('2027-06-11T13:00:00Z')
  // The server keeps the newest seven backups, and deletes the file of the killed server.
  const days = ['04', '05', '06', '08', '09', '10', '11']
  expect(
    readdirSync(folder)
      .toSorted()
      .map((name) => name.slice(0, 'tatami-nightly-2027-06-11'.length)),
  ).toEqual(days.map((day) => `tatami-nightly-2027-06-${day}`))
  expect([emails, logLines, await listWarnings()]).toEqual([[], [], []])
})

test('reports a failure once, and retries every hour until a backup succeeds', async () => {
  writeFileSync(join(base, 'a-file'), '')
  const failingBackups = createBackups(join(base, 'a-file/backups'))
  for (const instant of ['2027-06-12T08:00:00Z', '2027-06-12T08:30:00Z', '2027-06-12T09:01:00Z']) {
    setClock(instant)
    await failingBackups.runIfDue()
  }
  const reason = `${base}/a-file/backups cannot be used: part of the path is a file, not a folder.`
  const message = `No backup was made last night. ${reason}`
  expect(await listWarnings()).toEqual([message])
  expect(emails).toEqual([
    { to: ADMIN.email, subject: 'Tatami: backup missing', text: `${message}\n` },
  ])
  expect(logLines).toEqual([reason, reason])
  expect(await readStatus()).toMatchObject({
    is_late: false,
    failure: { at: expect.stringMatching(/^2027-06-12T09:01/) as string, reason },
  })
  setClock('2027-06-13T02:00:00Z')
  expect(await readStatus()).toMatchObject({ is_late: true })
  await createBackups(folder).runIfDue()
  expect(await readStatus()).toMatchObject({
    is_late: false,
    last: { made_at: expect.stringMatching(/^2027-06-13T02:00/) as string },
    failure: null,
  })
})

test('reports once if no server makes backups anymore', async () => {
  emails.length = 0
  // The last backup was made at 2:00 on June 13, so 36 hours end at 14:00 on June 14.
  const disabledBackups = createBackups(null)
  for (const instant of [
    '2027-06-14T12:00:00Z',
    '2027-06-14T14:01:00Z',
    '2027-06-14T14:02:00Z',
    '2027-06-16T14:00:00Z',
  ]) {
    setClock(instant)
    await disabledBackups.runIfDue()
  }
  expect(emails.map(({ text }) => text)).toEqual(['No backup has been made for 36 hours.\n'])
  const statusReply = otherServer.http.inject({
    url: '/api/super-admin/backups',
    headers: { authorization: `Bearer ${(await signInSuperAdmin()).token}` },
  })
  expect((await statusReply).json()).toMatchObject({
    is_on: false,
    is_late: true,
    failure: { reason: 'No backup has been made for 36 hours.' },
  })
})

test('leaves no file if the server stops, and the next server makes the backup', async () => {
  setClock('2027-06-18T08:00:00Z')
  const stoppingBackups = createBackups(folder)
  const namesBefore = readdirSync(folder)
  const [blocker, watcher] = [
    new pg.Client({ connectionString: databaseUrl }),
    new pg.Client({ connectionString: databaseUrl }),
  ]
  for (const client of [blocker, watcher]) await client.connect()
  await blocker.query('begin; set local role tatami_owner; lock table vapid_keys')
  const interruptedBackup = stoppingBackups.runIfDue()
  const sessions =
    "select 1 from pg_stat_activity where application_name = 'tatami backup' and datname " +
    '= current_database()'
  const countSessions = async (condition: string) =>
    (await watcher.query(`${sessions} and ${condition}`)).rowCount
  await expect.poll(() => countSessions("wait_event_type = 'Lock'"), { timeout: 15_000 }).toBe(1)
  await stoppingBackups.stop()
  await interruptedBackup
  await blocker.end()
  // PostgreSQL notices the lost client only when the session stops waiting for the lock.
  await expect.poll(() => countSessions('true'), { timeout: 15_000 }).toBe(0)
  await watcher.end()
  expect(readdirSync(folder)).toEqual(namesBefore)
  await createBackups(folder).runIfDue()
  expect((await readStatus()).last.made_at).toMatch(/^2027-06-18T08:00/)
})
