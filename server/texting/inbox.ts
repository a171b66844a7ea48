import { PAGE, type Page } from '@tatami/contract/fields'
import type { IncomingText } from '@tatami/contract/text-history'
import { and, count, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { nowIso } from '../lib/clock.ts'
import type { Tx } from '../db/database.ts'
import { students } from '../students/tables.ts'
import { wishIn } from './stop-words.ts'
import { incomingTexts } from './tables.ts'

/** What people wrote back, newest first. */
export async function inboxOf(tx: Tx, { limit = PAGE, before }: Page): Promise<IncomingText[]> {
  const rows = await tx
    .select({
      id: incomingTexts.id,
      student_id: incomingTexts.student_id,
      name: students.name,
      phone_number: incomingTexts.phone,
      text: incomingTexts.text,
      received_at: incomingTexts.received_at,
      read_at: incomingTexts.read_at,
    })
    .from(incomingTexts)
    .leftJoin(students, eq(students.id, incomingTexts.student_id))
    .where(before ? lt(incomingTexts.id, before) : undefined)
    .orderBy(desc(incomingTexts.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, wish: wishIn(row.text) }))
}

export async function inboxUnread(tx: Tx): Promise<{ unread_count: number }> {
  const [unread] = await tx.select({ unread_count: count() }).from(incomingTexts).where(isNull(incomingTexts.read_at))
  return unread!
}

/** Reading again keeps the first moment; what is not there (any more) is left out. */
export const markInboxRead = (tx: Tx, ids: string[]) =>
  tx
    .update(incomingTexts)
    .set({ read_at: nowIso() })
    .where(and(inArray(incomingTexts.id, ids), isNull(incomingTexts.read_at)))
