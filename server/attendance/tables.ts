import { sql } from 'drizzle-orm'
import { boolean, date, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { classes } from '../classes/tables.ts'
import { createdAt, dojoId, id, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

export const attendance = pgTable(
  'attendance',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    /** Null after the class was deleted. The next columns keep its name, time and place. */
    class_id: uuid(),
    class_name: text(),
    class_time: text(),
    class_location: text(),
    class_date: date().notNull(),
    present: boolean().notNull(),
    /** The member of staff who marked last. Null for check-ins at a kiosk and for older marks. */
    marked_by: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('attendance_student_class_date').on(t.dojo_id, t.student_id, t.class_id, t.class_date),
    // Without the id, all marks of a day share one entry, and the index is a tenth of the size.
    index('attendance_newest').on(t.dojo_id, t.class_date),
    index('attendance_of_student')
      .on(t.dojo_id, t.student_id, t.class_date)
      .where(sql`present`),
    index('attendance_of_class').on(t.dojo_id, t.class_id, t.class_date),
    reference('attendance_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    // The first migration narrows this to `set null (class_id)`, which Drizzle cannot express.
    reference('attendance_class', [t.dojo_id, t.class_id], classes).onDelete('set null'),
  ],
)

/** No index has this expression, so PostgreSQL searches by student instead of by day. */
export const unindexedClassDate = sql`(${attendance.class_date} + 0)`

export const attendanceTables: TableRules[] = [
  { table: attendance, exported: { name: 'attendance', about: 'Attendance' } },
]
