import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, tenantPolicies } from '../db/columns.ts'
import { students } from '../students/tables.ts'

export const announcements = pgTable(
  'announcements',
  {
    dojo_id: dojoId(),
    id: id(),
    title: text().notNull(),
    category: text().notNull(),
    content: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.dojo_id, t.id] }), ...tenantPolicies()],
)

/** Whom an announcement was meant for. */
export const announcementStudents = pgTable(
  'announcement_students',
  {
    dojo_id: dojoId(),
    announcement_id: uuid().notNull(),
    student_id: uuid().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.dojo_id, t.student_id, t.announcement_id] }),
    index('announcement_students_of_announcement').on(t.dojo_id, t.announcement_id),
    foreignKey({
      name: 'announcement_students_announcement',
      columns: [t.dojo_id, t.announcement_id],
      foreignColumns: [announcements.dojo_id, announcements.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'announcement_students_student',
      columns: [t.dojo_id, t.student_id],
      foreignColumns: [students.dojo_id, students.id],
    }).onDelete('cascade'),
    ...tenantPolicies(),
  ],
)
