import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { backUp } from '../backups/back-up.ts'
import { restore } from '../backups/restore.ts'
import { DATABASE_RULES } from '../database-rules.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import {
  insertRows,
  runMigrations,
  copyMigrations,
  readReleases,
  readAllRows,
  withoutSearchText,
} from '../test/releases.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { newId } from './columns.ts'
import { connect } from './database.ts'
import { countMigrations, prepareDatabase } from './migrate.ts'

const { superuserUrl, stop } = await startTemporaryCluster()
afterAll(stop)
const asSuperuser = async <Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

const createMigrationsFolder = (...parts: Parameters<typeof copyMigrations>) => {
  const folder = copyMigrations(...parts)
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
async function createDatabase(name: string): Promise<string> {
  await asSuperuser(superuserUrl, (client) => client.query(`create database ${name}`))
  return Object.assign(new URL(superuserUrl), { pathname: `/${name}` }).href
}
await prepareDatabase({ databaseUrl: superuserUrl }, DATABASE_RULES)

test('updates a database of version 1.0.0, including its foreign keys to students', async () => {
  const url = await createDatabase('upgraded')
  const dojo = newId()
  const student = newId()
  const otherStudent = newId()
  const batch = newId()
  await asSuperuser(url, async (client) => {
    await runMigrations(client, createMigrationsFolder(1))
    await client.query(
      `insert into dojos (id, name, invite_code, created_at) values ('${dojo}', 'Cedar ` +
        `Park Judo', 'code', now())`,
    )
    for (const id of [student, otherStudent]) {
      await client.query(`insert into accounts (id, email, password_hash, role, dojo_id, is_active,
          created_at)
        values ('${id}', '${id}@home.org', 'none', 'student', '${dojo}', true, now())`)
      await client.query(
        `insert into students (dojo_id, id, name, email, created_at) values ('${dojo}', ` +
          `'${id}', 'Ken', '${id}@home.org', now())`,
      )
    }
    await client.query(
      'insert into message_batches (dojo_id, id, kind, text, created_at) values ' +
        `('${dojo}', '${batch}', 'welcome', 'Hi', now())`,
    )
    for (const id of [student, otherStudent]) {
      await client.query(`insert into messages (dojo_id, id, batch_id, student_id, state,
          updated_at)
        values ('${dojo}', '${newId()}', '${batch}', '${id}', 'delivered', now())`)
      await client.query(
        'insert into undeliverable_phones (dojo_id, student_id, phone, error_code, ' +
          `created_at) values ('${dojo}', '${id}', '+1', 1, now())`,
      )
      await client.query(`insert into incoming_texts (dojo_id, id, provider_id, student_id, phone,
          text, received_at)
        values ('${dojo}', '${newId()}', '${newId()}', '${id}', '+1', 'Hi', now())`)
      await client.query(`insert into notifications (dojo_id, id, account_id, title, message,
          student_id, created_at)
        values ('${dojo}', '${newId()}', '${otherStudent}', 'A birthday today', 'Ken', '${id}',
          now())`)
    }
  })

  await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  const db = connect(url)
  const countRows = async () => {
    const tables = [
      'messages',
      'undeliverable_phones',
      'incoming_texts',
      'notifications',
      'students',
      'accounts',
      'guardians',
    ]
    const tableCounts = [...tables, 'migrations'].map(
      (table) => `(select count(*)::int from ${table}) as ${table}`,
    )
    const { rows } = await db.inDojo(dojo, (tx) =>
      tx.execute<Record<string, number>>(sql.raw(`select ${tableCounts.join(', ')}`)),
    )
    return rows[0]
  }
  const expectedCounts = {
    messages: 2,
    undeliverable_phones: 2,
    incoming_texts: 2,
    notifications: 2,
    students: 2,
    accounts: 2,
    guardians: 0,
  }
  expect(await countRows()).toEqual({ ...expectedCounts, migrations: countMigrations() })
  // Deleting the login keeps the student and their rows. Deleting the student deletes the rows.
  await db.inDojo(dojo, async (tx) => {
    await tx.execute(sql`update students set email = null where id = ${student}`)
    await tx.execute(sql`delete from accounts where id = ${student}`)
  })
  expect(await countRows()).toMatchObject({ ...expectedCounts, accounts: 1 })
  await db.inDojo(dojo, (tx) => tx.execute(sql`delete from students where id = ${student}`))
  expect(await countRows()).toMatchObject({
    messages: 1,
    undeliverable_phones: 1,
    incoming_texts: 1,
    notifications: 1,
    students: 1,
    accounts: 1,
  })
  await db.close()
})

test('stores the data of the first release', () => {
  expect(readReleases()[0]).toMatchObject({ version: '1.0.0', migrations: 1 })
})

describe.each(readReleases())(
  'the stored data of version $version',
  ({ version, migrations, tables }) => {
    test('includes all tables and is unchanged by the update', async () => {
      const url = await createDatabase(`release_${version.replaceAll('.', '_')}`)
      const { releasedRows, updatedRows } = await asSuperuser(url, async (client) => {
        await runMigrations(client, createMigrationsFolder(migrations))
        await client.query(`truncate ${Object.keys(tables).join(', ')}`)
        await insertRows(client, tables)
        const rowsOfRelease = await readAllRows(client)
        await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
        const columns = Object.fromEntries(
          Object.entries(rowsOfRelease).map(([name, rows]) => [name, Object.keys(rows[0] ?? {})]),
        )
        return { releasedRows: rowsOfRelease, updatedRows: await readAllRows(client, columns) }
      })
      expect(releasedRows).toEqual(tables)
      for (const [name, rows] of Object.entries(releasedRows))
        expect([name, withoutSearchText(updatedRows[name])]).toEqual([
          name,
          withoutSearchText(rows),
        ])
      const [dojo] = tables.dojos!
      const db = connect(url)
      const { rows } = await db.inDojo(dojo!.id as string, (tx) =>
        tx.execute(sql`select id from students`),
      )
      await db.close()
      expect(rows).toHaveLength(
        tables.students!.filter(({ dojo_id }) => dojo_id === dojo!.id).length,
      )
    })
  },
)

/** Removes the ids that an update generated, because they differ each time. */
const omitNewIds = (
  allRows: Record<string, Record<string, unknown>[]>,
  releasedRows: Record<string, Record<string, unknown>[]>,
) =>
  Object.fromEntries(
    Object.entries(allRows).map(([table, rows]) => {
      const releasedIds = new Set(releasedRows[table]?.map(({ id }) => id))
      return [
        table,
        rows.map(({ id, ...fields }) => (releasedIds.has(id) ? { id, ...fields } : fields)),
      ]
    }),
  )

/** The backup is made before the last migration, and in `npm run test:long` before each one. */
const MIGRATION_COUNTS = process.env.LONG
  ? Array.from({ length: countMigrations() - 1 }, (_, index) => index + 1)
  : [countMigrations() - 1]

test.each(MIGRATION_COUNTS)(
  'restoring a backup made after %i migrations has the same result as an update in place',
  async (count) => {
    const inPlaceUrl = await createDatabase(`in_place_${count}`)
    const restoredUrl = await createDatabase(`restored_${count}`)
    const { migrations, tables } = readReleases()[0]!
    const folder = mkdtempSync(join(tmpdir(), 'tatami-upgrade-'))
    afterAll(() => rmSync(folder, { recursive: true }))
    await asSuperuser(inPlaceUrl, async (client) => {
      await runMigrations(client, createMigrationsFolder(migrations))
      await client.query(`truncate ${Object.keys(tables).join(', ')}`)
      await insertRows(client, tables)
      await runMigrations(client, createMigrationsFolder(count))
    })
    const path = join(folder, 'backup.zip')
    const { migrations: backedUpMigrations } = await backUp({
      databaseUrl: inPlaceUrl,
      path,
      reserveBytes: 0,
    })
    expect(backedUpMigrations).toHaveLength(count)
    await restore({ databaseUrl: restoredUrl, path }, DATABASE_RULES)
    await prepareDatabase({ databaseUrl: inPlaceUrl }, DATABASE_RULES)
    const updatedRows = await asSuperuser(inPlaceUrl, (client) => readAllRows(client))
    const restoredRows = await asSuperuser(restoredUrl, (client) => readAllRows(client))
    expect(restoredRows.students).toHaveLength(tables.students!.length)
    expect(omitNewIds(restoredRows, tables)).toEqual(omitNewIds(updatedRows, tables))
  },
)

describe('an update that fails', () => {
  test('also undoes the migrations before the failing one, and says why it failed', async () => {
    const url = await createDatabase('failing')
    await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
    const failingFolder = createMigrationsFolder(countMigrations(), [
      'create table of_later (id int);',
      'create table of_latest (id int);--> statement-breakpoint\nselect 1/0;',
    ])
    await expect(
      prepareDatabase({ databaseUrl: url }, DATABASE_RULES, { migrationsFolder: failingFolder }),
    ).rejects.toThrow(
      /^the update failed and nothing was changed, so the previous version still works: division by zero$/,
    )
    await asSuperuser(url, async (client) => {
      const newTables = await client.query("select from pg_class where relname like 'of_late%'")
      expect(newTables.rowCount).toBe(0)
      const finishedMigrations = await client.query('select from migrations')
      expect(finishedMigrations.rowCount).toBe(countMigrations())
    })
    await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  })

  test('waits for a running backup instead of blocking readers', async () => {
    const url = await createDatabase('waiting')
    await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
    const laterFolder = createMigrationsFolder(countMigrations(), [
      'create table of_later (id int);',
    ])
    const lines: string[] = []
    await asSuperuser(url, async (backup) => {
      await backup.query(`select pg_advisory_lock_shared(${ADVISORY_LOCKS.backup})`)
      const update = prepareDatabase({ databaseUrl: url }, DATABASE_RULES, {
        migrationsFolder: laterFolder,
        log: (line) => lines.push(line),
      })
      const countNewTables = async () => {
        const { rowCount } = await backup.query("select from pg_class where relname = 'of_later'")
        return rowCount
      }
      await expect
        .poll(() => lines)
        .toEqual(['A backup is being made. The database is updated when it is finished …'])
      expect(await countNewTables()).toBe(0)
      await backup.query(`select pg_advisory_unlock_shared(${ADVISORY_LOCKS.backup})`)
      await update
      expect(await countNewTables()).toBe(1)
    })
  })
})
