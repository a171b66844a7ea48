import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { ZipFile } from 'yazl'
import { DATABASE_RULES } from '../database-rules.ts'
import { newId } from '../db/columns.ts'
import {
  releaseBackupPath,
  readReleases,
  readAllRows,
  withoutSearchText,
} from '../test/releases.ts'
import { NO_ACTOR_ID, auditAction } from '../audit/audit.ts'
import { createSampleDojo } from '../test/sample-rows.ts'
import { dropDatabase, runQueries } from '../test/temporary-cluster.ts'
import { overseerUrl, startTestServer } from '../test/test-server.ts'
import { BackupError } from './backup-error.ts'
import { backUp } from './back-up.ts'
import { type Manifest, openBackup, writeBackupFile } from './backup-file.ts'
import { restore } from './restore.ts'

const server = await startTestServer()
const folder = mkdtempSync(join(tmpdir(), 'tatami-backups-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { adminUrl } = inject('cluster')
const pathInFolder = (name: string) => join(folder, name)
/** A login that may create databases and roles but is not a superuser. */
const migratorUrl = Object.assign(new URL(adminUrl), {
  pathname: new URL(server.databaseUrl).pathname,
}).href

for (let dojo = 0; dojo < 2; dojo += 1) await createSampleDojo(server.db)
await server.db.withoutDojo((tx) =>
  auditAction(tx, { id: NO_ACTOR_ID, dojoId: null }, 'super admin recovered'),
)
const original = pathInFolder('original.zip')
const manifest = await backUp({ databaseUrl: migratorUrl, path: original })

async function queryAs<Row extends object>(url: string, ...queries: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows: Row[] = []
  for (const query of queries) rows = (await client.query<Row>(query)).rows
  await client.end()
  return rows
}

async function createEmptyDatabase(): Promise<string> {
  const name = `r_${newId().replaceAll('-', '')}`
  await runQueries(adminUrl, `create database ${name}`)
  afterAll(() => dropDatabase(adminUrl, name))
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
}
const listRelations = (url: string) =>
  queryAs(
    url,
    "select relname from pg_class where relnamespace = 'public'::regnamespace and " +
      "relkind in ('r', 'S')",
  )

async function writeChangedBackup(
  name: string,
  changes: Partial<Manifest>,
  emptiedTables: string[] = [],
): Promise<string> {
  const backup = await openBackup(original)
  const rows = new Map<string, string>()
  for (const table of manifest.tables)
    rows.set(table.name, await text(await backup.openTable(table.name)))
  for (const table of emptiedTables) rows.set(table, '')
  backup.close()
  const path = pathInFolder(name)
  const contents = {
    tables: [...rows.keys()],
    openTable: (table: string) => Readable.from([Buffer.from(rows.get(table)!)]),
  }
  const createManifest = () => ({ ...manifest, ...changes })
  await writeBackupFile(path, { ...contents, createManifest }, 0)
  return path
}

function writeWithDigest(name: string, bytes: Buffer): string {
  const path = pathInFolder(name)
  writeFileSync(path, Buffer.concat([bytes, Buffer.from(hash('sha256', bytes))]))
  return path
}

async function writeZip(name: string, files: Record<string, string>): Promise<string> {
  const zip = new ZipFile()
  for (const [fileName, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), fileName)
  zip.end({ comment: '0'.repeat(64), forceZip64Format: false })
  return writeWithDigest(name, (await buffer(zip.outputStream)).subarray(0, -64))
}

describe('a backup', () => {
  test('has the rows of all dojos and tables, and only its owner can read it', async () => {
    const counts = await queryAs<{ name: string; rows: number }>(
      server.adminUrl,
      `select relname as name, (xpath('/row/count/text()', query_to_xml(
           'select count(*) as count from ' || oid::regclass, false, true, '')))[1]::text::int
         as rows
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname <> 'migrations' order by 1`,
    )
    expect(manifest.tables.map(({ name, rows }) => ({ name, rows }))).toEqual(counts)
    expect(manifest.tables.find(({ name }) => name === 'students')).toMatchObject({ rows: 4 })
    expect(statSync(original).mode & 0o777).toBe(0o600)
  })

  test('has all data as of one moment while another connection writes', async () => {
    // The table in the middle is large, so the other tables change while it is copied.
    await runQueries(
      migratorUrl,
      'set role tatami_owner',
      'create table a_first (number int)',
      'create table m_middle as select n, repeat(md5(n::text), 8) as words from ' +
        'generate_series(1, 60000) n',
      'create table z_last (number int)',
    )
    const writer = new pg.Client({ connectionString: migratorUrl })
    await writer.connect()
    await writer.query('set role tatami_owner')
    const endOfWriting = new AbortController()
    let writtenRows = 0
    const writing = (async () => {
      while (!endOfWriting.signal.aborted)
        await writer.query(
          `insert into z_last values (${(writtenRows += 1)}); insert into a_first values ` +
            `(${writtenRows})`,
        )
    })()
    const path = pathInFolder('of-one-moment.zip')
    const { tables } = await backUp({ databaseUrl: migratorUrl, path })
    endOfWriting.abort()
    await writing
    await writer.query('drop table a_first, m_middle, z_last')
    await writer.end()
    const countRows = (name: string) => tables.find((table) => table.name === name)!.rows
    expect(countRows('z_last')).toBe(countRows('a_first'))
    expect(writtenRows).toBeGreaterThan(countRows('z_last') + 1)
  })

  test('refuses a login that cannot see every row', async () => {
    await queryAs(
      adminUrl,
      "create role narrow login password 'secret'",
      'grant tatami_owner to narrow',
    )
    afterAll(() => queryAs(adminUrl, 'drop role narrow'))
    const narrowUrl = Object.assign(new URL(migratorUrl), {
      username: 'narrow',
      password: 'secret',
    }).href
    await expect(
      backUp({ databaseUrl: narrowUrl, path: pathInFolder('narrow.zip') }),
    ).rejects.toThrow(/^This login may not see every row of allowance_days,/)
    expect(readdirSync(folder)).not.toContainEqual(expect.stringContaining('narrow'))
  })

  test('reports a full disk or an unwritable folder, and leaves no file', async () => {
    const write = (path: string, reserveBytes = 0) =>
      backUp({ databaseUrl: migratorUrl, path, reserveBytes })
    await expect(write(pathInFolder('full.zip'), 2 ** 60)).rejects.toThrow(
      `The disk of ${folder} is nearly full`,
    )
    await expect(write(pathInFolder('nowhere/b.zip'))).rejects.toThrow(
      '/nowhere/b.zip: there is no such file or folder.',
    )
    await expect(write(join(original, 'b.zip'))).rejects.toThrow(
      'part of the path is a file, not a folder.',
    )
    await expect(write(original)).rejects.toThrow(
      `${original} already exists and is not overwritten.`,
    )
    expect(readdirSync(folder).filter((name) => /full|nowhere|part/.test(name))).toEqual([])
  })
})

describe('a restore', () => {
  test('restores every row, and a new backup has the same contents', async () => {
    const databaseUrl = await createEmptyDatabase()
    expect(await restore({ databaseUrl, path: original }, DATABASE_RULES)).toEqual({
      manifest,
      waitingTexts: 0,
      hasAuditLog: true,
      isFromFuture: false,
    })
    const secondManifest = await backUp({ databaseUrl, path: pathInFolder('again.zip') })
    expect(secondManifest).toEqual({ ...manifest, made_at: secondManifest.made_at })
    const [unforcedTables] = await queryAs(
      databaseUrl,
      'select count(*)::int from pg_class where relrowsecurity and not relforcerowsecurity',
    )
    expect(unforcedTables).toEqual({ count: 0 })
    const keys = `select count(*)::int as keys, bool_and(convalidated) as valid,
      (select count(*)::int from pg_trigger where tgenabled = 'D') as disabled_triggers
      from pg_constraint where contype = 'f'`
    expect(await queryAs(databaseUrl, keys)).toEqual(await queryAs(migratorUrl, keys))
  })

  test('makes the server take no online payments until somebody confirms', async () => {
    const { dojo_id } = await createSampleDojo(server.db)
    await server.db.inDojo(dojo_id, (tx) =>
      tx.execute("update stripe_accounts set server_identity = 'here'"),
    )
    const path = pathInFolder('with-stripe.zip')
    await backUp({ databaseUrl: migratorUrl, path })
    const databaseUrl = await createEmptyDatabase()
    await restore({ databaseUrl, path }, DATABASE_RULES)
    const identities = await queryAs(
      overseerUrl(adminUrl, new URL(databaseUrl).pathname),
      'select distinct server_identity from stripe_accounts',
    )
    expect(identities).toEqual([{ server_identity: 'restored' }])
  })

  test('refuses a file that is changed, incomplete or not a backup', async () => {
    const databaseUrl = await createEmptyDatabase()
    const file = readFileSync(original)
    const expectRefusal = async (bytes: Buffer, message: RegExp) => {
      const path = pathInFolder('damaged.zip')
      writeFileSync(path, bytes)
      await expect(restore({ databaseUrl, path }, DATABASE_RULES)).rejects.toThrow(message)
    }
    for (let part = 0; part <= 20; part += 1) {
      const changedBytes = Buffer.from(file)
      const position = Math.min(file.length - 1, 4 + Math.floor((part * file.length) / 20))
      changedBytes[position] = changedBytes[position]! ^ 1
      await expectRefusal(changedBytes, /is damaged or incomplete/)
    }
    for (const length of [file.length - 1, Math.floor(file.length / 2), 200])
      await expectRefusal(file.subarray(0, length), /is damaged or incomplete/)
    await expectRefusal(Buffer.concat([file, Buffer.from('\n')]), /is damaged or incomplete/)
    for (const foreignText of ['', 'PK', 'create table students ();'.repeat(9)])
      await expectRefusal(Buffer.from(foreignText), /is not a backup of Tatami/)
    await expect(restore({ databaseUrl, path: folder }, DATABASE_RULES)).rejects.toThrow(
      `${folder} cannot be read: it is a folder.`,
    )
    await expect(
      restore({ databaseUrl, path: pathInFolder('none') }, DATABASE_RULES),
    ).rejects.toThrow('there is no such file or folder')
    expect(await listRelations(databaseUrl)).toEqual([])
  })

  test('refuses a file of a newer version, and rows that differ from the manifest', async () => {
    const databaseUrl = await createEmptyDatabase()
    const newer = await writeChangedBackup('newer.zip', {
      migrations: [...manifest.migrations, 'of a later version'],
      tatami_version: '9.1.0',
    })
    await expect(restore({ databaseUrl, path: newer }, DATABASE_RULES)).rejects.toThrow(
      /made by Tatami 9\.1\.0, whose tables this version does not know/,
    )
    const format = await writeChangedBackup('format.zip', { format: 2 as 1 })
    await expect(restore({ databaseUrl, path: format }, DATABASE_RULES)).rejects.toThrow(
      /made by a newer version of Tatami/,
    )
    const tables = manifest.tables.map((table) =>
      table.name === 'vapid_keys' ? { ...table, rows: 7 } : table,
    )
    const otherBackup = await writeChangedBackup('other.zip', { tables })
    await expect(restore({ databaseUrl, path: otherBackup }, DATABASE_RULES)).rejects.toThrow(
      'The rows of vapid_keys differ from those that were backed up.',
    )
    expect(await listRelations(databaseUrl)).toEqual([])
  })

  type Tables = Manifest['tables']
  const withoutTable = (tableName: string) => (tables: Tables) =>
    tables.filter(({ name }) => name !== tableName)
  test.each<[string, (tables: Tables) => Tables, string]>([
    ['without its audit log', withoutTable('audit_log'), 'it lacks the table audit_log, which'],
    ['without consents', withoutTable('text_consents'), 'it lacks the table text_consents, which'],
    ['without students', withoutTable('students'), 'it lacks the table students, which'],
    [
      'with an unknown table',
      (tables) => [...tables, { ...tables[0]!, name: 'pg_authid' }],
      'names a table "pg_authid" that Tatami does not have',
    ],
    ['with a table twice', (tables) => [tables[0]!, ...tables], 'names a table twice'],
    [
      'with other columns',
      ([first, ...otherTables]) => [{ ...first!, columns: ['"'] }, ...otherTables],
      'is damaged',
    ],
  ])('refuses a file %s and changes nothing', async (_, change, message) => {
    const databaseUrl = await createEmptyDatabase()
    const path = await writeChangedBackup(`${newId()}.zip`, { tables: change(manifest.tables) })
    await expect(restore({ databaseUrl, path }, DATABASE_RULES)).rejects.toThrow(message)
    expect(await listRelations(databaseUrl)).toEqual([])
  })

  test('reports an empty audit log in the file', async () => {
    const databaseUrl = await createEmptyDatabase()
    const path = await writeChangedBackup(
      `${newId()}.zip`,
      {
        tables: manifest.tables.map((table) =>
          table.name === 'audit_log' ? { ...table, rows: 0, sha256: hash('sha256', '') } : table,
        ),
      },
      ['audit_log'],
    )
    expect((await restore({ databaseUrl, path }, DATABASE_RULES)).hasAuditLog).toBe(false)
  })

  test('reports a file that was made in the future', async () => {
    const isFromFuture = async (made_at: string) => {
      const path = await writeChangedBackup(`${newId()}.zip`, { made_at })
      return (await restore({ databaseUrl: await createEmptyDatabase(), path }, DATABASE_RULES))
        .isFromFuture
    }
    expect(await isFromFuture('2999-01-01T00:00:00Z')).toBe(true)
    expect(await isFromFuture(manifest.made_at)).toBe(false)
  })

  test('refuses a made-up file that has the right checksum', async () => {
    const databaseUrl = await createEmptyDatabase()
    const expectRefusal = async (path: string) =>
      expect(restore({ databaseUrl, path }, DATABASE_RULES)).rejects.toThrow(BackupError)
    for (const invalidManifest of [
      '',
      'no JSON',
      '{',
      'null',
      '[]',
      '5',
      '"x"',
      '{"format":1}',
      '{"format":"1"}',
    ])
      await expectRefusal(await writeZip('made-up.zip', { 'manifest.json': invalidManifest }))
    await expectRefusal(await writeZip('no-manifest.zip', { 'tables/students.copy': '' }))
    await expectRefusal(await writeZip('deep.zip', { 'manifest.json': '['.repeat(100_000) }))
    const manifestText = JSON.stringify(manifest)
    await expectRefusal(await writeZip('no-rows.zip', { 'manifest.json': manifestText }))
    const garbage = Object.fromEntries(
      manifest.tables.map(({ name }) => [`tables/${name}.copy`, 'no\tsuch\trows\n']),
    )
    await expectRefusal(
      await writeZip('garbage.zip', { ...garbage, 'manifest.json': manifestText }),
    )
    await expectRefusal(
      writeWithDigest('header.zip', Buffer.from(`PK\u0003\u0004${'x'.repeat(500)}`)),
    )
    const content = readFileSync(original).subarray(0, -64)
    const writeDamagedAt = (position: number) =>
      writeWithDigest(
        'broken.zip',
        Buffer.from(content).fill(0xff, position, Math.min(position + 8, content.length)),
      )
    // Damages the rows of one table, then bytes throughout the file.
    await expectRefusal(writeDamagedAt(content.indexOf('tables/vapid_keys.copy') + 40))
    for (let position = 4; position < content.length; position += Math.floor(content.length / 60))
      await openBackup(writeDamagedAt(position)).then(
        (backup) => backup.close(),
        (error: unknown) => expect(error).toBeInstanceOf(BackupError),
      )
    expect(await listRelations(databaseUrl)).toEqual([])
  })

  test('refuses a database that is not empty', async () => {
    const manifestBefore = await backUp({
      databaseUrl: migratorUrl,
      path: pathInFolder('before.zip'),
    })
    await expect(
      restore({ databaseUrl: migratorUrl, path: original }, DATABASE_RULES),
    ).rejects.toThrow(
      'The database is not empty, and a backup is only restored into an empty one. ' +
        'Nothing was changed.',
    )
    const manifestAfter = await backUp({
      databaseUrl: migratorUrl,
      path: pathInFolder('after.zip'),
    })
    expect(manifestAfter.tables).toEqual(manifestBefore.tables)
  })
})

/** Columns, constraints, indexes, policies and triggers of each table. */
const SCHEMA = `
  select relname::text as table_name, concat_ws(' ', attname, format_type(atttypid, atttypmod),
    attnotnull, pg_get_expr(adbin, adrelid)) as detail
    from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid
      and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
      and not attisdropped
  union all select relname::text, concat_ws(' ', 'secured', relrowsecurity, relforcerowsecurity)
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  union all select conrelid::regclass::text, concat_ws(' ', conname, pg_get_constraintdef(oid),
    convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select tablename::text, indexdef from pg_indexes where schemaname = 'public'
  union all select tablename::text, concat_ws(' ', policyname, permissive, roles, cmd, qual,
    with_check)
    from pg_policies where schemaname = 'public'
  union all select tgrelid::regclass::text, concat_ws(' ', pg_get_triggerdef(oid), tgenabled)
    from pg_trigger where not tgisinternal
  order by 1, 2`

describe.each(readReleases())(
  'a restore of the backup that version $version made',
  ({ version, migrations, tables }) => {
    test('migrates the rows to the tables of this version', async () => {
      const databaseUrl = await createEmptyDatabase()
      const restoreResult = await restore(
        { databaseUrl, path: releaseBackupPath(version) },
        DATABASE_RULES,
      )
      expect(restoreResult.manifest.migrations).toHaveLength(migrations)
      const client = new pg.Client({
        connectionString: overseerUrl(adminUrl, new URL(databaseUrl).pathname),
      })
      await client.connect()
      const columns = Object.fromEntries(
        Object.entries(tables).map(([name, rows]) => [name, Object.keys(rows[0] ?? {})]),
      )
      const restoredRows = await readAllRows(client, columns)
      await client.end()
      for (const [name, rows] of Object.entries(tables))
        expect([name, withoutSearchText(restoredRows[name])]).toEqual([
          name,
          withoutSearchText(rows),
        ])
      expect(await queryAs(databaseUrl, SCHEMA)).toEqual(await queryAs(migratorUrl, SCHEMA))
    })
  },
)
