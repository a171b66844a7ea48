import type { LeaveReason } from '@tatami/contract/students/leaving'
import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** `mark` is a hash of the row. If it differs at undo, the row was changed after the import. */
type MarkedRow = { id: string; mark: string }

/** What undo needs to know about an import: ids, hashes and days, but no personal data. */
export type ImportDetails = {
  students: MarkedRow[]
  merged: (MarkedRow & {
    fields: string[]
    notes: string[]
    class_ids: string[]
    guardian_ids: string[]
    /** Set for a former student whom the import re-enrolled. */
    left?: { left_on: string; reason: LeaveReason }
  })[]
  guardians: MarkedRow[]
  classes: MarkedRow[]
  /** Earlier releases did not store these. */
  consents?: string[]
  balance_acts?: string[]
  /** Plans that the import added. */
  plan_ids?: string[]
  /** Signatures on paper that the import added. */
  waiver_ids?: string[]
}

/** Imports, and the data for undoing them. */
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
    notExported: 'what an import created, kept while it can be undone',
    kept: {
      since: studentImports.created_at,
      days: 7,
      description: 'What is needed to undo an import of students',
    },
  },
]
