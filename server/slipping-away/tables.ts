import { date, pgTable, uuid } from 'drizzle-orm/pg-core'
import { dojoId, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import { messageBatches } from '../texting/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

export const slippingTexts = pgTable(
  'slipping_texts',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    batch_id: uuid().notNull(),
    sent_on: date().notNull(),
    /** The first day on which a class counts as coming back: the day of the text or the next
     *  day. */
    counts_from: date().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.batch_id),
    reference('slipping_texts_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('slipping_texts_batch', [t.dojo_id, t.batch_id], messageBatches).onDelete('cascade'),
  ],
)

export const slippingAwayTables: TableRules[] = [
  {
    table: slippingTexts,
    exported: { name: 'slipping_texts', about: 'Texts to students who were at risk' },
  },
]
