import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { migrationTimes } from '../db/migrate.ts'
import { copyOnDisk, VERSION } from '../lib/version.ts'
import {
  CERTIFICATE,
  EXPIRED_CERTIFICATE,
  OTHER_NAMES_CERTIFICATE,
  TEST_KEY,
} from '../test/certificates.ts'
import { setClock } from '../test/clock.ts'
import { startFakeTwilio } from '../test/fake-twilio.ts'
import { startMailServer } from '../test/mail-server.ts'
import { findFreePort } from '../test/real-server.ts'
import { dropDatabase, runQueries } from '../test/temporary-cluster.ts'
import { startTestServer, TEST_SETTINGS } from '../test/test-server.ts'
import { configuredProvider } from '../texting/service.ts'
import { checkBackups } from './backups.ts'
import { checkDatabase, checkEmbeddedDatabase } from './database.ts'
import type { Finding } from './finding.ts'
import { checkCopy, checkDataFolder, checkDisk, checkNode, checkPort } from './machine.ts'
import { checkAddress, checkMail, checkPushService, checkTexts } from './outside.ts'

const folder = mkdtempSync(join(tmpdir(), 'tatami-doctor-'))
const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const wordsOf = (finding: Finding | undefined) => `${finding?.state}: ${finding?.says}`
const live: RequestListener = (_, response) =>
  void response.setHeader('x-request-id', '1').end('{"status":"ok"}')
const otherSite: RequestListener = (_, response) => void response.end('Welcome to nginx')

test('names an old Node', () => {
  expect(wordsOf(checkNode('20.11.0'))).toBe(
    'problem: This is Node 20.11.0, and Tatami needs 24 or newer.',
  )
  expect(checkNode('24.1.0').state).toBe('ok')
})

describe('the port', () => {
  test('is free, or taken by another program', async () => {
    const port = Number(await findFreePort())
    expect(await checkPort({ host: '127.0.0.1', port })).toMatchObject({
      isRunning: false,
      findings: [{ state: 'ok' }],
    })
    for (const server of [
      createServer((socket) => socket.destroy()),
      createHttpServer(otherSite),
    ]) {
      const usedPort = await listen(server)
      const { findings, isRunning } = await checkPort({ host: '127.0.0.1', port: usedPort })
      expect([findings.map(wordsOf), isRunning]).toEqual([
        [`problem: Another program has port ${usedPort} of 127.0.0.1.`],
        false,
      ])
      expect(findings[0]!.remedy).toContain(`sport = :${usedPort}`)
    }
  })
  test('is on no address of this machine', async () => {
    const { findings } = await checkPort({ host: '192.0.2.1', port: 4999 })
    expect(findings.map(wordsOf)).toEqual(['problem: 192.0.2.1 is no address of this machine.'])
  })
  test('has a Tatami that is ready, or is not', async () => {
    let status = 200
    const port = await listen(
      createHttpServer((request, response) => {
        if (request.url === '/api/health/ready') response.statusCode = status
        live(request, response)
      }),
    )
    const older =
      'problem: The server that runs is older than the files here, which are Tatami ' +
      `${VERSION}.`
    const ready = await checkPort({ host: '0.0.0.0', port })
    expect([ready.isRunning, ...ready.findings.map(wordsOf)]).toEqual([
      true,
      expect.stringMatching(/^ok: Tatami runs at/),
      older,
    ])
    status = 503
    const { findings } = await checkPort({ host: '127.0.0.1', port })
    expect(findings.map(wordsOf)).toEqual([
      expect.stringContaining('problem: Tatami runs at http://127.0.0.1'),
      older,
    ])
  })
  test('has a Tatami of the files here, of another version, or of files that have changed', () => {
    const ownCopy = { version: '1.1.0', files: 'a1' }
    expect(
      [ownCopy, { version: '1.0.0', files: 'b2' }, { version: '1.1.0', files: 'b2' }].map(
        (running) => wordsOf(checkCopy(running, ownCopy)),
      ),
    ).toEqual([
      'ok: The server that runs is of the files here, Tatami 1.1.0.',
      'problem: The server that runs is Tatami 1.0.0, and the files here are Tatami 1.1.0.',
      'problem: The files here have changed since the server started; both are Tatami 1.1.0.',
    ])
    expect(checkCopy({}, ownCopy).remedy).toMatch(
      /^Restart it, after "npm run backup": "systemctl restart tatami"/,
    )
  })
  test('knows a copy by every file that a server runs, and by no other', () => {
    const root = join(folder, 'copy')
    const write = (path: string, content: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
      return copyOnDisk(root)
    }
    const first = write('package.json', '{"version":"1.1.0"}')
    expect(first).toEqual({ version: '1.1.0', files: expect.stringMatching(/^[0-9a-f]{16}$/) })
    for (const path of [
      'server/main.test.ts',
      'server/test/fixtures.ts',
      'server/node_modules/x/index.ts',
      'web/app/main.tsx',
      'README.md',
    ])
      expect(write(path, 'x')).toEqual(first)
    const fingerprints = new Set([first.files])
    for (const path of [
      'server/main.ts',
      'server/db/migrations/0000_a.sql',
      'contract/api.ts',
      'postgres/start.ts',
      'package-lock.json',
    ])
      fingerprints.add(write(path, 'x').files)
    expect(fingerprints.size).toBe(6)
  })
})

describe('the machine', () => {
  const disk = { freeBytes: 50e9, totalBytes: 100e9, freeFiles: 900, totalFiles: 1000 }
  test.each([
    [{ freeBytes: 1.5e9 }, 'warning: Only 1.5 GB of 100.0 GB are free'],
    [{ freeBytes: 4e8 }, 'problem: Only 400 MB of 100.0 GB are free'],
    [{ freeFiles: 5 }, 'problem: The disk of '],
    [{}, 'ok: 50.0 GB of 100.0 GB are free'],
  ])('names a disk with %o', async (changes, words) => {
    expect(
      wordsOf(
        await checkDisk(join(folder, 'not/there/yet'), async () => ({ ...disk, ...changes })),
      ),
    ).toContain(words)
  })

  test('names a data folder, passwords and settings that others may read', async () => {
    const dataDir = join(folder, 'data'),
      env = join(folder, '.env')
    expect((await checkDataFolder(dataDir)).map(wordsOf)).toEqual([
      `ok: ${dataDir} does not exist yet; the first start makes it.`,
    ])
    mkdirSync(dataDir, { mode: 0o700 })
    for (const file of [join(dataDir, 'postgres-passwords.json'), env])
      writeFileSync(file, '{}', { mode: 0o600 })
    expect((await checkDataFolder(dataDir, env)).map(wordsOf)).toEqual([
      `ok: ${dataDir} is closed to other users.`,
    ])
    chmodSync(dataDir, 0o755)
    chmodSync(join(dataDir, 'postgres-passwords.json'), 0o644)
    chmodSync(env, 0o604)
    const findings = await checkDataFolder(dataDir, env)
    expect(findings.map(({ state, remedy }) => [state, remedy])).toEqual([
      ['problem', `chmod o-rwx,g-w ${dataDir}`],
      ['problem', `chmod o-rwx ${join(dataDir, 'postgres-passwords.json')}`],
      ['problem', `chmod o-rwx ${env}`],
    ])
  })

  test('names backups that are missing, old or out of reach', async () => {
    const backups = join(folder, 'backups')
    expect(wordsOf(await checkBackups(backups))).toBe(`warning: There is none yet in ${backups}.`)
    mkdirSync(backups)
    writeFileSync(join(backups, 'unfinished.tmp'), 'x')
    expect((await checkBackups(backups)).state).toBe('warning')
    const file = join(backups, 'tatami-1.backup')
    writeFileSync(file, 'x')
    expect(wordsOf(await checkBackups(backups))).toBe(
      'ok: The newest, tatami-1.backup, is 0 hours old.',
    )
    const daysAgo = new Date(Date.now() - 5 * 86_400_000)
    utimesSync(file, daysAgo, daysAgo)
    expect(wordsOf(await checkBackups(backups))).toBe(
      'problem: The newest backup, tatami-1.backup, is 5 days old.',
    )
    expect((await checkBackups(file)).state).toBe('problem')
  })
})

describe('the database', async () => {
  const { databaseUrl, adminUrl } = await startTestServer()
  const changedUrl = (changes: object) => Object.assign(new URL(databaseUrl), changes).href
  const check = async (url: string, isRunning = false, migrations = migrationTimes()) =>
    (await checkDatabase(url, { isRunning, migrations })).map(wordsOf)

  test('is as it should be', async () => {
    expect(await check(databaseUrl)).toEqual([
      expect.stringMatching(/^ok: PostgreSQL \d+\S* .*answers\.$/),
      `ok: All ${migrationTimes().length} are done.`,
      "ok: This machine's clock agrees with that of the database.",
    ])
  })
  test('cannot be reached, does not let in, or is not there', async () => {
    const unusedUrl = `postgresql://x@127.0.0.1:${await findFreePort()}/x`
    expect(await check(unusedUrl)).toEqual([
      expect.stringMatching(/^problem: Nothing answers as a database at 127.0.0.1:\d+\.$/),
    ])
    expect(await check('postgresql://x@nowhere.invalid/x')).toEqual([
      'problem: The name nowhere.invalid has no address.',
    ])
    expect(await check(changedUrl({ pathname: '/none_such' }))).toEqual([
      expect.stringContaining('problem: There is no database "none_such"'),
    ])
    const refusal = await checkDatabase(changedUrl({ username: 'tatami_nobody' }), {
      isRunning: false,
    })
    // A cluster that trusts its socket says that there is no such role, by the same class of code.
    expect(refusal.map(wordsOf)).toEqual([
      expect.stringMatching(/^problem: The database at .* does not accept tatami_nobody/),
    ])
  })
  test('is of a newer version, or of an older one than the code', async () => {
    const times = migrationTimes()
    const laterTimes = [...times, Math.max(...times) + 1]
    expect((await check(databaseUrl, false, times.slice(0, -1)))[1]).toContain(
      'problem: The database is of a newer version of Tatami',
    )
    expect((await check(databaseUrl, false, [laterTimes.at(-1)!]))[1]).toContain(
      'problem: A version of Tatami that was never released has changed the tables',
    )
    expect((await check(databaseUrl, true, laterTimes))[1]).toContain(
      'problem: The server that runs is older than this copy',
    )
    expect((await check(databaseUrl, false, laterTimes))[1]).toBe(
      'ok: 1 migrations are not done yet; the next start does them.',
    )
  })
  test('is empty', async () => {
    const name = `doctor_${process.pid}`
    await runQueries(adminUrl, `create database ${name}`)
    const empty = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
    expect((await check(empty))[1]).toBe('ok: The database is empty; the first start fills it.')
    await dropDatabase(adminUrl, name)
  })
  test('has another clock', async () => {
    setClock(new Date(Date.now() + 3_600_000).toISOString())
    expect((await check(databaseUrl))[2]).toBe(
      "problem: This machine's clock is 3600 seconds ahead of that of the database.",
    )
  })
  test('is the embedded one, which stops and starts with the server', async () => {
    const dataDir = '/srv/tatami/data'
    const findingFor = async (state: 'none' | 'stopped' | 'unreadable', isRunning: boolean) =>
      (await checkEmbeddedDatabase({ dataDir, state }, { isRunning })).map(({ state: is }) => is)
    expect([await findingFor('none', false), await findingFor('stopped', false)]).toEqual([
      ['ok'],
      ['ok'],
    ])
    expect([await findingFor('stopped', true), await findingFor('unreadable', false)]).toEqual([
      ['problem'],
      ['warning'],
    ])
  })
})

describe('the way in', () => {
  const way = {
    publicUrl: 'http://127.0.0.1:3000',
    trustProxy: false as unknown,
    host: '127.0.0.1',
    isRunning: true,
  }
  const check = async (changes: Partial<Parameters<typeof checkAddress>[0]>) =>
    (await checkAddress({ ...way, ...changes })).map(wordsOf)
  const https = async (handler: RequestListener, cert = CERTIFICATE) =>
    `https://localhost:${await listen(createHttpsServer({ key: TEST_KEY, cert }, handler))}`

  test('has no https', async () => {
    expect(await check({})).toEqual([
      expect.stringContaining(
        'warning: PUBLIC_URL is http://127.0.0.1:3000, which only this machine',
      ),
    ])
    expect(
      await check({ publicUrl: 'http://dojo.example', host: '0.0.0.0', trustProxy: 1 }),
    ).toEqual([
      expect.stringContaining(
        'warning: PUBLIC_URL is http://dojo.example, without https: passwords can be ' +
          'read on the way',
      ),
      expect.stringContaining(
        'warning: TRUST_PROXY is set, and 0.0.0.0 can be reached without the proxy',
      ),
    ])
  })
  test('leads here, and knows who comes', async () => {
    const publicUrl = await https(live)
    expect(await check({ publicUrl, trustProxy: 1, ca: CERTIFICATE })).toEqual([
      expect.stringMatching(
        /^ok: https:\/\/localhost:\d+ leads here, over https, with a certificate/,
      ),
      expect.stringContaining('ok: TRUST_PROXY is set'),
    ])
    expect((await check({ publicUrl, ca: CERTIFICATE }))[1]).toContain(
      'problem: PUBLIC_URL is https, so a proxy is in front',
    )
    setClock('2126-10-25T00:00:00Z')
    expect((await check({ publicUrl, ca: CERTIFICATE }))[0]).toMatch(
      /^warning: The certificate of localhost is valid for \d more days\.$/,
    )
  })
  test.each([
    [
      'problem: The certificate of localhost is from an authority that this machine does not know.',
      CERTIFICATE,
      undefined,
    ],
    [
      'problem: The certificate at localhost is for another name.',
      OTHER_NAMES_CERTIFICATE,
      OTHER_NAMES_CERTIFICATE,
    ],
    [
      'problem: The certificate of localhost has expired.',
      EXPIRED_CERTIFICATE,
      EXPIRED_CERTIFICATE,
    ],
  ])('%s', async (words, cert, ca) => {
    expect((await check({ publicUrl: await https(live, cert), ...(ca && { ca }) }))[0]).toBe(words)
  })
  test('ends before it gets here', async () => {
    const away: RequestListener = (_, response) => void response.writeHead(502).end()
    const broken = await https(away),
      otherUrl = await https(otherSite)
    expect((await check({ publicUrl: broken, ca: CERTIFICATE }))[0]).toContain(
      'does not reach Tatami (502)',
    )
    expect((await check({ publicUrl: broken, ca: CERTIFICATE, isRunning: false }))[0]).toContain(
      'answers 502: Tatami does not run',
    )
    expect((await check({ publicUrl: otherUrl, ca: CERTIFICATE }))[0]).toContain(
      'problem: Something else than Tatami answers',
    )
    expect((await check({ publicUrl: `https://localhost:${await findFreePort()}` }))[0]).toContain(
      'problem: Nothing listens at localhost',
    )
    expect((await check({ publicUrl: 'https://nowhere.invalid' }))[0]).toBe(
      'problem: The name nowhere.invalid has no address.',
    )
    const plain = await listen(createHttpServer(live))
    expect((await check({ publicUrl: `https://localhost:${plain}` }))[0]).toContain(
      'does not speak https',
    )
  })
})

describe('the way out', () => {
  test('to push services, which know the time', async () => {
    const answerDated =
      (date: string): RequestListener =>
      (_, response) =>
        void response.setHeader('date', date).end()
    const url = async (date: string) =>
      `https://localhost:${await listen(createHttpsServer({ key: TEST_KEY, cert: CERTIFICATE }, answerDated(date)))}`
    expect(
      (await checkPushService(await url(new Date().toUTCString()), CERTIFICATE)).map(wordsOf),
    ).toEqual([
      'ok: Push services can be reached (localhost).',
      "ok: This machine's clock agrees with that of localhost.",
    ])
    const lateFinding = await checkPushService(
      await url(new Date(Date.now() + 600_000).toUTCString()),
      CERTIFICATE,
    )
    expect(wordsOf(lateFinding[1])).toMatch(
      /^problem: This machine's clock is (599|600) seconds behind that of localhost\.$/,
    )
    const unreachable = await checkPushService(`https://localhost:${await findFreePort()}`)
    expect(unreachable.map(wordsOf)).toEqual([
      'warning: Push services cannot be reached (localhost: ECONNREFUSED).',
    ])
  })

  test('to the mail server', async () => {
    expect((await checkMail(undefined)).state).toBe('warning')
    expect(wordsOf(await checkMail((await startMailServer()).smtpUrl))).toBe(
      'ok: The mail server 127.0.0.1 takes mail from here.',
    )
    expect(wordsOf(await checkMail(`smtp://127.0.0.1:${await findFreePort()}`))).toContain(
      'problem: The mail server 127.0.0.1 cannot be used',
    )
    expect(wordsOf(await checkMail('smtp://nowhere.invalid:25'))).toContain(
      'problem: The name of the mail server, nowhere.invalid',
    )
    const strict = new SMTPServer({
      logger: false,
      hideSTARTTLS: true,
      onAuth: (_, __, callback) => callback(new Error('no')),
    })
    const port = await listen(strict.server)
    expect(wordsOf(await checkMail(`smtp://a:b@127.0.0.1:${port}`))).toContain(
      'does not accept the user and password',
    )
  })

  test('to the text service', async () => {
    let fault: Parameters<typeof startFakeTwilio>[0] = () => null
    const twilio = await startFakeTwilio((call, recipient) => fault!(call, recipient))
    const settings = { ...TEST_SETTINGS, ...twilio.settings(twilio.url) }
    const check = async (changes: object = {}) =>
      wordsOf(await checkTexts(configuredProvider({ ...settings, ...changes })))
    expect(await check()).toContain('ok: Twilio takes texts')
    expect(await check({ smsProvider: 'simulator' })).toContain('warning: Texts are simulated')
    expect(await check({ smsProvider: 'none' })).toContain('warning: SMS_PROVIDER is none')
    expect(await check({ twilioAuthToken: 'wrong' })).toBe(
      'problem: Twilio does not accept the account and its token.',
    )
    expect(await check({ twilioFrom: '+15005550099' })).toContain('problem: Twilio refuses: ')
    expect(await check({ twilioApiUrl: `http://127.0.0.1:${await findFreePort()}` })).toBe(
      'problem: Twilio cannot be reached.',
    )
    fault = () => 'broken-before'
    expect(await check()).toBe('problem: Twilio is out of order (503).')
    await twilio.close()
  })
})
