import { sql } from 'drizzle-orm'
import { boolean, date, index, pgTable, uuid } from 'drizzle-orm/pg-core'
import { classes } from '../../classes/tables.ts'
import { createdAt, dojoId, instant, reference, tenantKey } from '../../db/columns.ts'
import { students } from '../../students/tables.ts'
import type { TableRules } from '../../db/table-rules.ts'

export const placeRequests = pgTable(
  'place_requests',
  {
    dojo_id: dojoId(),
    class_id: uuid().notNull(),
    day: date().notNull(),
    student_id: uuid().notNull(),
    created_at: createdAt(),
    /** When the student got the place. Null for students on the waitlist. */
    given_at: instant(),
    /** True if the student got the place from the waitlist and has not been texted about it yet. */
    awaits_text: boolean().notNull().default(false),
    created_by: uuid().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.class_id, t.day, t.student_id),
    index('place_requests_by_day').on(t.dojo_id, t.day),
    index('place_requests_of_student').on(t.dojo_id, t.student_id),
    index('place_requests_awaiting_text')
      .on(t.dojo_id)
      .where(sql`awaits_text`),
    reference('place_requests_class', [t.dojo_id, t.class_id], classes).onDelete('cascade'),
    reference('place_requests_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

export const classDateTables: TableRules[] = [
  {
    table: placeRequests,
    exported: {
      name: 'place_requests',
      about: 'Students who asked for a place in a class with a limit, by date',
    },
  },
]
