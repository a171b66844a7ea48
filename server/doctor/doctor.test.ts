import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { readMigrationTimes } from '../db/migrate.ts'
import { readBuild, VERSION } from '../lib/version.ts'
import {
  LOCALHOST_CERTIFICATE,
  EXPIRED_CERTIFICATE,
  OTHER_HOST_CERTIFICATE,
  PRIVATE_KEY,
} from '../test/certificates.ts'
import { setClock } from '../test/clock.ts'
import { startFakeTwilio } from '../test/fake-twilio.ts'
import { startMailServer } from '../test/mail-server.ts'
import { findFreePort } from '../test/real-server.ts'
import { dropDatabase, runQueries } from '../test/temporary-cluster.ts'
import { startTestServer, TEST_SETTINGS } from '../test/test-server.ts'
import { createConfiguredProvider } from '../texting/service.ts'
import { checkBackups } from './backups.ts'
import { checkDatabase, checkEmbeddedDatabase } from './database.ts'
import type { Finding } from './finding.ts'
import { compareBuilds, checkDataFolder, checkDisk, checkNode, checkPort } from './machine.ts'
import {
  checkAddress,
  checkMail,
  checkPushService,
  checkTexts,
  maySetUpAccounts,
} from './outside.ts'

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
const summarize = (finding: Finding | undefined) => `${finding?.state}: ${finding?.says}`
const respondAsTatami: RequestListener = (_, response) =>
  void response.setHeader('x-request-id', '1').end('{"status":"ok"}')
const respondAsOtherSite: RequestListener = (_, response) => void response.end('Welcome to nginx')

test('reports a Node that is too old', () => {
  expect(summarize(checkNode('20.11.0'))).toBe(
    'problem: This is Node 20.11.0, but Tatami needs 24 or newer.',
  )
  expect(checkNode('24.1.0').state).toBe('ok')
})

describe('checkPort', () => {
  test('distinguishes a free port from one that another program uses', async () => {
    const port = Number(await findFreePort())
    expect(await checkPort({ host: '127.0.0.1', port })).toMatchObject({
      isRunning: false,
      findings: [{ state: 'ok' }],
    })
    for (const server of [
      createServer((socket) => socket.destroy()),
      createHttpServer(respondAsOtherSite),
    ]) {
      const usedPort = await listen(server)
      const { findings, isRunning } = await checkPort({ host: '127.0.0.1', port: usedPort })
      expect([findings.map(summarize), isRunning]).toEqual([
        [`problem: Another program uses port ${usedPort} of 127.0.0.1.`],
        false,
      ])
      expect(findings[0]!.remedy).toContain(`sport = :${usedPort}`)
    }
  })
  test('reports a HOST that is not an address of this machine', async () => {
    const { findings } = await checkPort({ host: '192.0.2.1', port: 4999 })
    expect(findings.map(summarize)).toEqual([
      'problem: 192.0.2.1 is not an address of this machine.',
    ])
  })
  test('reports whether the running Tatami is ready, and whether it is older', async () => {
    let status = 200
    const port = await listen(
      createHttpServer((request, response) => {
        if (request.url === '/api/health/ready') response.statusCode = status
        respondAsTatami(request, response)
      }),
    )
    const olderFinding = `problem: The running server is older than the files here (Tatami ${VERSION}).`
    const readyServer = await checkPort({ host: '0.0.0.0', port })
    expect([readyServer.isRunning, ...readyServer.findings.map(summarize)]).toEqual([
      true,
      expect.stringMatching(/^ok: Tatami is running at/),
      olderFinding,
    ])
    status = 503
    const { findings } = await checkPort({ host: '127.0.0.1', port })
    expect(findings.map(summarize)).toEqual([
      expect.stringContaining('problem: Tatami is running at http://127.0.0.1'),
      olderFinding,
    ])
  })
  test('compares the version and files of the running server with those on disk', () => {
    const ownBuild = { version: '1.1.0', files: 'a1' }
    expect(
      [ownBuild, { version: '1.0.0', files: 'b2' }, { version: '1.1.0', files: 'b2' }].map(
        (runningBuild) => summarize(compareBuilds(runningBuild, ownBuild)),
      ),
    ).toEqual([
      'ok: The server runs the files here, Tatami 1.1.0.',
      'problem: The running server is Tatami 1.0.0, but the files here are Tatami 1.1.0.',
      'problem: The files here, also Tatami 1.1.0, have changed since the server started.',
    ])
    expect(compareBuilds({}, ownBuild).remedy).toMatch(
      /^Run "npm run backup", then restart the server: "systemctl restart tatami"/,
    )
  })
  test('the fingerprint of a build depends only on files that a server runs', () => {
    const root = join(folder, 'build')
    const write = (path: string, content: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
      return readBuild(root)
    }
    const firstBuild = write('package.json', '{"version":"1.1.0"}')
    expect(firstBuild).toEqual({ version: '1.1.0', files: expect.stringMatching(/^[0-9a-f]{16}$/) })
    for (const path of [
      'server/main.test.ts',
      'server/test/fixtures.ts',
      'server/node_modules/x/index.ts',
      'web/app/main.tsx',
      'README.md',
    ])
      expect(write(path, 'x')).toEqual(firstBuild)
    const fingerprints = new Set([firstBuild.files])
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

describe('the disk and its folders', () => {
  const disk = { freeBytes: 50e9, totalBytes: 100e9, freeFiles: 900, totalFiles: 1000 }
  test.each([
    [{ freeBytes: 1.5e9 }, 'warning: Only 1.5 GB of 100.0 GB free'],
    [{ freeBytes: 4e8 }, 'problem: Only 400 MB of 100.0 GB free'],
    [{ freeFiles: 5 }, 'problem: The disk of '],
    [{}, 'ok: 50.0 GB of 100.0 GB free'],
  ])('judges the free space of a disk with %o', async (changes, sentence) => {
    expect(
      summarize(
        await checkDisk(join(folder, 'not/there/yet'), async () => ({ ...disk, ...changes })),
      ),
    ).toContain(sentence)
  })

  test('reports a data folder, passwords and settings that other users can read', async () => {
    const dataDir = join(folder, 'data'),
      env = join(folder, '.env')
    expect((await checkDataFolder(dataDir)).map(summarize)).toEqual([
      `ok: ${dataDir} does not exist yet. The first start creates it.`,
    ])
    mkdirSync(dataDir, { mode: 0o700 })
    for (const file of [join(dataDir, 'postgres-passwords.json'), env])
      writeFileSync(file, '{}', { mode: 0o600 })
    expect((await checkDataFolder(dataDir, env)).map(summarize)).toEqual([
      `ok: Other users cannot open ${dataDir}.`,
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

  test('reports backups that are missing, old or unreadable', async () => {
    const backups = join(folder, 'backups')
    expect(summarize(await checkBackups(backups))).toBe(
      `warning: There are no backups in ${backups} yet.`,
    )
    mkdirSync(backups)
    writeFileSync(join(backups, 'unfinished.tmp'), 'x')
    expect((await checkBackups(backups)).state).toBe('warning')
    const file = join(backups, 'tatami-1.backup')
    writeFileSync(file, 'x')
    expect(summarize(await checkBackups(backups))).toBe(
      'ok: The newest backup, tatami-1.backup, is 0 hours old.',
    )
    const daysAgo = new Date(Date.now() - 5 * 86_400_000)
    utimesSync(file, daysAgo, daysAgo)
    expect(summarize(await checkBackups(backups))).toBe(
      'problem: The newest backup, tatami-1.backup, is 5 days old.',
    )
    expect((await checkBackups(file)).state).toBe('problem')
  })
})

describe('checkDatabase', async () => {
  const { databaseUrl, adminUrl } = await startTestServer()
  const changeUrl = (changes: object) => Object.assign(new URL(databaseUrl), changes).href
  const check = async (
    url: string,
    { isRunning = false, migrations = readMigrationTimes() } = {},
  ) => (await checkDatabase(url, { isRunning, migrations })).map(summarize)

  test('finds no problem in a database that is up to date', async () => {
    expect(await check(databaseUrl)).toEqual([
      expect.stringMatching(/^ok: PostgreSQL \d+\S* .*is up\.$/),
      `ok: All ${readMigrationTimes().length} migrations have run.`,
      "ok: This machine's clock agrees with the clock of the database.",
    ])
  })
  test('reports a database that is unreachable, missing or rejects the login', async () => {
    const unusedUrl = `postgresql://x@127.0.0.1:${await findFreePort()}/x`
    expect(await check(unusedUrl)).toEqual([
      expect.stringMatching(/^problem: No database answers at 127.0.0.1:\d+\.$/),
    ])
    expect(await check('postgresql://x@nowhere.invalid/x')).toEqual([
      'problem: The host name nowhere.invalid cannot be resolved.',
    ])
    expect(await check(changeUrl({ pathname: '/none_such' }))).toEqual([
      expect.stringContaining('problem: There is no database "none_such"'),
    ])
    const refusal = await checkDatabase(changeUrl({ username: 'tatami_unknown' }), {
      isRunning: false,
    })
    // If the cluster trusts local connections, the error is that there is no such role. Its code
    // also begins with 28.
    expect(refusal.map(summarize)).toEqual([
      expect.stringMatching(/^problem: The database at .* rejects the user tatami_unknown/),
    ])
  })
  test('reports tables of a newer, an unreleased or an older version', async () => {
    const times = readMigrationTimes()
    const laterTimes = [...times, Math.max(...times) + 1]
    expect((await check(databaseUrl, { migrations: times.slice(0, -1) }))[1]).toContain(
      'problem: The database belongs to a newer version of Tatami',
    )
    expect((await check(databaseUrl, { migrations: [laterTimes.at(-1)!] }))[1]).toContain(
      'problem: The tables come from an unreleased version of Tatami',
    )
    expect((await check(databaseUrl, { isRunning: true, migrations: laterTimes }))[1]).toContain(
      'problem: The running server is older than the files here',
    )
    expect((await check(databaseUrl, { migrations: laterTimes }))[1]).toBe(
      'ok: The next start will run 1 migration.',
    )
  })
  test('accepts an empty database', async () => {
    const name = `doctor_${process.pid}`
    await runQueries(adminUrl, `create database ${name}`)
    const emptyUrl = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
    expect((await check(emptyUrl))[1]).toBe(
      'ok: The database is empty. Tatami creates its tables at the first start.',
    )
    await dropDatabase(adminUrl, name)
  })
  test('reports a clock that differs from the clock of the database', async () => {
    setClock(new Date(Date.now() + 3_600_000).toISOString())
    expect((await check(databaseUrl))[2]).toBe(
      "problem: This machine's clock is 3600 seconds ahead of the clock of the database.",
    )
  })
  test('reports an embedded database that is unreadable or should be running', async () => {
    const dataDir = '/srv/tatami/data'
    const checkStates = async (
      state: 'none' | 'stopped' | 'unreadable',
      { isRunning = false } = {},
    ) =>
      (await checkEmbeddedDatabase({ dataDir, state }, { isRunning })).map(
        (finding) => finding.state,
      )
    expect([await checkStates('none'), await checkStates('stopped')]).toEqual([['ok'], ['ok']])
    expect([
      await checkStates('stopped', { isRunning: true }),
      await checkStates('unreadable'),
    ]).toEqual([['problem'], ['warning']])
  })
})

describe('checkAddress', () => {
  const settings = {
    publicUrl: 'http://127.0.0.1:3000',
    trustProxy: false as unknown,
    host: '127.0.0.1',
    isRunning: true,
  }
  const check = async (changes: Partial<Parameters<typeof checkAddress>[0]>) =>
    (await checkAddress({ ...settings, ...changes })).map(summarize)
  const startHttps = async (handler: RequestListener, cert = LOCALHOST_CERTIFICATE) =>
    `https://localhost:${await listen(createHttpsServer({ key: PRIVATE_KEY, cert }, handler))}`

  test('warns about a PUBLIC_URL without https', async () => {
    expect(await check({})).toEqual([
      expect.stringContaining(
        'warning: PUBLIC_URL is http://127.0.0.1:3000, which only this machine',
      ),
    ])
    expect(
      await check({ publicUrl: 'http://dojo.example', host: '0.0.0.0', trustProxy: 1 }),
    ).toEqual([
      expect.stringContaining(
        'warning: PUBLIC_URL is http://dojo.example, without https: others on ' +
          'the network can read passwords',
      ),
      expect.stringContaining(
        'warning: TRUST_PROXY is set, but 0.0.0.0 can be reached without the proxy',
      ),
    ])
  })
  test('checks the certificate and TRUST_PROXY', async () => {
    const publicUrl = await startHttps(respondAsTatami)
    expect(await check({ publicUrl, trustProxy: 1, ca: LOCALHOST_CERTIFICATE })).toEqual([
      expect.stringMatching(
        /^ok: https:\/\/localhost:\d+ reaches this server over https\. Its certificate/,
      ),
      expect.stringContaining('ok: TRUST_PROXY is set'),
    ])
    expect((await check({ publicUrl, ca: LOCALHOST_CERTIFICATE }))[1]).toContain(
      'problem: PUBLIC_URL is https, which needs a proxy',
    )
    // The test certificate expires in a few days.
    setClock('2126-10-25T00:00:00Z')
    expect((await check({ publicUrl, ca: LOCALHOST_CERTIFICATE }))[0]).toMatch(
      /^warning: The certificate of localhost expires in \d days?\.$/,
    )
  })
  test.each([
    [
      'problem: This machine does not trust the issuer of the certificate of localhost.',
      LOCALHOST_CERTIFICATE,
      undefined,
    ],
    [
      'problem: The certificate at localhost is for another name.',
      OTHER_HOST_CERTIFICATE,
      OTHER_HOST_CERTIFICATE,
    ],
    [
      'problem: The certificate of localhost has expired.',
      EXPIRED_CERTIFICATE,
      EXPIRED_CERTIFICATE,
    ],
  ])('%s', async (finding, cert, ca) => {
    const publicUrl = await startHttps(respondAsTatami, cert)
    expect((await check({ publicUrl, ...(ca && { ca }) }))[0]).toBe(finding)
  })
  test('reports why PUBLIC_URL does not reach Tatami', async () => {
    const respondBadGateway: RequestListener = (_, response) => void response.writeHead(502).end()
    const brokenUrl = await startHttps(respondBadGateway),
      otherUrl = await startHttps(respondAsOtherSite)
    expect((await check({ publicUrl: brokenUrl, ca: LOCALHOST_CERTIFICATE }))[0]).toContain(
      'cannot reach Tatami (502)',
    )
    expect(
      (await check({ publicUrl: brokenUrl, ca: LOCALHOST_CERTIFICATE, isRunning: false }))[0],
    ).toContain('responds with 502, because Tatami is not running')
    expect((await check({ publicUrl: otherUrl, ca: LOCALHOST_CERTIFICATE }))[0]).toContain(
      'problem: Something other than Tatami responds',
    )
    expect((await check({ publicUrl: `https://localhost:${await findFreePort()}` }))[0]).toContain(
      'problem: Nothing listens at localhost',
    )
    expect((await check({ publicUrl: 'https://nowhere.invalid' }))[0]).toBe(
      'problem: The host name nowhere.invalid cannot be resolved.',
    )
    const plainHttpPort = await listen(createHttpServer(respondAsTatami))
    expect((await check({ publicUrl: `https://localhost:${plainHttpPort}` }))[0]).toContain(
      'does not speak https',
    )
  })
})

describe('services that Tatami uses', () => {
  test('checks push services, and compares this machine’s clock with theirs', async () => {
    const respondWithDate =
      (date: string): RequestListener =>
      (_, response) =>
        void response.setHeader('date', date).end()
    const startPushService = async (date: string) => {
      const service = createHttpsServer(
        { key: PRIVATE_KEY, cert: LOCALHOST_CERTIFICATE },
        respondWithDate(date),
      )
      return `https://localhost:${await listen(service)}`
    }
    expect(
      (
        await checkPushService(
          await startPushService(new Date().toUTCString()),
          LOCALHOST_CERTIFICATE,
        )
      ).map(summarize),
    ).toEqual([
      'ok: Push services can be reached (localhost).',
      "ok: This machine's clock agrees with the clock of localhost.",
    ])
    const findings = await checkPushService(
      await startPushService(new Date(Date.now() + 600_000).toUTCString()),
      LOCALHOST_CERTIFICATE,
    )
    expect(summarize(findings[1])).toMatch(
      /^problem: This machine's clock is (599|600) seconds behind the clock of localhost\.$/,
    )
    const unreachableFindings = await checkPushService(`https://localhost:${await findFreePort()}`)
    expect(unreachableFindings.map(summarize)).toEqual([
      'warning: Push services cannot be reached (localhost: ECONNREFUSED).',
    ])
  })

  test('checks the mail server', async () => {
    expect((await checkMail(undefined)).state).toBe('warning')
    expect(summarize(await checkMail((await startMailServer()).smtpUrl))).toBe(
      'ok: The mail server 127.0.0.1 accepts mail from this machine.',
    )
    expect(summarize(await checkMail(`smtp://127.0.0.1:${await findFreePort()}`))).toContain(
      'problem: The mail server 127.0.0.1 cannot be used',
    )
    expect(summarize(await checkMail('smtp://nowhere.invalid:25'))).toContain(
      'problem: The host name of the mail server, nowhere.invalid',
    )
    const rejectingServer = new SMTPServer({
      logger: false,
      hideSTARTTLS: true,
      onAuth: (_, __, callback) => callback(new Error('no')),
    })
    const port = await listen(rejectingServer.server)
    expect(summarize(await checkMail(`smtp://a:b@127.0.0.1:${port}`))).toContain(
      'rejects the user or the password',
    )
  })

  test('checks the text service', async () => {
    let nextFault: Parameters<typeof startFakeTwilio>[0] = () => null
    const twilio = await startFakeTwilio((call, recipient) => nextFault!(call, recipient))
    const settings = { ...TEST_SETTINGS, ...twilio.settings(twilio.url) }
    const check = async (changes: object = {}) => {
      const provider = createConfiguredProvider({ ...settings, ...changes })
      return summarize(await checkTexts(provider, maySetUpAccounts(changes)))
    }
    expect(await check()).toContain('ok: Twilio accepts texts')
    expect(await check({ smsProvider: 'simulator' })).toContain('warning: Texts are simulated:')
    const withKeyOnly = {
      smsProvider: undefined,
      twilioAccountSid: undefined,
      secretsKey: 'k'.repeat(32),
    }
    expect(await check(withKeyOnly)).toContain('except for schools with their own Twilio account')
    expect(await check({ smsProvider: 'none' })).toContain('warning: SMS_PROVIDER is none')
    expect(await check({ twilioAuthToken: 'wrong' })).toBe(
      'problem: Twilio rejects the account or its token.',
    )
    expect(await check({ twilioFrom: '+15005550099' })).toContain(
      'problem: Twilio rejects the settings: ',
    )
    expect(await check({ twilioApiUrl: `http://127.0.0.1:${await findFreePort()}` })).toBe(
      'problem: Twilio cannot be reached.',
    )
    nextFault = () => 'broken-before'
    expect(await check()).toBe('problem: Twilio is down (503).')
    await twilio.close()
  })
})
