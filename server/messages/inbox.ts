import { PAGE, type Page } from '@tatami/contract/fields'
import type { IncomingText } from '@tatami/contract/messages'
import { desc, eq, lt } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { students } from '../students/tables.ts'
import { incomingTexts } from './tables.ts'

/** What people wrote back, newest first. */
export const inboxOf = (tx: Tx, { limit = PAGE, before }: Page): Promise<IncomingText[]> => tx.select({
  id: incomingTexts.id, student_id: incomingTexts.student_id, name: students.name, phone_number: incomingTexts.phone, text: incomingTexts.text, received_at: incomingTexts.received_at,
}).from(incomingTexts).leftJoin(students, eq(students.id, incomingTexts.student_id))
  .where(before ? lt(incomingTexts.id, before) : undefined).orderBy(desc(incomingTexts.id)).limit(limit)
