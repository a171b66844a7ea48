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

/** The id is that of the real application, so these tests create no second system user if root runs
 *  them. */
const APPLICATION = { name: 'Ledger', id: 'tatami' }

vi.setConfig({ testTimeout: 60_000 })
const testFolder = mkdtempSync(join(tmpdir(), 'embedded-postgres-'))
chmodSync(testFolder, 0o755)
const runningDatabases = new Set<EmbeddedPostgres<'clerk'>>()
const childProcesses = new Set<ChildProcess>()
const logLines: string[] = []

async function startDatabase(dataDir: string, { mayRelocate = false } = {}) {
  const database = await startEmbeddedPostgres({
    application: APPLICATION,
    dataDir,
    mayRelocate,
    database: 'ledger',
    roles: ['clerk'],
    log: (line) => void logLines.push(line),
    settings: { fsync: 'off' },
  })
  runningDatabases.add(database)
  return { ...database, url: database.logins.postgres.url }
}
async function queryRow(url: string, query: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(query)).rows[0]
  } finally {
    await client.end()
  }
}
const readServerPid = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
const databaseError = (message: RegExp) =>
  expect.objectContaining({
    name: 'EmbeddedPostgresError',
    message: expect.stringMatching(message),
  })

const socketFolder = (url: string) => String(new URL(url).searchParams.get('host'))

async function startInChildProcess(dataDir: string) {
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
  childProcesses.add(child)
  await once(child.stdout, 'data')
  return child
}

afterEach(async () => {
  for (const child of childProcesses) child.kill('SIGKILL')
  for (const database of runningDatabases) await database.stop()
  runningDatabases.clear()
  childProcesses.clear()
  logLines.length = 0
})
afterAll(() => rmSync(testFolder, { recursive: true }))

// Most tests use the same folder, because creating a cluster takes longer than everything else.
const sharedFolder = join(testFolder, 'data')
/** Several simultaneous starts try to create this cluster. Later tests break it. */
const simultaneousStartsFolder = join(testFolder, 'raced')

test('creates a database that is reachable only through a socket and with a password', async () => {
  const { logins, url, dataDir, stop } = await startDatabase(sharedFolder)
  const query = `
    select current_setting('listen_addresses') as listens,
      current_setting('data_checksums') as checksums,
      current_setting('fsync') as fsync,
      current_database() as name,
      pg_encoding_to_char(encoding) as encoding,
      datlocale as locale
    from pg_database where datname = current_database()`
  expect(await queryRow(url, query)).toEqual({
    listens: '',
    checksums: 'on',
    fsync: 'off',
    name: 'ledger',
    encoding: 'UTF8',
    locale: 'C.UTF-8',
  })
  await expect(queryRow(url.replace(/:[^:]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
  await queryRow(url, `create role clerk login password '${logins.clerk.password}'`)
  expect(await queryRow(logins.clerk.url, 'select current_user as role')).toEqual({ role: 'clerk' })
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

test('keeps its data across a restart', async () => {
  const firstDatabase = await startDatabase(sharedFolder)
  await queryRow(firstDatabase.url, 'create table belts as select 7 as count')
  await firstDatabase.stop()
  const secondDatabase = await startDatabase(sharedFolder)
  expect(await queryRow(secondDatabase.url, 'select count from belts')).toEqual({ count: 7 })
})

test('refuses a second start on the same folder without disturbing the first', async () => {
  const firstDatabase = await startDatabase(sharedFolder)
  await expect(startDatabase(sharedFolder)).rejects.toThrow(
    databaseError(/^Another Ledger is already running on .*data\.$/),
  )
  expect(await queryRow(firstDatabase.url, 'select 1 as one')).toEqual({ one: 1 })
})

test('starts once if several processes start at the same time in an empty folder', async () => {
  const dataDir = simultaneousStartsFolder
  const outcomes = await Promise.allSettled([
    startDatabase(dataDir),
    startDatabase(dataDir),
    startDatabase(dataDir),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toEqual(databaseError(/^Another Ledger is already running/))
  expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
})

test('uses the server that still runs after its process was killed', async () => {
  const child = await startInChildProcess(sharedFolder)
  const pid = readServerPid(sharedFolder)
  child.kill('SIGKILL')
  await startDatabase(sharedFolder)
  expect(readServerPid(sharedFolder)).toBe(pid)
})

test('restarts a server that was killed, and keeps the lock', async () => {
  const { url } = await startDatabase(sharedFolder)
  process.kill(readServerPid(sharedFolder), 'SIGKILL')
  await expect.poll(() => logLines, { timeout: 10_000 }).toContain('The database is back.')
  expect(await queryRow(url, 'select 1 as one')).toEqual({ one: 1 })
  await expect(startDatabase(sharedFolder)).rejects.toThrow(databaseError(/^Another Ledger/))
})

test('starts after a kill even if another process has the old process id', async () => {
  const child = await startInChildProcess(sharedFolder)
  const pid = readServerPid(sharedFolder)
  child.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  const { uid, gid } = statSync(join(sharedFolder, 'postgres'))
  const otherProcess = spawn('sleep', ['60'], { uid, gid })
  childProcesses.add(otherProcess)
  for (const file of ['postgres/postmaster.pid', 'postgres-socket/.s.PGSQL.5432.lock']) {
    const path = join(sharedFolder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, `${otherProcess.pid}`))
  }
  const { url } = await startDatabase(sharedFolder)
  expect(await queryRow(url, 'select 1 as one')).toEqual({ one: 1 })
})

test('removes the files of an earlier start that crashed', async () => {
  mkdirSync(join(sharedFolder, 'postgres.new-dead/cluster'), { recursive: true })
  await startDatabase(sharedFolder)
  expect(existsSync(join(sharedFolder, 'postgres.new-dead'))).toBe(false)
})

test('works in a folder with a long path and special characters', async () => {
  const { url, stop } = await startDatabase(sharedFolder)
  await stop()
  const unusualFolder = join(testFolder, `Übungs'raum 100%`, 'x'.repeat(80))
  mkdirSync(join(unusualFolder, '..'), { recursive: true })
  renameSync(sharedFolder, unusualFolder)
  expect(socketFolder(url)).toBe(join(sharedFolder, 'postgres-socket'))
  const movedDatabase = await startDatabase(unusualFolder)
  const shortSocketFolder = socketFolder(movedDatabase.url)
  expect(shortSocketFolder).toMatch(/^\/tmp\/tatami-\d+-[0-9a-f]{8}$/)
  expect(await queryRow(movedDatabase.url, 'select count from belts')).toEqual({ count: 7 })
  await movedDatabase.stop()
  rmSync(shortSocketFolder, { recursive: true })
  renameSync(unusualFolder, sharedFolder)
})

test.each([
  [
    'the passwords are missing',
    (dataDir: string) =>
      renameSync(join(dataDir, 'postgres-passwords.json'), join(testFolder, 'kept')),
    /postgres-passwords\.json is missing/,
  ],
  [
    'the passwords do not match',
    (dataDir: string) =>
      writeFileSync(join(dataDir, 'postgres-passwords.json'), '{"postgres":"x","clerk":"y"}'),
    /do not match the database/,
  ],
  [
    'a setting is invalid',
    (dataDir: string) =>
      writeFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), 'port = invalid'),
    /did not start: configuration file .* contains errors/,
  ],
])('gives the reason in one line if %s', async (_, breakCluster, message) => {
  const dataDir = simultaneousStartsFolder
  const passwords = readFileSync(join(dataDir, 'postgres-passwords.json'))
  breakCluster(dataDir)
  await expect(startDatabase(dataDir)).rejects.toThrow(databaseError(message))
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  writeFileSync(join(dataDir, 'postgres-passwords.json'), passwords)
})

test('gives the reason in one line if the folder cannot be used', async () => {
  writeFileSync(join(testFolder, 'file'), '')
  await expect(startDatabase(join(testFolder, 'file'))).rejects.toThrow(
    databaseError(/file cannot be used: ENOTDIR/),
  )
})

test.runIf(process.getuid?.() === 0)(
  'as root, refuses a folder that the system user cannot reach, or uses another if allowed',
  async () => {
    const closedFolder = join(testFolder, 'closed')
    mkdirSync(closedFolder, { mode: 0o700 })
    await expect(startDatabase(join(closedFolder, 'data'))).rejects.toThrow(
      databaseError(/the user who runs the database for root, cannot enter it/),
    )
    const relocatedDatabase = await startDatabase(join(closedFolder, 'data'), { mayRelocate: true })
    expect(relocatedDatabase.dataDir).toMatch(/^\/var\/lib\/tatami\/closed-[0-9a-f]{8}$/)
    expect(logLines).toEqual([
      expect.stringContaining(`The data is in ${relocatedDatabase.dataDir}`),
    ])
    await relocatedDatabase.stop()
    rmSync(relocatedDatabase.dataDir, { recursive: true })
  },
)

test.runIf(process.getuid?.() === 0)(
  'as root, refuses a copy that belongs to root, and names the right owner',
  async () => {
    const original = join(testFolder, 'original')
    const copy = join(testFolder, 'copy')
    const originalDatabase = await startDatabase(original)
    await originalDatabase.stop()
    execFileSync('cp', ['-r', original, copy])
    const owner = execFileSync('stat', ['-c', '%U', join(original, 'postgres')], {
      encoding: 'utf8',
    }).trim()
    await expect(startDatabase(copy)).rejects.toThrow(
      databaseError(
        new RegExp(
          `^${copy}/postgres belongs to root, but ${owner} runs the database and has to ` +
            `own it\\. .*sudo chown -R ${owner} ${copy}/postgres `,
        ),
      ),
    )
    execFileSync('chown', ['-R', owner, join(copy, 'postgres')])
    await expect(startDatabase(copy)).rejects.toThrow(
      databaseError(new RegExp(`^${copy}/postgres-log belongs to root, but ${owner}`)),
    )
    execFileSync('chown', ['-R', owner, join(copy, 'postgres-log'), join(copy, 'postgres-socket')])
    const { url } = await startDatabase(copy)
    expect(await queryRow(url, 'select 1 as one')).toEqual({ one: 1 })
  },
)
