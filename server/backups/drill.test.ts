import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { connectForFixtures, embeddedDatabaseUrl } from '../test/fixtures.ts'
import { findPostgres15 } from '../test/postgres-15.ts'
import { releaseBackupPath, readReleases } from '../test/releases.ts'
import { endServers, findFreePort, httpTarget, runServer } from '../test/real-server.ts'
import { createSampleDojo, SAMPLE_ROWS } from '../test/sample-rows.ts'
import { runQueries, startTemporaryCluster } from '../test/temporary-cluster.ts'
import { createClients, createFixtures } from '../test/test-server.ts'
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
const pathInBase = (name: string) => join(base, name)
const postgres15 = process.env.TEST_POSTGRES_BIN ?? findPostgres15()

async function serve(dataDir: string) {
  const port = await findFreePort()
  const { child, ended, waitForOutput } = runServer({ DATA_DIR: dataDir, PORT: port })
  await waitForOutput('Tatami is ready at')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { http: httpTarget(`http://127.0.0.1:${port}`), stop }
}
const runCommand = (name: 'backup' | 'restore', dataDir: string, file: string) =>
  runServer({ DATA_DIR: dataDir }, [process.execPath, `server/${name}.ts`, file]).ended

async function readManifest(path: string): Promise<Manifest> {
  const { manifest, close } = await openBackup(path)
  close()
  return manifest
}

/** A restore keeps everything except the time of the last clock check in `system_config`. */
const pickRestoredContents = ({ tables, sequences }: Manifest) => ({
  tables: tables.filter(({ name }) => name !== 'system_config'),
  sequences,
})

async function readDigests(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const digestByTable: Record<string, unknown> = {}
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
    digestByTable[table] = (
      await client.query(
        `select count(*)::int as rows, md5(string_agg(t::text, ',' order by t::text)) as ` +
          `md5 from ${table} t`,
      )
    ).rows[0]
  await client.end()
  return digestByTable
}

test.runIf(process.env.LONG && postgres15)(
  'moves all data from an embedded database to PostgreSQL 15 and to another embedded database',
  async () => {
    const source = await serve(pathInBase('source'))
    const db = connectForFixtures(embeddedDatabaseUrl(pathInBase('source')))
    const sensei = await createFixtures({ http: source.http, db }).createSensei()
    for (let dojo = 0; dojo < 2; dojo += 1) await createSampleDojo(db)
    await db.close()
    const digestsBefore = await readDigests(embeddedDatabaseUrl(pathInBase('source')))

    const backupRun = await runCommand('backup', pathInBase('source'), pathInBase('first.zip'))
    expect(backupRun).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^Backed up \d+ rows to .*first\.zip \(\d\.\d MB\)\.$/)],
    })
    const firstManifest = await readManifest(pathInBase('first.zip'))
    expect(
      firstManifest.tables.filter(({ name, rows }) => name in SAMPLE_ROWS && rows < 2),
    ).toEqual([])

    const cluster = await startTemporaryCluster(postgres15)
    await restore(
      { databaseUrl: cluster.superuserUrl, path: pathInBase('first.zip') },
      DATABASE_RULES,
    )
    expect(await readDigests(cluster.superuserUrl)).toEqual(digestsBefore)
    const secondManifest = await backUp({
      databaseUrl: cluster.superuserUrl,
      path: pathInBase('second.zip'),
    })
    const { version, tables } = readReleases()[0]!
    await runQueries(cluster.superuserUrl, 'create database of_earlier')
    const oldUrl = Object.assign(new URL(cluster.superuserUrl), { pathname: '/of_earlier' }).href
    await restore({ databaseUrl: oldUrl, path: releaseBackupPath(version) }, DATABASE_RULES)
    expect(await readDigests(oldUrl)).toMatchObject({
      students: { rows: tables.students!.length },
      text_consents: { rows: 0 },
    })
    await cluster.stop()
    expect(secondManifest.postgres_version).toMatch(/^15\./)
    expect(pickRestoredContents(secondManifest)).toEqual(pickRestoredContents(firstManifest))

    expect(await runCommand('restore', pathInBase('source'), pathInBase('second.zip'))).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^Another Tatami is already running/)],
    })
    await source.stop()
    expect(await runCommand('restore', pathInBase('source'), pathInBase('second.zip'))).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^The database is not empty/)],
    })

    expect(await runCommand('restore', pathInBase('target'), pathInBase('second.zip'))).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^Restored \d+ rows, as they were on 20/)],
    })
    expect((await runCommand('backup', pathInBase('target'), pathInBase('third.zip'))).code).toBe(0)
    const thirdManifest = await readManifest(pathInBase('third.zip'))
    expect(pickRestoredContents(thirdManifest)).toEqual(pickRestoredContents(firstManifest))

    const target = await serve(pathInBase('target'))
    const { get } = createClients(target.http).clientFor(sensei.token)
    expect(await get('/profile')).toMatchObject({ status: 200, body: { email: sensei.email } })
  },
)
