import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, reference, tenantKey } from '../../db/columns.ts'
import { students } from '../../students/tables.ts'
import type { TableRules } from '../../db/table-rules.ts'

export const announcements = pgTable(
  'announcements',
  {
    dojo_id: dojoId(),
    id: id(),
    /** Set if the announcement is for a single student. It is deleted together with the student. */
    student_id: uuid(),
    title: text().notNull(),
    category: text().notNull(),
    content: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    reference('announcements_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    index('announcements_of_student')
      .on(t.dojo_id, t.student_id)
      .where(sql`student_id is not null`),
  ],
)

export const announcementTables: TableRules[] = [
  { table: announcements, exported: { name: 'announcements', about: 'Announcements' } },
]
