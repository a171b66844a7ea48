import { ANSWERS, GRADING_STATES, RESULTS } from '@tatami/contract/gradings/gradings'
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { beltChanges, ranks, styles } from '../belts/tables.ts'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { charges } from '../ledger/tables.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

export const gradings = pgTable(
  'gradings',
  {
    dojo_id: dojoId(),
    id: id(),
    style_id: uuid().notNull(),
    name: text().notNull(),
    held_on: date().notNull(),
    held_at: text(),
    place: text(),
    fee: cents(),
    /** The last day for answers. Null means the day of the belt test. */
    answer_until: date(),
    examiner: text(),
    state: text({ enum: GRADING_STATES }).notNull().default('draft'),
    created_at: createdAt(),
    finished_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('gradings_by_day').on(t.dojo_id, t.held_on),
    reference('gradings_style', [t.dojo_id, t.style_id], styles),
  ],
)

export const candidates = pgTable(
  'candidates',
  {
    dojo_id: dojoId(),
    grading_id: uuid().notNull(),
    student_id: uuid().notNull(),
    to_rank_id: uuid().notNull(),
    /** The rank before the belt test, saved when the test is finished. */
    from_rank_id: uuid(),
    from_stripes: smallint(),
    added_at: createdAt(),
    invited_at: instant(),
    answer: text({ enum: ANSWERS }).notNull().default('none'),
    answered_at: instant(),
    answered_by: uuid(),
    charge_id: uuid(),
    is_fee_waived: boolean().notNull().default(false),
    result: text({ enum: RESULTS }),
    stripes_given: smallint(),
    note: text(),
    belt_change_id: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.grading_id, t.student_id),
    index('candidates_of_student').on(t.dojo_id, t.student_id),
    reference('candidates_grading', [t.dojo_id, t.grading_id], gradings).onDelete('cascade'),
    reference('candidates_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('candidates_rank', [t.dojo_id, t.to_rank_id], ranks),
    reference('candidates_from_rank', [t.dojo_id, t.from_rank_id], ranks),
    reference('candidates_charge', [t.dojo_id, t.charge_id], charges).onDelete('cascade'),
    reference('candidates_belt_change', [t.dojo_id, t.belt_change_id], beltChanges).onDelete(
      'cascade',
    ),
  ],
)

/** The number of a revoked certificate is never used again. */
export const certificates = pgTable(
  'certificates',
  {
    dojo_id: dojoId(),
    id: id(),
    belt_change_id: uuid().notNull(),
    year: smallint().notNull(),
    number: integer().notNull(),
    code: text().notNull(),
    issued_at: createdAt(),
    revoked_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('certificates_number').on(t.dojo_id, t.year, t.number),
    unique('certificates_of_promotion').on(t.dojo_id, t.belt_change_id),
    // Anyone may check a code without knowing the dojo.
    index('certificates_by_code').on(t.code, t.dojo_id),
    reference('certificates_belt_change', [t.dojo_id, t.belt_change_id], beltChanges).onDelete(
      'cascade',
    ),
  ],
)

/** Remembers the last number, so that the number of a deleted certificate is not used again. */
export const certificateCounters = pgTable(
  'certificate_counters',
  { dojo_id: dojoId(), year: smallint().notNull(), last_number: integer().notNull() },
  (t) => [...tenantKey(t.dojo_id, t.year)],
)

export const gradingTables: TableRules[] = [
  {
    table: candidates,
    exported: {
      name: 'candidates',
      about: 'Candidates of each grading, with their answers and results',
    },
  },
  {
    table: certificateCounters,
    notExported: 'the last number of each year, which the certificates show too',
  },
  {
    table: certificates,
    exported: { name: 'certificates', about: 'Certificates by number' },
    changes: 'no deletes',
  },
  { table: gradings, exported: { name: 'gradings', about: 'Gradings, fees in dollars' } },
]
