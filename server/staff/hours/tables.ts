import { HOURS_SOURCES } from '@tatami/contract/staff/hours'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'
import { kiosks } from '../../kiosk/tables.ts'
import { instructors } from '../../sensei/tables.ts'

/** When staff worked. Each entry is within one day, in the school's time zone. */
export const staffHours = pgTable(
  'staff_hours',
  {
    dojo_id: dojoId(),
    id: id(),
    person_id: uuid().notNull(),
    day: date().notNull(),
    /** Null if only the minutes were entered, like `ends_at`. */
    starts_at: instant(),
    ends_at: instant(),
    minutes: integer().notNull(),
    task: text().notNull(),
    source: text({ enum: HOURS_SOURCES }).notNull(),
    /** The class that was taught. If the column were called `class_id`, staff who see only other
     *  classes could not see their own hours. */
    taught_class_id: uuid(),
    class_name: text(),
    /** True for the part after midnight, which is not paid as another class. */
    is_continuation: boolean().notNull().default(false),
    approved_by: uuid(),
    approved_at: instant(),
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('staff_hours_class').on(t.dojo_id, t.person_id, t.taught_class_id, t.day),
    index('staff_hours_of_person').on(t.dojo_id, t.person_id, t.day),
    index('staff_hours_by_day').on(t.dojo_id, t.day),
    reference('staff_hours_person', [t.dojo_id, t.person_id], instructors).onDelete('cascade'),
    check('staff_hours_minutes', sql`${t.minutes} > 0`),
    // A check also passes if its result is null.
    check(
      'staff_hours_times',
      sql`(${t.starts_at} is null) = (${t.ends_at} is null) and ${t.starts_at} < ${t.ends_at}`,
    ),
  ],
)

/** Shifts that were started at a kiosk and have not become hours yet. */
export const staffShifts = pgTable(
  'staff_shifts',
  {
    dojo_id: dojoId(),
    id: id(),
    person_id: uuid().notNull(),
    kiosk_id: uuid().notNull(),
    started_at: instant().notNull(),
    /** Set if the shift ended but overlaps other hours. */
    ended_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('staff_shifts_of_person').on(t.dojo_id, t.person_id),
    index('staff_shifts_of_kiosk').on(t.dojo_id, t.kiosk_id),
    reference('staff_shifts_person', [t.dojo_id, t.person_id], instructors).onDelete('cascade'),
    reference('staff_shifts_kiosk', [t.dojo_id, t.kiosk_id], kiosks),
  ],
)

/** Suggested classes that the person did not teach. They are not suggested again. */
export const declinedClasses = pgTable(
  'declined_classes',
  {
    dojo_id: dojoId(),
    person_id: uuid().notNull(),
    taught_class_id: uuid().notNull(),
    day: date().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.person_id, t.taught_class_id, t.day),
    index('declined_classes_oldest').on(t.created_at, t.dojo_id),
    reference('declined_classes_person', [t.dojo_id, t.person_id], instructors).onDelete('cascade'),
  ],
)

/** PINs with which staff start and end work at a kiosk. */
export const workPins = pgTable(
  'work_pins',
  {
    dojo_id: dojoId(),
    person_id: uuid().notNull(),
    /** HMAC with the dojo's secret. */
    pin_hash: text().notNull(),
    changed_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.person_id),
    unique('work_pins_hash').on(t.dojo_id, t.pin_hash),
    reference('work_pins_person', [t.dojo_id, t.person_id], instructors).onDelete('cascade'),
  ],
)

export const hoursTables: TableRules[] = [
  { table: staffHours, exported: { name: 'staff_hours', about: 'Hours of the staff' } },
  {
    table: staffShifts,
    exported: { name: 'staff_shifts', about: 'Work started at a kiosk and not yet ended' },
  },
  {
    table: declinedClasses,
    notExported: 'only keeps a class from being suggested again',
    kept: {
      since: declinedClasses.created_at,
      days: 60,
      description: 'Which suggested classes staff did not teach',
    },
  },
  {
    table: workPins,
    notExported: 'hashes of PINs, from which no PIN can be read',
    hiddenFromOverseer: [workPins.pin_hash],
  },
]
