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
    /** Null once the class is deleted; its name, time and place stay below. */
    class_id: uuid(),
    class_name: text(),
    class_time: text(),
    class_location: text(),
    class_date: date().notNull(),
    present: boolean().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('attendance_student_class_date').on(t.dojo_id, t.student_id, t.class_id, t.class_date),
    // Without the id, a day's marks share one entry: a tenth of the size, and sorting a day by id costs nothing.
    index('attendance_newest').on(t.dojo_id, t.class_date),
    // The last class of each student, and how many there were lately.
    index('attendance_of_student')
      .on(t.dojo_id, t.student_id, t.class_date)
      .where(sql`present`),
    index('attendance_of_class').on(t.dojo_id, t.class_id, t.class_date),
    reference('attendance_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    // The baseline migration narrows it to `on delete set null (class_id)`, which Drizzle cannot express.
    reference('attendance_class', [t.dojo_id, t.class_id], classes).onDelete('set null'),
  ],
)

/** The day of a mark in a condition beside one of its student. As an expression it leads to no index, so the student's marks are found first:
 *  by the day PostgreSQL would read all of the dojo's, because it takes what students and days have in common for chance. */
export const dayOfTheirMark = sql`(${attendance.class_date} + 0)`

export const attendanceTables: TableRules[] = [
  { table: attendance, exported: { name: 'attendance', about: 'Attendance' } },
]
