import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'

/** This repository's application, so that tests run as root create no other system user. */
const APPLICATION = { name: 'Ledger', id: 'tatami' }

vi.setConfig({ testTimeout: 60_000 })
const base = mkdtempSync(join(tmpdir(), 'embedded-postgres-'))
chmodSync(base, 0o755)
const runningClusters = new Set<EmbeddedPostgres<'clerk'>>()
const children = new Set<ChildProcess>()
const logLines: string[] = []

async function start(dataDir: string, { mayRelocate = false } = {}) {
  const database = await startEmbeddedPostgres({
    application: APPLICATION,
    dataDir,
    mayRelocate,
    database: 'ledger',
    roles: ['clerk'],
    log: (line) => void logLines.push(line),
    settings: { fsync: 'off' },
  })
  runningClusters.add(database)
  return { ...database, url: database.logins.postgres.url }
}
async function ask(url: string, query: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(query)).rows[0]
  } finally {
    await client.end()
  }
}
const pidOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
const failure = (line: RegExp) =>
  expect.objectContaining({ name: 'EmbeddedPostgresError', message: expect.stringMatching(line) })

async function startInChild(dataDir: string) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    import { startEmbeddedPostgres } from '${import.meta.dirname}/embedded-postgres.ts'
    await startEmbeddedPostgres({ application: ${JSON.stringify(APPLICATION)}, dataDir:
      '${dataDir}', database: 'ledger', roles: ['clerk'], settings: { fsync: 'off' } })
    console.log('up')`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  children.add(child)
  await once(child.stdout, 'data')
  return child
}

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const database of runningClusters) await database.stop()
  runningClusters.clear()
  children.clear()
  logLines.length = 0
})
afterAll(() => rmSync(base, { recursive: true }))

// Most tests share one folder, because creating a cluster takes longer than everything else.
const folder = join(base, 'data')

test('creates a database that is reachable only through a socket and with a password', async () => {
  const { logins, url, dataDir, stop } = await start(folder)
  const query = `select current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
    current_database() as name, pg_encoding_to_char(encoding) as encoding, datlocale as locale
      from pg_database where datname = current_database()`
  expect(await ask(url, query)).toEqual({
    listens: '',
    checksums: 'on',
    fsync: 'off',
    name: 'ledger',
    encoding: 'UTF8',
    locale: 'C.UTF-8',
  })
  await expect(ask(url.replace(/:[^:]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
  await ask(url, `create role clerk login password '${logins.clerk.password}'`)
  expect(await ask(logins.clerk.url, 'select current_user as role')).toEqual({ role: 'clerk' })
  expect(statSync(join(dataDir, 'postgres-passwords.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir).toSorted()).toEqual([
    'postgres',
    'postgres-log',
    'postgres-passwords.json',
    'postgres-socket',
  ])
  await stop()
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})

test('keeps data over a stop and a start', async () => {
  const first = await start(folder)
  await ask(first.url, 'create table belts as select 7 as n')
  await first.stop()
  expect(await ask((await start(folder)).url, 'select n from belts')).toEqual({ n: 7 })
})

test('refuses a second start on the same folder, and leaves the first alone', async () => {
  const first = await start(folder)
  await expect(start(folder)).rejects.toThrow(
    failure(/^Another Ledger is already running on .*data\.$/),
  )
  expect(await ask(first.url, 'select 1 as one')).toEqual({ one: 1 })
})

test('lets exactly one of several simultaneous first starts succeed', async () => {
  const dataDir = join(base, 'raced')
  const outcomes = await Promise.allSettled([start(dataDir), start(dataDir), start(dataDir)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toEqual(failure(/^Another Ledger is already running/))
  expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
})

test('adopts the server that a killed process left running', async () => {
  const child = await startInChild(folder)
  const pid = pidOf(folder)
  child.kill('SIGKILL')
  await start(folder)
  expect(pidOf(folder)).toBe(pid)
})

test('restarts a server that was killed, and keeps the lock', async () => {
  const { url } = await start(folder)
  process.kill(pidOf(folder), 'SIGKILL')
  await expect.poll(() => logLines, { timeout: 10_000 }).toContain('The database is back.')
  expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 })
  await expect(start(folder)).rejects.toThrow(failure(/^Another Ledger/))
})

test('starts after a kill even if another process has the old process id', async () => {
  const child = await startInChild(folder)
  const pid = pidOf(folder)
  child.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  const { uid, gid } = statSync(join(folder, 'postgres'))
  const stranger = spawn('sleep', ['60'], { uid, gid })
  children.add(stranger)
  for (const file of ['postgres/postmaster.pid', 'postgres-socket/.s.PGSQL.5432.lock']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, `${stranger.pid}`))
  }
  expect(await ask((await start(folder)).url, 'select 1 as one')).toEqual({ one: 1 })
})

test('removes what a start that crashed left behind', async () => {
  mkdirSync(join(folder, 'postgres.new-dead/cluster'), { recursive: true })
  await start(folder)
  expect(existsSync(join(folder, 'postgres.new-dead'))).toBe(false)
})

test('works in a folder with a long path and special characters', async () => {
  const { url, stop } = await start(folder)
  await stop()
  const strange = join(base, `Übungs'raum 100%`, 'x'.repeat(80))
  mkdirSync(join(strange, '..'), { recursive: true })
  renameSync(folder, strange)
  expect(new URL(url).searchParams.get('host')).toBe(join(folder, 'postgres-socket'))
  const relocatedCluster = await start(strange)
  expect(new URL(relocatedCluster.url).searchParams.get('host')).toMatch(
    /^\/tmp\/tatami-\d+-[0-9a-f]{8}$/,
  )
  expect(await ask(relocatedCluster.url, 'select n from belts')).toEqual({ n: 7 })
  await relocatedCluster.stop()
  rmSync(String(new URL(relocatedCluster.url).searchParams.get('host')), { recursive: true })
  renameSync(strange, folder)
})

test.each([
  [
    'the passwords are missing',
    (dataDir: string) => renameSync(join(dataDir, 'postgres-passwords.json'), join(base, 'kept')),
    /postgres-passwords\.json is missing/,
  ],
  [
    'the passwords do not match',
    (dataDir: string) =>
      writeFileSync(join(dataDir, 'postgres-passwords.json'), '{"postgres":"x","clerk":"y"}'),
    /do not fit the database/,
  ],
  [
    'a setting is invalid',
    (dataDir: string) =>
      writeFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), 'port = rubbish'),
    /did not start: configuration file .* contains errors/,
  ],
])('fails with one line that gives the reason when %s', async (_, damage, line) => {
  const dataDir = join(base, 'raced')
  const passwords = readFileSync(join(dataDir, 'postgres-passwords.json'))
  damage(dataDir)
  await expect(start(dataDir)).rejects.toThrow(failure(line))
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  writeFileSync(join(dataDir, 'postgres-passwords.json'), passwords)
})

test('fails with one line when the folder cannot be used', async () => {
  writeFileSync(join(base, 'file'), '')
  await expect(start(join(base, 'file'))).rejects.toThrow(failure(/file cannot be used: ENOTDIR/))
})

test.runIf(process.getuid?.() === 0)(
  'as root, refuses a folder that the system user cannot reach, or relocates it where ' +
    'that is allowed',
  async () => {
    const closedFolder = join(base, 'closed')
    mkdirSync(closedFolder, { mode: 0o700 })
    await expect(start(join(closedFolder, 'data'))).rejects.toThrow(
      failure(/the user who runs the database for root, cannot enter it/),
    )
    const relocatedCluster = await start(join(closedFolder, 'data'), { mayRelocate: true })
    expect(relocatedCluster.dataDir).toMatch(/^\/var\/lib\/tatami\/closed-[0-9a-f]{8}$/)
    expect(logLines).toEqual([
      expect.stringContaining(`The data is in ${relocatedCluster.dataDir}`),
    ])
    await relocatedCluster.stop()
    rmSync(relocatedCluster.dataDir, { recursive: true })
  },
)

test.runIf(process.getuid?.() === 0)(
  'as root, refuses a copy that lost its owners, and says who has to own it',
  async () => {
    const [original, copy] = [join(base, 'original'), join(base, 'copy')]
    await (await start(original)).stop()
    execFileSync('cp', ['-r', original, copy])
    const owner = execFileSync('stat', ['-c', '%U', join(original, 'postgres')], {
      encoding: 'utf8',
    }).trim()
    await expect(start(copy)).rejects.toThrow(
      failure(
        new RegExp(
          `^${copy}/postgres belongs to root, but ${owner} runs the database and has to ` +
            `own it\\. .*sudo chown -R ${owner} ${copy}/postgres `,
        ),
      ),
    )
    execFileSync('chown', ['-R', owner, join(copy, 'postgres')])
    await expect(start(copy)).rejects.toThrow(
      failure(new RegExp(`^${copy}/postgres-log belongs to root, but ${owner}`)),
    )
    execFileSync('chown', [
      '-R',
      owner,
      ...['postgres-log', 'postgres-socket'].map((name) => join(copy, name)),
    ])
    expect(await ask((await start(copy)).url, 'select 1 as one')).toEqual({ one: 1 })
  },
)
