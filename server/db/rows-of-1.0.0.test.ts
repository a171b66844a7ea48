import { rmSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DATABASE_RULES } from '../database-rules.ts'
import { runMigrations, copyMigrations } from '../test/releases.ts'
import { startTemporaryCluster } from '../test/temporary-cluster.ts'
import { newId } from './columns.ts'
import { prepareDatabase } from './migrate.ts'

const { superuserUrl, stop } = await startTemporaryCluster()
await prepareDatabase({ databaseUrl: superuserUrl }, DATABASE_RULES)
const databaseUrl = Object.assign(new URL(superuserUrl), { pathname: '/of_1_0_0' }).href
const folder = copyMigrations(1)
const client = new pg.Client({ connectionString: databaseUrl })
afterAll(async () => {
  await client.end()
  rmSync(folder, { recursive: true })
  await stop()
})

const dojo = newId()
const dojoWithoutReminders = newId()
const instructor = newId()
const INCOMING_TEXTS = [
  { id: newId(), phone: '+15125550101', at: '2026-03-01T10:00Z', readAt: '2026-03-01T11:00Z' },
  { id: newId(), phone: '+15125550101', at: '2026-03-02T10:00Z', readAt: null },
  { id: newId(), phone: '+15125550101', at: '2026-03-03T10:00Z', readAt: null },
  { id: newId(), phone: '+4917012345678', at: '2026-03-04T10:00Z', readAt: '2026-03-05T10:00Z' },
  // A short code gets no conversation.
  { id: newId(), phone: '55555', at: '2026-03-06T10:00Z', readAt: null },
]

async function insertRowsOfRelease(): Promise<void> {
  for (const [id, zone] of [
    [dojo, 'Pacific/Kiritimati'],
    [dojoWithoutReminders, 'Pacific/Pago_Pago'],
  ])
    await client.query(
      `insert into dojos (id, name, invite_code, time_zone, created_at)
        values ($1, 'Cedar Park Judo', $3, $2, now())`,
      [id, zone, id],
    )
  await client.query(
    `insert into accounts (id, email, password_hash, role, dojo_id, is_active, created_at)
      values ($1, 'zoe@dojo.org', 'none', 'instructor', $2, true, now())`,
    [instructor, dojo],
  )
  await client.query(
    `insert into instructors (dojo_id, id, name, email, contact_number, created_at)
      values ($1, $2, 'Zoë O’Brien-Müller', 'zoe@dojo.org', '1', now())`,
    [dojo, instructor],
  )
  for (const { id, phone, at, readAt } of INCOMING_TEXTS)
    await client.query(
      `insert into incoming_texts (dojo_id, id, provider_id, phone, text, received_at, read_at)
        values ($1, $2, $3, $4, 'Hi', $5, $6)`,
      [dojo, id, id, phone, at, readAt],
    )
  for (const [dojoId, kind, createdAt] of [
    [dojo, 'welcome', '2026-01-01T10:00Z'],
    [dojo, 'post_due', '2026-03-09T10:00Z'],
    [dojo, 'pre_due', '2026-02-25T10:00Z'],
    [dojoWithoutReminders, 'welcome', '2026-01-01T10:00Z'],
  ])
    await client.query(
      `insert into message_batches (dojo_id, id, kind, text, created_at)
        values ($1, $2, $3, 'Hi', $4)`,
      [dojoId, newId(), kind, createdAt],
    )
  await client.query(
    `insert into message_settings (dojo_id, reminders_enabled) values ($1, false)`,
    [dojo],
  )
}

beforeAll(async () => {
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  await superuser.query('create database of_1_0_0')
  await superuser.end()
  await client.connect()
  await runMigrations(client, folder)
  await insertRowsOfRelease()
  await prepareDatabase({ databaseUrl }, DATABASE_RULES)
})

test('incoming texts become one conversation per phone', async () => {
  const { rows } = await client.query(
    'select dojo_id, phone, id, unread, last_at from conversations order by phone',
  )
  expect(rows).toEqual([
    {
      dojo_id: dojo,
      phone: '+15125550101',
      id: INCOMING_TEXTS[2]!.id,
      unread: 2,
      last_at: new Date('2026-03-03T10:00Z'),
    },
    {
      dojo_id: dojo,
      phone: '+4917012345678',
      id: INCOMING_TEXTS[3]!.id,
      unread: 0,
      last_at: new Date('2026-03-04T10:00Z'),
    },
  ])
})

test('a dojo that has sent reminders before is not told about its first reminder', async () => {
  const { rows } = await client.query(
    `select dojo_id, reminders_enabled as enabled, reminders_announced_on::text as announced
      from message_settings`,
  )
  expect(rows).toEqual([{ dojo_id: dojo, enabled: false, announced: '2026-02-25' }])
})

test('the ledger of each dojo begins with its current month', async () => {
  const { rows } = await client.query<{ id: string; month: string; since: string; now: string }>(
    `select d.id, o.month::text, o.since::text,
        date_trunc('month', now() at time zone d.time_zone)::date::text as now
      from dojos d left join open_months o on o.dojo_id = d.id`,
  )
  expect(rows).toHaveLength(2)
  for (const { month, since, now } of rows) expect([month, since]).toEqual([now, now])
})

test('the super admin’s search finds a name without its accents and punctuation', async () => {
  const { rows } = await client.query<{ search_text: string }>(
    'select search_text from sensei_directory',
  )
  expect(rows[0]?.search_text).toContain(' obrienmueller')
})
