import {
  type BatchKind,
  type SkipReason,
  encodeSkipReason,
  WELCOME_TEXT,
} from '@tatami/contract/texting/message-types'
import { sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { takeAllowance, takeAvailableAllowance, readUsageToday } from './allowance.ts'
import { enqueueDojo } from './delivery/queue.ts'
import { recordQueued } from './delivery/trail.ts'
import { findPhonesOfStudents } from './phones.ts'
import { listUndeliverableKeys, findOptOuts } from './opt-outs.ts'
import { readTextSettings } from './settings.ts'
import { composeTexts, createTextRows, type SharedText } from './shared-texts.ts'
import { messageBatches } from './tables.ts'

type NamedStudent = { id: string; name: string }

export async function welcomeStudent(tx: Tx, dojoId: string, student: NamedStudent): Promise<void> {
  if (!(await readTextSettings(tx)).welcome_message_enabled) return
  const addressees = await listReachableAddressees(tx, [student])
  if (addressees.length === 0) return
  await queueBatchOrWait(tx, dojoId, {
    kind: 'welcome',
    text: WELCOME_TEXT,
    texts: composeTexts(WELCOME_TEXT, addressees),
  })
}

async function listReachableAddressees(tx: Tx, students: NamedStudent[]) {
  const phonesByStudent = await findPhonesOfStudents(tx, 'classes', pluck(students, 'id'))
  const optedOutPhones = await findOptOuts(
    tx,
    [...phonesByStudent.values()].flat().map(({ phone }) => phone),
  )
  const undeliverableKeys = await listUndeliverableKeys(tx)
  return students.flatMap(({ id, name }) =>
    (phonesByStudent.get(id) ?? [])
      .filter(({ phone }) => !optedOutPhones.has(phone) && !undeliverableKeys.has(`${id} ${phone}`))
      .map(({ phone }) => ({ student_id: id, name, phone })),
  )
}

/** Returns the ids of the students who get a text. Queues nothing, and returns null, if today's
 *  allowance is too small. */
export async function queueIfAllowanceSuffices(
  tx: Tx,
  dojoId: string,
  { kind, text, students }: { kind: BatchKind; text: string; students: NamedStudent[] },
): Promise<string[] | null> {
  const addressees = await listReachableAddressees(tx, students)
  const texts = composeTexts(text, addressees)
  if (texts.length > (await readUsageToday(tx)).remaining_messages) return null
  if (texts.length > 0) await queueBatch(tx, dojoId, { kind, text, texts })
  return pluck(addressees, 'student_id')
}

type SkippedStudent = { student_id: string; reason: SkipReason; promised_on?: string | null }

export type NewBatch = {
  kind: BatchKind
  text: string
  /** The sender's name. Automatic texts have none. */
  sender_name?: string
  texts: SharedText[]
  skipped?: SkippedStudent[]
}

/** Throws 429 if today's allowance is too small. */
export async function queueBatch(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const day = await takeAllowance(tx, dojoId, batch.texts.length, batch.kind)
  return insertBatch(tx, dojoId, batch, day, batch.texts.length)
}

/** Texts beyond today's allowance wait for the next one. */
export async function queueBatchOrWait(tx: Tx, dojoId: string, batch: NewBatch): Promise<string> {
  const { day, allowedCount } = await takeAvailableAllowance(
    tx,
    dojoId,
    batch.texts.length,
    batch.kind,
  )
  return insertBatch(tx, dojoId, batch, day, allowedCount)
}

/** Queues automatic answers, which do not count toward the allowance. */
export const queueFreeBatch = (tx: Tx, dojoId: string, batch: NewBatch): Promise<string> =>
  insertBatch(tx, dojoId, batch, null, batch.texts.length)

async function insertBatch(
  tx: Tx,
  dojoId: string,
  batch: NewBatch,
  allowance_day: string | null,
  allowedCount: number,
): Promise<string> {
  const { kind, text, sender_name, texts, skipped = [] } = batch
  const batch_id = newId()
  const updatedAt = nowIso()
  await tx.insert(messageBatches).values({ id: batch_id, kind, text, sender_name })
  const queuedRows = texts.flatMap((sharedText, index) => {
    const state = index < allowedCount ? 'queued' : 'waiting'
    return createTextRows(sharedText).map((row) => ({ ...row, state }))
  })
  const rows = [
    ...queuedRows,
    ...skipped.map((student) => ({
      id: newId(),
      student_id: student.student_id,
      reason: encodeSkipReason(student),
      is_shared: false,
      state: 'skipped',
    })),
  ]
  // Sends all rows as one parameter, because a batch may have thousands of rows.
  await tx.execute(sql`
    insert into messages (id, batch_id, student_id, phone, text, amount, sent_with, is_shared,
      state, reason, allowance_day, due_at, updated_at)
    select id, ${batch_id}, student_id, phone, text, amount, sent_with, is_shared, state, reason,
      case when state = 'queued' and sent_with is null then ${allowance_day}::date end,
      case when state = 'queued' and sent_with is null then clock_timestamp() end, ${updatedAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, student_id uuid,
      phone text, text text, amount bigint, sent_with uuid, is_shared boolean, state text,
      reason text)`)
  if (allowedCount > 0) await enqueueDojo(tx, dojoId)
  recordQueued(tx, {
    dojo: dojoId,
    batch: batch_id,
    kind,
    texts: allowedCount,
    waiting: texts.length - allowedCount,
    skipped: skipped.length,
  })
  return batch_id
}
