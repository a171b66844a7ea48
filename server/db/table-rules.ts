import type { SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** A file in the export of a dojo's data. */
export type ExportedFile = {
  name: string
  about: string
  /** Columns that are not exported: secrets, and data that only the server needs. */
  hidden?: readonly string[]
  /** Selects the rows of the dojo, in a table that all dojos share. */
  where?: (dojoId: string) => SQL
}

/** Each module's `tables.ts` has the rules of its tables, and server/tables.ts lists them all. */
export type TableRules = {
  table: PgTable
  /** Rows are deleted this many days after `since`. docs/SECURITY.md has the same numbers. */
  kept?: {
    since: PgColumn
    days: number
    /** What the privacy page calls this data. Left out if a row says nothing about a person. */
    description?: string
  }
  /** The serving role may only add rows, or may never delete one. */
  changes?: 'append only' | 'no deletes'
  /** What the role that reads all dojos must not see: the whole table, or these columns. */
  hiddenFromOverseer?: 'all' | readonly PgColumn[]
} & (
  | { exported: ExportedFile; global?: string }
  /** A table of dojos that is not exported. The text gives the reason. */
  | { notExported: string; exported?: never; global?: never }
  /** A table that belongs to no dojo, and why. All others have row-level security by dojo. */
  | { global: string; exported?: never }
)
