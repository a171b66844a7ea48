import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

export const classes = pgTable(
  'classes',
  {
    dojo_id: dojoId(),
    id: id(),
    class_name: text().notNull(),
    description: text(),
    class_days: text({ enum: WEEKDAYS }).array().notNull().default([]),
    class_start_time: text(),
    class_end_time: text(),
    created_at: createdAt(),
    // Older records use the following columns for days and times. Only an import fills them in.
    class_day: text(),
    location: text(),
    class_time: text(),
    time: text(),
    day: text(),
    days: text(),
    start_time: text(),
    end_time: text(),
    /** The most students on one date. Null means no limit. */
    places: smallint(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

export const classTables: TableRules[] = [
  { table: classes, exported: { name: 'classes', about: 'Classes' } },
]
