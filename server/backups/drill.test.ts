import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { connectBeside, embeddedDatabaseUrl } from '../test/fixtures.ts'
import { findPostgres15 } from '../test/postgres-15.ts'
import { backupOfRelease, releases } from '../test/releases.ts'
import { endServers, freePort, httpTarget, runServer } from '../test/real-server.ts'
import { createSampleDojo, SAMPLE_ROWS } from '../test/sample-rows.ts'
import { runQueries, startTemporaryCluster } from '../test/temporary-cluster.ts'
import { clientsOf, fixturesOf } from '../test/test-server.ts'
import { backUp } from './back-up.ts'
import { type Manifest, openBackup } from './backup-file.ts'
import { restore } from './restore.ts'

vi.setConfig({ testTimeout: 90_000 })
const base = mkdtempSync(join(tmpdir(), 'tatami-drill-'))
chmodSync(base, 0o755)
afterAll(async () => {
  await endServers()
  rmSync(base, { recursive: true })
})
const at = (name: string) => join(base, name)
const postgres15 = process.env.TEST_POSTGRES_BIN ?? findPostgres15()

async function serve(dataDir: string) {
  const port = await freePort()
  const { child, ended, waitForOutput } = runServer({ DATA_DIR: dataDir, PORT: port })
  await waitForOutput('Tatami is ready at')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { http: httpTarget(`http://127.0.0.1:${port}`), stop }
}
const command = (name: 'backup' | 'restore', dataDir: string, file: string) =>
  runServer({ DATA_DIR: dataDir }, [process.execPath, `server/${name}.ts`, file]).ended

async function manifestOf(path: string): Promise<Manifest> {
  const { manifest, close } = await openBackup(path)
  close()
  return manifest
}

/** What a restore keeps. It forgets when the clock was last looked at, which `system_config` holds. */
const contentsOf = ({ tables, sequences }: Manifest) => ({
  tables: tables.filter(({ name }) => name !== 'system_config'),
  sequences,
})

/** The rows of tables that no server writes by itself, as PostgreSQL sums them up, in whatever order they lie. */
async function digests(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const found: Record<string, unknown> = {}
  for (const table of [
    'accounts',
    'sessions',
    'students',
    'student_notes',
    'attendance',
    'payment_records',
    'messages',
    'text_consents',
  ])
    found[table] = (
      await client.query(
        `select count(*)::int as rows, md5(string_agg(t::text, ',' order by t::text)) as md5 from ${table} t`,
      )
    ).rows[0]
  await client.end()
  return found
}

test.runIf(process.env.LONG && postgres15)(
  'a drill: embedded, to a file, to PostgreSQL 15, to a file, to embedded on another machine',
  async () => {
    const here = await serve(at('here'))
    const db = connectBeside(embeddedDatabaseUrl(at('here')))
    const sensei = await fixturesOf({ http: here.http, db }).createSensei()
    for (let dojo = 0; dojo < 2; dojo += 1) await createSampleDojo(db)
    await db.close()
    const before = await digests(embeddedDatabaseUrl(at('here')))

    const made = await command('backup', at('here'), at('first.zip'))
    expect(made).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^Backed up \d+ rows to .*first\.zip \(\d\.\d MB\)\.$/)],
    })
    const first = await manifestOf(at('first.zip'))
    expect(first.tables.filter(({ name, rows }) => name in SAMPLE_ROWS && rows < 2)).toEqual([])

    const cluster = await startTemporaryCluster(postgres15)
    await restore({ databaseUrl: cluster.superuserUrl, path: at('first.zip') }, DATABASE_RULES)
    expect(await digests(cluster.superuserUrl)).toEqual(before)
    const second = await backUp({ databaseUrl: cluster.superuserUrl, path: at('second.zip') })
    // A backup of an earlier version brings its tables up to date here, too.
    const { version, tables } = releases()[0]!
    await runQueries(cluster.superuserUrl, 'create database of_earlier')
    const earlier = Object.assign(new URL(cluster.superuserUrl), { pathname: '/of_earlier' }).href
    await restore({ databaseUrl: earlier, path: backupOfRelease(version) }, DATABASE_RULES)
    expect(await digests(earlier)).toMatchObject({
      students: { rows: tables.students!.length },
      text_consents: { rows: 0 },
    })
    await cluster.stop()
    expect(second.postgres_version).toMatch(/^15\./)
    expect(contentsOf(second)).toEqual(contentsOf(first))

    // Where a server is, or was, nothing is overwritten.
    expect(await command('restore', at('here'), at('second.zip'))).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^Another Tatami is already running/)],
    })
    await here.stop()
    expect(await command('restore', at('here'), at('second.zip'))).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^The database is not empty/)],
    })

    expect(await command('restore', at('there'), at('second.zip'))).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^Restored \d+ rows, as they were on 20/)],
    })
    // The command starts the database for itself.
    expect((await command('backup', at('there'), at('third.zip'))).code).toBe(0)
    const third = await manifestOf(at('third.zip'))
    expect(contentsOf(third)).toEqual(contentsOf(first))

    const there = await serve(at('there'))
    const { get } = clientsOf(there.http).clientFor(sensei.token)
    expect(await get('/profile')).toMatchObject({ status: 200, body: { email: sensei.email } })
  },
)
