import { EXCUSE_SOURCES } from '@tatami/contract/calendar/excuses'
import { date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { classes } from '../../classes/tables.ts'
import { createdAt, dojoId, reference, tenantKey } from '../../db/columns.ts'
import { students } from '../../students/tables.ts'
import type { TableRules } from '../../db/table-rules.ts'

/** If a student is both excused and marked, the mark counts. */
export const excuses = pgTable(
  'excuses',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    class_id: uuid().notNull(),
    class_date: date().notNull(),
    source: text({ enum: EXCUSE_SOURCES }).notNull(),
    /** Null for an excuse by text message. */
    created_by: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.class_id, t.class_date),
    index('excuses_of_day').on(t.dojo_id, t.class_date, t.class_id),
    index('excuses_of_class').on(t.dojo_id, t.class_id),
    reference('excuses_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('excuses_class', [t.dojo_id, t.class_id], classes).onDelete('cascade'),
  ],
)

export const excuseTables: TableRules[] = [
  {
    table: excuses,
    exported: { name: 'excuses', about: 'Students excused from a class on a day' },
  },
]
