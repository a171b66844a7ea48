import { DEFAULT_PAGE_SIZE, type Page } from '@tatami/contract/lib/fields'
import type { IncomingText } from '@tatami/contract/texting/text-history'
import { and, asc, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { students } from '../students/tables.ts'
import { recountUnread } from './conversations/conversations.ts'
import { parseKeyword } from './conversations/keywords.ts'
import { conversations } from './conversations/tables.ts'
import { pick } from '../lib/rows.ts'
import { incomingTexts } from './tables.ts'

export async function listInbox(
  tx: Tx,
  { limit = DEFAULT_PAGE_SIZE, before }: Page,
): Promise<IncomingText[]> {
  const rows = await tx
    .select({
      id: incomingTexts.id,
      student_id: incomingTexts.student_id,
      name: students.name,
      phone_number: incomingTexts.phone,
      ...pick(incomingTexts, 'text', 'received_at', 'read_at'),
    })
    .from(incomingTexts)
    .leftJoin(students, eq(students.id, incomingTexts.student_id))
    .where(before ? lt(incomingTexts.id, before) : undefined)
    .orderBy(desc(incomingTexts.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, wish: parseKeyword(row.text) }))
}

export const countUnread = async (tx: Tx) => ({
  unread_count: await tx.$count(incomingTexts, isNull(incomingTexts.read_at)),
})

export async function markInboxRead(tx: Tx, ids: string[]): Promise<void> {
  await lockConversations(tx, ids)
  const readTexts = await tx
    .update(incomingTexts)
    .set({ read_at: nowIso() })
    .where(and(equalsAny(incomingTexts.id, ids), isNull(incomingTexts.read_at)))
    .returning({ phone: incomingTexts.phone })
  await recountUnread(tx, [...new Set(readTexts.map(({ phone }) => phone))])
}

/** Locks the conversations of these texts, so that no text comes in while unread texts are counted.
 *  All calls lock in the same order, which avoids deadlocks. */
async function lockConversations(tx: Tx, ids: string[]): Promise<void> {
  const phones = tx
    .select({ phone: incomingTexts.phone })
    .from(incomingTexts)
    .where(equalsAny(incomingTexts.id, ids))
  await tx
    .select({ phone: conversations.phone })
    .from(conversations)
    .where(inArray(conversations.phone, phones))
    .orderBy(asc(conversations.phone))
    .for('update')
}
