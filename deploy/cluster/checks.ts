/** Creates the dojos of the failover test, and checks that no write or text is lost or repeated. */
import { sql } from 'drizzle-orm'
import {
  backdateReminderNotice,
  createClass,
  createSensei,
  createStudents,
  connectForFixtures,
  type FixtureSensei,
} from '../../server/test/fixtures.ts'
import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/texting/texting'
import type { FakeMessage } from '../../server/test/fake-twilio.ts'
import type { AcknowledgedWrites } from './clients.ts'
import { queryPrimary } from './cluster.ts'
import { databaseUrls } from './settings.ts'

const REMINDED_DOJOS = 4
const STUDENTS_PER_REMINDED_DOJO = 2
const MARKED_STUDENTS = 2
const STEADY_DOJO_STUDENTS = 2
/** Enough that the dojo soon reaches its daily limit. */
const BUSY_DOJO_STUDENTS = 30
let nextPhone = Math.floor(Math.random() * 1_000_000)

async function withFixtures<T>(
  work: (db: ReturnType<typeof connectForFixtures>) => Promise<T>,
): Promise<T> {
  const db = connectForFixtures(databaseUrls().primary)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function createDojo(
  db: ReturnType<typeof connectForFixtures>,
  students: number,
): Promise<FixtureSensei> {
  const sensei = await createSensei(db)
  await createStudents(db, sensei.dojoId, students, { from: nextPhone })
  nextPhone += students
  return sensei
}

/** Creates the dojo whose attendance and payments are recorded throughout the test. */
export const createSchool = () =>
  withFixtures(async (db) => {
    const sensei = await createDojo(db, MARKED_STUDENTS)
    const { id: classId } = await createClass(db, sensei.dojoId)
    const { rows } = await db.inDojo(sensei.dojoId, (tx) =>
      tx.execute<{ id: string }>(sql`select id from students`),
    )
    return { sensei, classId, studentIds: rows.map(({ id }) => id) }
  })

/** Creates two dojos that send bulk messages and four that only send reminders. */
export const createRound = () =>
  withFixtures(async (db) => {
    const textingSensei = [
      await createDojo(db, STEADY_DOJO_STUDENTS),
      await createDojo(db, BUSY_DOJO_STUDENTS),
    ]
    const reminderDojos: FixtureSensei[] = []
    for (let i = 0; i < REMINDED_DOJOS; i += 1)
      reminderDojos.push(await createDojo(db, STUDENTS_PER_REMINDED_DOJO))
    const dojoIds = [...textingSensei, ...reminderDojos].map(({ dojoId }) => dojoId)
    for (const dojoId of dojoIds) await backdateReminderNotice(db, dojoId)
    return { senders: textingSensei.map((sensei) => ({ sensei })), dojoIds }
  })

const NAME_QUERIES = {
  marks: "select student_id || ' ' || class_date || ' ' || present as name from attendance",
  payments:
    "select student_id || ' ' || payment_year || '-' || payment_month as name " +
    "from payment_records where payment_status = 'paid'",
  batches: 'select id::text as name from message_batches',
}

export async function findLostWrites(writes: AcknowledgedWrites): Promise<string[]> {
  const lostNames: string[] = []
  for (const kind of Object.keys(NAME_QUERIES) as (keyof typeof NAME_QUERIES)[]) {
    const writtenNames = [...writes[kind]]
    const storedNames = new Set(
      (await queryPrimary<{ name: string }>(NAME_QUERIES[kind])).map(({ name }) => name),
    )
    lostNames.push(
      ...writtenNames.filter((name) => !storedNames.has(name)).map((name) => `${kind}: ${name}`),
    )
  }
  return lostNames
}

export function findDuplicates(messages: FakeMessage[]): string[] {
  const messagesByText = Map.groupBy(messages, ({ to, body }) => `${to} ${body}`)
  return [...messagesByText]
    .filter(([, copies]) => copies.length > 1)
    .map(([text, copies]) => `${copies.length} × ${text}`)
}

type Text = { dojo_id: string; kind: string; to: string; body: string; state: string }

const textsOf = (dojoIds: string[]) =>
  queryPrimary<Text>(
    `select m.dojo_id, b.kind, m.phone as to, m.text as body, m.state
     from messages m join message_batches b on b.dojo_id = m.dojo_id and b.id = m.batch_id
     where m.dojo_id = any($1) and m.phone is not null`,
    [dojoIds],
  )

export async function isSettled(dojoIds: string[]): Promise<boolean> {
  // Counts reminders first: if one is created after this query, the next query finds its texts.
  const [reminders] = await queryPrimary<{ dojos: number }>(
    `select count(distinct dojo_id)::int as dojos from message_batches
     where kind = 'pre_due' and dojo_id = any($1)`,
    [dojoIds],
  )
  const [row] = await queryPrimary<{ waiting: number }>(
    `select count(*)::int as waiting from messages
     where dojo_id = any($1) and state in ('queued', 'sending', 'in_doubt')`,
    [dojoIds],
  )
  return row?.waiting === 0 && reminders?.dojos === dojoIds.length
}

export type TextReport = {
  textCount: number
  /** Texts that the provider did not get exactly once, or got though they had to wait. */
  wrongTexts: string[]
  /** Dojos that did not send exactly one reminder. */
  wrongReminders: string[]
  wrongAllowances: string[]
  dojosAtLimit: number
}

/** Call this after all texts are sent. Checks that each arrived once, and that each dojo sent its
 *  reminder once and was charged for exactly the texts that it sent. */
export async function checkTexts(messages: FakeMessage[], dojoIds: string[]): Promise<TextReport> {
  const texts = await textsOf(dojoIds)
  const messagesByText = Map.groupBy(messages, ({ to, body }) => `${to} ${body}`)
  const wrongTexts = texts
    .filter(
      ({ to, body, state }) =>
        (messagesByText.get(`${to} ${body}`)?.length ?? 0) !== (state === 'waiting' ? 0 : 1),
    )
    .map(({ state, to, body }) => `${state}: ${to} ${body}`)
  const reminders = await queryPrimary<{ dojo_id: string; batches: number }>(
    `select dojo_id, count(*)::int as batches from message_batches
     where kind = 'pre_due' and dojo_id = any($1) group by dojo_id`,
    [dojoIds],
  )
  const batchCounts = new Map(reminders.map(({ dojo_id, batches }) => [dojo_id, batches]))
  const allowances = await queryPrimary<{ dojo_id: string; texts: number }>(
    `select dojo_id, sum(texts)::int as texts from allowance_entries
     where dojo_id = any($1) group by dojo_id`,
    [dojoIds],
  )
  const [{ limit } = { limit: DAILY_LIMIT_DEFAULT }] = await queryPrimary<{ limit: number }>(
    'select daily_message_limit as limit from system_config',
  )
  const sentTexts = Map.groupBy(
    texts.filter(({ state }) => state !== 'waiting'),
    ({ dojo_id }) => dojo_id,
  )
  const sentBy = (dojoId: string) => sentTexts.get(dojoId)?.length ?? 0
  return {
    textCount: texts.length,
    wrongTexts,
    wrongReminders: dojoIds.filter((id) => batchCounts.get(id) !== 1),
    wrongAllowances: allowances
      .filter(({ dojo_id, texts: usedTexts }) => usedTexts !== sentBy(dojo_id) || usedTexts > limit)
      .map(
        ({ dojo_id, texts: usedTexts }) =>
          `${dojo_id}: charged for ${usedTexts} texts, sent ${sentBy(dojo_id)}`,
      ),
    dojosAtLimit: allowances.filter(({ texts: usedTexts }) => usedTexts === limit).length,
  }
}
