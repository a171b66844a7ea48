import {
  type BatchKind,
  type SkipReason,
  storedSkipReason,
  WELCOME_TEXT,
} from '@tatami/contract/texting/message-types'
import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { takeAllowance, takeAvailableAllowance, usageToday } from './allowance.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { recordQueued } from './delivery/trail.ts'
import { phonesOfStudents } from './phones.ts'
import { listUndeliverable, optedOutAmong } from './opt-outs.ts'
import { welcomeEnabled } from './settings.ts'
import { composeTexts, rowsOfText, type SharedText } from './shared-texts.ts'
import { messageBatches } from './tables.ts'

type NamedStudent = { id: string; name: string }

/** Sends a welcome text about a new student, where the dojo has switched that on and a phone can get texts. */
export async function welcomeStudent(tx: Tx, dojoId: string, student: NamedStudent): Promise<void> {
  if (!(await welcomeEnabled(tx))) return
  const parts = await partsAbout(tx, [student])
  if (parts.length === 0) return
  await queueBatchOrWait(tx, dojoId, {
    kind: 'welcome',
    text: WELCOME_TEXT,
    texts: composeTexts(WELCOME_TEXT, parts),
  })
}

/** The phones that get texts about these students and their classes, also while somebody is on vacation. */
async function partsAbout(tx: Tx, students: NamedStudent[]) {
  const phonesOf = await phonesOfStudents(tx, 'classes', pluck(students, 'id'))
  const optedOut = await optedOutAmong(
    tx,
    [...phonesOf.values()].flat().map(({ phone }) => phone),
  )
  const undeliverable = await listUndeliverable(tx)
  return students.flatMap(({ id, name }) =>
    (phonesOf.get(id) ?? [])
      .filter(({ phone }) => !optedOut.has(phone) && !undeliverable.has(`${id} ${phone}`))
      .map(({ phone }) => ({ student_id: id, name, phone })),
  )
}

/** Texts just these students, who wait for it, and answers those whom it reaches; null where the day's texts do not suffice, and none goes out. */
export async function textUnlessFull(
  tx: Tx,
  dojoId: string,
  { kind, text, students }: { kind: BatchKind; text: string; students: NamedStudent[] },
): Promise<string[] | null> {
  const parts = await partsAbout(tx, students)
  const texts = composeTexts(text, parts)
  if (texts.length > (await usageToday(tx)).remaining_messages) return null
  if (texts.length > 0) await queueBatch(tx, dojoId, { kind, text, texts })
  return pluck(parts, 'student_id')
}

type SkippedStudent = { student_id: string; reason: SkipReason; promised_on?: string | null }

/** A message with its texts, and the students who get none, so that the instructor sees why. `sender_name` is who wrote a reply. */
export type NewBatch = {
  kind: BatchKind
  text: string
  sender_name?: string
  texts: SharedText[]
  skipped?: SkippedStudent[]
}

/** Queues all texts, or none and answers 429 when the day's allowance has no room for them. Nothing leaves before the transaction
 *  commits. */
export async function queueBatch(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const day = await takeAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, batch.texts.length)
}

/** Queues the texts for which there is room today; the others wait for the next UTC day. */
export async function queueBatchOrWait(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const { day, taken } = await takeAvailableAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, taken)
}

/** Queues texts that no allowance is asked for: the automatic answers to commands. */
export const queueFreeBatch = (tx: Tx, dojoId: string, batch: NewBatch): Promise<string> =>
  insertBatch(tx, dojoId, batch, null, batch.texts.length)

/** The first `room` texts are queued, the others wait. */
async function insertBatch(
  tx: Tx,
  dojoId: string,
  batch: NewBatch,
  allowance_day: string | null,
  room: number,
): Promise<string> {
  const { kind, text, sender_name, texts, skipped = [] } = batch
  const batch_id = newId(),
    updatedAt = nowIso()
  await tx.insert(messageBatches).values({ id: batch_id, kind, text, sender_name })
  const queuedRows = texts.flatMap((sharedText, index) => {
    const state = index < room ? 'queued' : 'waiting'
    return rowsOfText(sharedText).map((row) => ({ ...row, state }))
  })
  const rows = [
    ...queuedRows,
    ...skipped.map((student) => ({
      id: newId(),
      student_id: student.student_id,
      reason: storedSkipReason(student),
      is_shared: false,
      state: 'skipped',
    })),
  ]
  // One statement and one parameter, however many thousand rows there are.
  await tx.execute(sql`insert into messages (id, batch_id, student_id, phone, text, amount, sent_with, is_shared, state, reason, allowance_day, due_at, updated_at)
    select id, ${batch_id}, student_id, phone, text, amount, sent_with, is_shared, state, reason,
      case when state = 'queued' and sent_with is null then ${allowance_day}::date end,
      case when state = 'queued' and sent_with is null then clock_timestamp() end, ${updatedAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, student_id uuid, phone text, text text, amount bigint, sent_with uuid, is_shared boolean, state text, reason text)`)
  if (room > 0) await enqueueDojo(tx, dojoId)
  recordQueued(tx, {
    dojo: dojoId,
    batch: batch_id,
    kind,
    texts: room,
    waiting: texts.length - room,
    skipped: skipped.length,
  })
  return batch_id
}
