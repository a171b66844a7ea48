import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** `mark` is a hash of the row and of what hangs on it, by which a later change is noticed. */
type MarkedRow = { id: string; mark: string }

/** What an import made, for its undoing: ids and hashes, no data of anybody. */
export type ImportDetails = {
  students: MarkedRow[]
  /** Students who were there before: which of their fields it filled in, and which rows it added to them. */
  merged: (MarkedRow & {
    fields: string[]
    notes: string[]
    class_ids: string[]
    guardian_ids: string[]
  })[]
  guardians: MarkedRow[]
  classes: MarkedRow[]
  /** Opt-outs from texts that it recorded; none in imports before there were any. */
  consents?: string[]
}

/** Sheets of students that an instructor imported, with what it takes to undo that for a day. */
export const studentImports = pgTable(
  'student_imports',
  {
    dojo_id: dojoId(),
    id: id(),
    actor_id: uuid().notNull(),
    created_at: createdAt(),
    undone_at: instant(),
    details: jsonb().$type<ImportDetails>().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('student_imports_oldest').on(t.created_at, t.dojo_id),
  ],
)

export const importTables: TableRules[] = [
  {
    table: studentImports,
    notExported: 'what an import made, for the day in which it can be taken back',
    kept: {
      since: studentImports.created_at,
      days: 7,
      words: 'What is needed to undo an import of students',
    },
  },
]
