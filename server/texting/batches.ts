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
import { textSettings } from './settings.ts'
import { composeTexts, rowsOfText, type SharedText } from './shared-texts.ts'
import { messageBatches } from './tables.ts'

type NamedStudent = { id: string; name: string }

export async function welcomeStudent(tx: Tx, dojoId: string, student: NamedStudent): Promise<void> {
  if (!(await textSettings(tx)).welcome_message_enabled) return
  const parts = await partsAbout(tx, [student])
  if (parts.length === 0) return
  await queueBatchOrWait(tx, dojoId, {
    kind: 'welcome',
    text: WELCOME_TEXT,
    texts: composeTexts(WELCOME_TEXT, parts),
  })
}

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

/** Returns the students reached, or null if the day's texts are not enough for all. */
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

/** `sender_name` is who wrote a reply. */
export type NewBatch = {
  kind: BatchKind
  text: string
  sender_name?: string
  texts: SharedText[]
  skipped?: SkippedStudent[]
}

/** All or none (429). */
export async function queueBatch(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const day = await takeAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, batch.texts.length)
}

/** Texts beyond today's allowance wait. */
export async function queueBatchOrWait(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const { day, taken } = await takeAvailableAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, taken)
}

/** For automatic answers, which are free. */
export const queueFreeBatch = (tx: Tx, dojoId: string, batch: NewBatch): Promise<string> =>
  insertBatch(tx, dojoId, batch, null, batch.texts.length)

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
  // One parameter, however many thousand rows there are.
  await tx.execute(sql`
    insert into messages (id, batch_id, student_id, phone, text, amount, sent_with, is_shared,
      state, reason, allowance_day, due_at, updated_at)
    select id, ${batch_id}, student_id, phone, text, amount, sent_with, is_shared, state, reason,
      case when state = 'queued' and sent_with is null then ${allowance_day}::date end,
      case when state = 'queued' and sent_with is null then clock_timestamp() end, ${updatedAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, student_id uuid,
      phone text, text text, amount bigint, sent_with uuid, is_shared boolean, state text,
      reason text)`)
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
