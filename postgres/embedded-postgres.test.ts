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

vi.setConfig({ testTimeout: 60_000 })
const base = mkdtempSync(join(tmpdir(), 'tatami-postgres-'))
chmodSync(base, 0o755)
const started = new Set<EmbeddedPostgres>()
const children = new Set<ChildProcess>()
const said: string[] = []

async function start(dataDir: string) {
  const database = await startEmbeddedPostgres({
    dataDir,
    dataDirIsDefault: false,
    say: (line) => void said.push(line),
    settings: { fsync: 'off' },
  })
  started.add(database)
  return database
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
const pidOf = (dataDir: string) => Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
const refusal = (line: RegExp) => expect.objectContaining({ name: 'StartRefusal', message: expect.stringMatching(line) })

/** A Tatami in a process of its own, to be killed. */
async function startElsewhere(dataDir: string) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    import { startEmbeddedPostgres } from '${import.meta.dirname}/embedded-postgres.ts'
    await startEmbeddedPostgres({ dataDir: '${dataDir}', dataDirIsDefault: false, say: () => {}, settings: { fsync: 'off' } })
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
  for (const database of started) await database.stop()
  started.clear()
  children.clear()
  said.length = 0
})
afterAll(() => rmSync(base, { recursive: true }))

// One folder for most of the file: to make a cluster takes longer than everything else.
const folder = join(base, 'data')

test('an empty folder becomes a database that only a socket and a password lead to', async () => {
  const { databaseUrl, dataDir, stop } = await start(folder)
  const query = `select current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
    current_database() as name, pg_encoding_to_char(encoding) as encoding, datlocale as locale from pg_database where datname = current_database()`
  expect(await ask(databaseUrl, query)).toEqual({
    listens: '',
    checksums: 'on',
    fsync: 'off',
    name: 'tatami',
    encoding: 'UTF8',
    locale: 'C.UTF-8',
  })
  await expect(ask(databaseUrl.replace(/:[^:]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password authentication failed')
  expect(statSync(join(dataDir, 'postgres-passwords.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'postgres-log', 'postgres-passwords.json', 'postgres-socket'])
  await stop()
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})

test('what was written is there after a stop and a start', async () => {
  const first = await start(folder)
  await ask(first.databaseUrl, 'create table belts as select 7 as n')
  await first.stop()
  expect(await ask((await start(folder)).databaseUrl, 'select n from belts')).toEqual({ n: 7 })
})

test('a second start on the same folder says so, and leaves the first alone', async () => {
  const first = await start(folder)
  await expect(start(folder)).rejects.toThrow(refusal(/^Another Tatami is already running on .*data\.$/))
  expect(await ask(first.databaseUrl, 'select 1 as one')).toEqual({ one: 1 })
})

test('of several first starts at once exactly one comes up', async () => {
  const place = join(base, 'raced')
  const outcomes = await Promise.allSettled([start(place), start(place), start(place)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toEqual(refusal(/^Another Tatami is already running/))
  expect(readdirSync(place).filter((name) => name.includes('.new-'))).toEqual([])
})

test('the server that a killed Tatami leaves behind is taken over', async () => {
  const killed = await startElsewhere(folder)
  const pid = pidOf(folder)
  killed.kill('SIGKILL')
  await start(folder)
  expect(pidOf(folder)).toBe(pid)
})

test('a database killed under us is started again, and the folder stays ours', async () => {
  const { databaseUrl } = await start(folder)
  process.kill(pidOf(folder), 'SIGKILL')
  await expect.poll(() => said, { timeout: 10_000 }).toContain('The database is back.')
  expect(await ask(databaseUrl, 'select 1 as one')).toEqual({ one: 1 })
  await expect(start(folder)).rejects.toThrow(refusal(/^Another Tatami/))
})

test('a start finds its way after both were killed, even when the old number belongs to somebody else by now', async () => {
  const killed = await startElsewhere(folder)
  const pid = pidOf(folder)
  killed.kill('SIGKILL')
  process.kill(pid, 'SIGKILL')
  const { uid, gid } = statSync(join(folder, 'postgres'))
  const somebody = spawn('sleep', ['60'], { uid, gid })
  children.add(somebody)
  for (const file of ['postgres/postmaster.pid', 'postgres-socket/.s.PGSQL.5432.lock']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\d+/, `${somebody.pid}`))
  }
  expect(await ask((await start(folder)).databaseUrl, 'select 1 as one')).toEqual({ one: 1 })
})

test('what a start that died half-way left behind is cleared away', async () => {
  mkdirSync(join(folder, 'postgres.new-dead/cluster'), { recursive: true })
  await start(folder)
  expect(existsSync(join(folder, 'postgres.new-dead'))).toBe(false)
})

test('a folder whose path is too long for a socket, or holds signs of every kind, serves as well', async () => {
  const { databaseUrl, stop } = await start(folder)
  await stop()
  const strange = join(base, `Übungs'raum 100%`, 'x'.repeat(80))
  mkdirSync(join(strange, '..'), { recursive: true })
  renameSync(folder, strange)
  expect(new URL(databaseUrl).searchParams.get('host')).toBe(join(folder, 'postgres-socket'))
  const moved = await start(strange)
  expect(new URL(moved.databaseUrl).searchParams.get('host')).toMatch(/^\/tmp\/tatami-\d+-[0-9a-f]{8}$/)
  expect(await ask(moved.databaseUrl, 'select n from belts')).toEqual({ n: 7 })
  await moved.stop()
  rmSync(String(new URL(moved.databaseUrl).searchParams.get('host')), { recursive: true })
  renameSync(strange, folder)
})

test.each([
  [
    'the passwords are gone',
    (place: string) => renameSync(join(place, 'postgres-passwords.json'), join(base, 'kept')),
    /postgres-passwords\.json is missing/,
  ],
  [
    'the passwords are others',
    (place: string) => writeFileSync(join(place, 'postgres-passwords.json'), '{"postgres":"x","tatami_app":"y"}'),
    /do not fit the database/,
  ],
  [
    'a setting is wrong',
    (place: string) => writeFileSync(join(place, 'postgres/postgresql.auto.conf'), 'port = rubbish'),
    /did not start: configuration file .* contains errors/,
  ],
])('one line says why it does not start when %s', async (_, spoil, line) => {
  const place = join(base, 'raced')
  const passwords = readFileSync(join(place, 'postgres-passwords.json'))
  spoil(place)
  await expect(start(place)).rejects.toThrow(refusal(line))
  expect(existsSync(join(place, 'postgres/postmaster.pid'))).toBe(false)
  writeFileSync(join(place, 'postgres-passwords.json'), passwords)
})

test('one line says so when the folder cannot be used', async () => {
  writeFileSync(join(base, 'file'), '')
  await expect(start(join(base, 'file'))).rejects.toThrow(refusal(/file cannot be used: ENOTDIR/))
})

test.runIf(process.getuid?.() === 0)('as root, a folder behind a closed door is refused, the default one gives way', async () => {
  const closed = join(base, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  await expect(start(join(closed, 'data'))).rejects.toThrow(refusal(/the user who runs the database for root, cannot enter it/))
  const moved = await startEmbeddedPostgres({
    dataDir: join(closed, 'data'),
    dataDirIsDefault: true,
    say: (line) => void said.push(line),
    settings: { fsync: 'off' },
  })
  started.add(moved)
  expect(moved.dataDir).toMatch(/^\/var\/lib\/tatami\/closed-[0-9a-f]{8}$/)
  expect(said).toEqual([expect.stringContaining(`The data is in ${moved.dataDir}`)])
  await moved.stop()
  rmSync(moved.dataDir, { recursive: true })
})

test.runIf(process.getuid?.() === 0)('as root, a copy without its owners is refused in words that say whose it has to be', async () => {
  const [original, copy] = [join(base, 'original'), join(base, 'copy')]
  await (await start(original)).stop()
  execFileSync('cp', ['-r', original, copy])
  const owner = execFileSync('stat', ['-c', '%U', join(original, 'postgres')], { encoding: 'utf8' }).trim()
  await expect(start(copy)).rejects.toThrow(
    refusal(
      new RegExp(
        `^${copy}/postgres belongs to root, but ${owner} runs the database and has to own it\\. .*sudo chown -R ${owner} ${copy}/postgres `,
      ),
    ),
  )
  execFileSync('chown', ['-R', owner, join(copy, 'postgres')])
  await expect(start(copy)).rejects.toThrow(refusal(new RegExp(`^${copy}/postgres-log belongs to root, but ${owner}`)))
  execFileSync('chown', ['-R', owner, ...['postgres-log', 'postgres-socket'].map((name) => join(copy, name))])
  expect(await ask((await start(copy)).databaseUrl, 'select 1 as one')).toEqual({ one: 1 })
})
