import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { migrateAs, migrationsFolder } from '../test/releases.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { newId } from './columns.ts'
import { prepareDatabase } from './migrate.ts'

/** The migrations before the one that is tested. */
const MIGRATIONS_BEFORE = 33

const { superuserUrl, stop } = await startTemporaryCluster()
// The roles belong to the cluster.
await prepareDatabase({ databaseUrl: superuserUrl }, DATABASE_RULES)
const databaseUrl = Object.assign(new URL(superuserUrl), { pathname: '/before' }).href
const folder = migrationsFolder(MIGRATIONS_BEFORE)
const client = new pg.Client({ connectionString: databaseUrl })
afterAll(async () => {
  await client.end()
  rmSync(folder, { recursive: true })
  await stop()
})

const [dojo, oldDojo, guardian] = [newId(), newId(), newId()]
const children = [
  { id: newId(), name: 'Leo Diaz', born: '2000-01-01' },
  { id: newId(), name: 'Mia Diaz', born: '2099-01-01' },
]
const NOTICES = {
  'joint, with a sum': 'Please pay $54.00 for this month.',
  'joint, with names': 'Leo and Mia: no class today.',
  'about nobody': 'The dojo is closed on Friday.',
  'with a record': 'Mia: please pay $54.00.',
}

async function fill(): Promise<void> {
  const moment = '2026-11-01T00:00:00Z'
  for (const id of [dojo, oldDojo])
    await client.query(
      `insert into dojos (id, name, invite_code, time_zone, created_at)
        values ($1, 'Cedar Park Judo', $2, 'America/Chicago', $3)`,
      [id, id, moment],
    )
  await client.query(
    `insert into open_months (dojo_id, month, since) values ($1, '2026-11-01', '2026-01-01')`,
    [oldDojo],
  )
  await client.query(
    `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
      values ($1, 'rosa@home.org', 'none', 'guardian', $2, true, $3)`,
    [guardian, dojo, moment],
  )
  await client.query(
    `insert into guardians (dojo_id, id, name, email, account_id, created_at)
      values ($1, $2, 'Rosa Diaz', 'rosa@home.org', $2, $3)`,
    [dojo, guardian, moment],
  )
  for (const { id, name, born } of children) {
    await client.query(
      `insert into students (dojo_id, id, name, date_of_birth, created_at) values ($1, $2, $3, $4, $5)`,
      [dojo, id, name, born, moment],
    )
    await client.query(
      `insert into guardianships (dojo_id, guardian_id, student_id, since, allows_log_in,
          log_in_consent_at, log_in_consent_source, log_in_consent_wording)
        values ($1, $2, $3, $4, true, $4, 'guardian', '2026-1')`,
      [dojo, guardian, id, moment],
    )
  }
  for (const [title, message] of Object.entries(NOTICES)) {
    const id = newId()
    await client.query(
      `insert into notifications (dojo_id, id, account_id, title, message, created_at)
        values ($1, $2, $3, $4, $5, $6)`,
      [dojo, id, guardian, title, message, moment],
    )
    if (title === 'with a record')
      await client.query(
        `insert into notification_students (dojo_id, notification_id, student_id) values ($1, $2, $3)`,
        [dojo, id, children[1]!.id],
      )
  }
}

test('consents to the log-ins of adults and notices without a record of whom they name go', async () => {
  const root = new pg.Client({ connectionString: superuserUrl })
  await root.connect()
  await root.query('create database before')
  await root.end()
  await client.connect()
  await migrateAs(client, folder)
  await fill()
  await prepareDatabase({ databaseUrl }, DATABASE_RULES)
  const consents = await client.query(
    `select s.name, gs.allows_log_in, gs.log_in_consent_at is not null as has_day, gs.log_in_consent_wording as wording
      from guardianships gs join students s on s.id = gs.student_id order by s.name`,
  )
  expect(consents.rows).toEqual([
    { name: 'Leo Diaz', allows_log_in: false, has_day: false, wording: null },
    { name: 'Mia Diaz', allows_log_in: true, has_day: true, wording: '2026-1' },
  ])
  const notices = await client.query<{ title: string }>(
    'select title from notifications order by title',
  )
  expect(notices.rows.map(({ title }) => title)).toEqual(['about nobody', 'with a record'])
})

test('a dojo without a ledger gets one that begins with the current month', async () => {
  const { rows } = await client.query(
    `select d.id, o.month::text, o.since::text,
        date_trunc('month', now() at time zone d.time_zone)::date::text as current
      from dojos d join open_months o on o.dojo_id = d.id order by d.id`,
  )
  const current = rows.find(({ id }) => id === dojo)?.current
  expect(rows).toEqual(
    [
      { id: dojo, month: current, since: current, current },
      { id: oldDojo, month: '2026-11-01', since: '2026-01-01', current },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
})
