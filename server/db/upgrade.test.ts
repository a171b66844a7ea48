import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { newId } from './columns.ts'
import { connect } from './database.ts'
import { migrationCount, prepareDatabase } from './migrate.ts'

const { superuserUrl, stop } = await startTemporaryCluster()
afterAll(stop)
const asSuperuser = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** The migrations that version 1.0.0 had. */
function migrationsOfFirstRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  cpSync(join(import.meta.dirname, 'migrations'), folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: unknown[] }
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }))
  return folder
}

test('a database of version 1.0.0 is brought up to date with its rows, and what belongs to a student still goes with them', async () => {
  // The roles belong to the cluster.
  await prepareDatabase({ databaseUrl: superuserUrl }, DATABASE_RULES)
  await asSuperuser(superuserUrl, (client) => client.query('create database upgraded'))
  const url = Object.assign(new URL(superuserUrl), { pathname: '/upgraded' }).href
  const [dojo, student, other, batch] = [newId(), newId(), newId(), newId()]
  await asSuperuser(url, async (client) => {
    await client.query(
      'grant create on database upgraded to tatami_owner; grant usage, create on schema public to tatami_owner; set role tatami_owner',
    )
    const migrationsFolder = migrationsOfFirstRelease()
    await migrate(drizzle(client), { migrationsFolder, migrationsSchema: 'public', migrationsTable: 'migrations' })
    await client.query('reset role')
    await client.query(`insert into dojos (id, name, invite_code, created_at) values ('${dojo}', 'Cedar Park Judo', 'code', now())`)
    for (const id of [student, other]) {
      await client.query(`insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
        values ('${id}', '${id}@home.org', 'none', 'student', '${dojo}', true, now())`)
      await client.query(
        `insert into students (dojo_id, id, name, email, created_at) values ('${dojo}', '${id}', 'Ken', '${id}@home.org', now())`,
      )
    }
    await client.query(
      `insert into message_batches (dojo_id, id, kind, text, created_at) values ('${dojo}', '${batch}', 'welcome', 'Hi', now())`,
    )
    for (const id of [student, other]) {
      await client.query(`insert into messages (dojo_id, id, batch_id, student_id, state, updated_at)
        values ('${dojo}', '${newId()}', '${batch}', '${id}', 'delivered', now())`)
      await client.query(
        `insert into undeliverable_phones (dojo_id, student_id, phone, error_code, created_at) values ('${dojo}', '${id}', '+1', 1, now())`,
      )
      await client.query(`insert into incoming_texts (dojo_id, id, provider_id, student_id, phone, text, received_at)
        values ('${dojo}', '${newId()}', '${newId()}', '${id}', '+1', 'Hi', now())`)
      await client.query(`insert into notifications (dojo_id, id, account_id, title, message, student_id, created_at)
        values ('${dojo}', '${newId()}', '${other}', 'A birthday today', 'Ken', '${id}', now())`)
    }
  })

  await prepareDatabase({ databaseUrl: url }, DATABASE_RULES)
  const db = connect(url)
  const counts = async () => {
    const tables = ['messages', 'undeliverable_phones', 'incoming_texts', 'notifications', 'students', 'accounts', 'guardians']
    const { rows } = await db.inDojo(dojo, (tx) =>
      tx.execute<Record<string, number>>(
        sql.raw(`select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')},
          (select count(*)::int from migrations) as migrations`),
      ),
    )
    return rows[0]
  }
  const both = { messages: 2, undeliverable_phones: 2, incoming_texts: 2, notifications: 2, students: 2, accounts: 2, guardians: 0 }
  expect(await counts()).toEqual({ ...both, migrations: migrationCount() })
  // Without a log-in the student and all of theirs stay; with the student all of it goes.
  await db.inDojo(dojo, async (tx) => {
    await tx.execute(sql`update students set email = null where id = ${student}`)
    await tx.execute(sql`delete from accounts where id = ${student}`)
  })
  expect(await counts()).toMatchObject({ ...both, accounts: 1 })
  await db.inDojo(dojo, (tx) => tx.execute(sql`delete from students where id = ${student}`))
  expect(await counts()).toMatchObject({
    messages: 1,
    undeliverable_phones: 1,
    incoming_texts: 1,
    notifications: 1,
    students: 1,
    accounts: 1,
  })
  await db.close()
})
