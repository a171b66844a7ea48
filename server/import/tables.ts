import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** `mark` is a hash, by which a later change is noticed. */
type MarkedRow = { id: string; mark: string }

/** What an import made, for undo: ids and hashes, no personal data. */
export type ImportDetails = {
  students: MarkedRow[]
  /** Existing students, with what was filled in and added. */
  merged: (MarkedRow & {
    fields: string[]
    notes: string[]
    class_ids: string[]
    guardian_ids: string[]
  })[]
  guardians: MarkedRow[]
  classes: MarkedRow[]
  /** Missing in imports of earlier releases. */
  consents?: string[]
}

/** Imports, with what it takes to undo them for a day. */
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
      description: 'What is needed to undo an import of students',
    },
  },
]
