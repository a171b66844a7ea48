/** Creates the dojos of the failover test, and checks that no write or text is lost or repeated. */
import { sql } from 'drizzle-orm'
import {
  createClass,
  createSensei,
  createStudents,
  connectForFixtures,
  type FixtureSensei,
} from '../../server/test/fixtures.ts'
import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/texting/texting'
import type { FakeMessage } from '../../server/test/fake-twilio.ts'
import type { ConfirmedWrites } from './clients.ts'
import { queryPrimary } from './cluster.ts'
import { databaseUrls } from './settings.ts'

const QUIET_DOJOS = 4
const STUDENTS_PER_QUIET_DOJO = 2
const MARKED_STUDENTS = 2
const STEADY_DOJO_STUDENTS = 2
/** Enough students that the dojo soon reaches its daily limit of texts. */
const BUSY_DOJO_STUDENTS = 30
const HOUR_MS = 3_600_000
let nextPhone = Math.floor(Math.random() * 1_000_000)

async function withFixtures<Result>(
  work: (db: ReturnType<typeof connectForFixtures>) => Promise<Result>,
): Promise<Result> {
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
  await createStudents(db, sensei.dojoId, students, { firstNumber: nextPhone })
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

/** Creates two dojos that send bulk messages, and four that send nothing. In each dojo, it is one
 *  student's birthday, so the instructor should get one notification. */
export const createRound = () =>
  withFixtures(async (db) => {
    const textingSensei = [
      await createDojo(db, STEADY_DOJO_STUDENTS),
      await createDojo(db, BUSY_DOJO_STUDENTS),
    ]
    const quietSensei: FixtureSensei[] = []
    for (let index = 0; index < QUIET_DOJOS; index += 1)
      quietSensei.push(await createDojo(db, STUDENTS_PER_QUIET_DOJO))
    const dojoIds = [...textingSensei, ...quietSensei].map(({ dojoId }) => dojoId)
    for (const dojoId of dojoIds) await setBirthdayToday(db, dojoId)
    return { senders: textingSensei.map((sensei) => ({ sensei })), dojoIds }
  })

/** Moves the dojo to a time zone where it is noon, because birthday notifications are sent after
 *  7 am. */
async function setBirthdayToday(db: ReturnType<typeof connectForFixtures>, dojoId: string) {
  const now = new Date()
  const hoursAhead = 12 - now.getUTCHours()
  // These zones have the opposite sign: Etc/GMT-2 is two hours ahead.
  const timeZone = `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`
  const monthAndDay = new Date(now.getTime() + hoursAhead * HOUR_MS).toISOString().slice(5, 10)
  await db.inDojo(dojoId, async (tx) => {
    await tx.execute(sql`update dojos set time_zone = ${timeZone} where id = ${dojoId}`)
    await tx.execute(sql`update students set date_of_birth = ${`2016-${monthAndDay}`}
      where id = (select id from students limit 1)`)
  })
}

const NAME_QUERIES = {
  marks: "select student_id || ' ' || class_date || ' ' || present as name from attendance",
  payments:
    "select student_id || ' ' || payment_year || '-' || payment_month as name " +
    "from payment_records where payment_status = 'paid'",
  batches: 'select id::text as name from message_batches',
}

export async function findLostWrites(writes: ConfirmedWrites): Promise<string[]> {
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

const readTexts = (dojoIds: string[]) =>
  queryPrimary<Text>(
    `select m.dojo_id, b.kind, m.phone as to, m.text as body, m.state
     from messages m join message_batches b on b.dojo_id = m.dojo_id and b.id = m.batch_id
     where m.dojo_id = any($1) and m.phone is not null`,
    [dojoIds],
  )

export async function isSettled(dojoIds: string[]): Promise<boolean> {
  const noticeCounts = await countBirthdayNotices(dojoIds)
  const [row] = await queryPrimary<{ waiting: number }>(
    `select count(*)::int as waiting from messages
     where dojo_id = any($1) and state in ('queued', 'sending', 'in_doubt')`,
    [dojoIds],
  )
  return row?.waiting === 0 && noticeCounts.size === dojoIds.length
}

/** Returns the number of birthday notices by the dojo's id. */
async function countBirthdayNotices(dojoIds: string[]): Promise<Map<string, number>> {
  const rows = await queryPrimary<{ dojo_id: string; notices: number }>(
    `select dojo_id, count(*)::int as notices from notifications
     where title = 'A birthday today' and dojo_id = any($1) group by dojo_id`,
    [dojoIds],
  )
  return new Map(rows.map(({ dojo_id, notices }) => [dojo_id, notices]))
}

export type TextReport = {
  textCount: number
  /** Texts that the provider did not get exactly once, or got although they had to wait. */
  wrongTexts: string[]
  /** Dojos whose instructor did not get exactly one notice of the birthday. */
  wrongNotices: string[]
  wrongAllowances: string[]
  dojosAtLimit: number
}

/** Checks that each text arrived once, that each dojo got one birthday notification, and that the
 *  allowance of each dojo counts exactly the texts that it sent. Call this after all texts were
 *  sent. */
export async function checkTexts(messages: FakeMessage[], dojoIds: string[]): Promise<TextReport> {
  const texts = await readTexts(dojoIds)
  const messagesByText = Map.groupBy(messages, ({ to, body }) => `${to} ${body}`)
  const wrongTexts = texts
    .filter(
      ({ to, body, state }) =>
        (messagesByText.get(`${to} ${body}`)?.length ?? 0) !== (state === 'waiting' ? 0 : 1),
    )
    .map(({ state, to, body }) => `${state}: ${to} ${body}`)
  const noticeCounts = await countBirthdayNotices(dojoIds)
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
  const countSentTexts = (dojoId: string) => sentTexts.get(dojoId)?.length ?? 0
  return {
    textCount: texts.length,
    wrongTexts,
    wrongNotices: dojoIds.filter((id) => noticeCounts.get(id) !== 1),
    wrongAllowances: allowances
      .filter(
        ({ dojo_id, texts: usedTexts }) =>
          usedTexts !== countSentTexts(dojo_id) || usedTexts > limit,
      )
      .map(
        ({ dojo_id, texts: usedTexts }) =>
          `${dojo_id}: charged for ${usedTexts} texts, sent ${countSentTexts(dojo_id)}`,
      ),
    dojosAtLimit: allowances.filter(({ texts: usedTexts }) => usedTexts === limit).length,
  }
}
