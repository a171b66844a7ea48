import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { classes } from '../../classes/tables.ts'
import { createdAt, dojoId, id, reference, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'

/** A mark of a date that was canceled later. It counts again if the date is restored. */
export type KeptMark = {
  id: string
  student_id: string
  present: boolean
  class_name: string | null
  class_time: string | null
  class_location: string | null
  created_at: string
}

/** Class dates that differ from the weekly timetable. `day` is the weekly day, and `held_on` is the
 *  day on which the class takes place. */
export const classDates = pgTable(
  'class_dates',
  {
    dojo_id: dojoId(),
    class_id: uuid().notNull(),
    day: date().notNull(),
    held_on: date().notNull(),
    start_time: text(),
    end_time: text(),
    is_added: boolean().notNull().default(false),
    is_cancelled: boolean().notNull().default(false),
    reason: text(),
    substitute: text(),
    /** The substitute, if they are on the staff. They can then see the class on that day. */
    substitute_id: uuid(),
    kept_marks: jsonb().$type<KeptMark[]>().notNull().default([]),
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.class_id, t.day),
    unique('class_dates_held').on(t.dojo_id, t.class_id, t.held_on),
    index('class_dates_by_day').on(t.dojo_id, t.day),
    index('class_dates_by_held_day').on(t.dojo_id, t.held_on),
    reference('class_dates_class', [t.dojo_id, t.class_id], classes).onDelete('cascade'),
    check('class_dates_times', sql`(${t.start_time} is null) = (${t.end_time} is null)`),
  ],
)

export const holidays = pgTable(
  'holidays',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    first_day: date().notNull(),
    last_day: date().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('holidays_by_day').on(t.dojo_id, t.first_day),
    check('holidays_days', sql`${t.first_day} <= ${t.last_day}`),
  ],
)

export const timetableTables: TableRules[] = [
  {
    table: classDates,
    exported: {
      name: 'class_dates',
      about: 'Dates of classes that were canceled, moved or added, and substitutes',
      hidden: ['kept_marks'],
    },
  },
  { table: holidays, exported: { name: 'holidays', about: 'Days without classes' } },
]
