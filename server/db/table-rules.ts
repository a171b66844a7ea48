import type { SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** A file of a dojo's export. */
export type ExportedFile = {
  /** The file's name without its ending. */
  name: string
  /** What a line of it is, for the export's README. */
  about: string
  /** Columns that stay behind: secrets, or the server's own bookkeeping. */
  hidden?: readonly string[]
  /** Which rows belong to the dojo, in a table that several dojos share. */
  where?: (dojoId: string) => SQL
}

/** The rules of a table beyond its columns. Each `tables.ts` has its own; server/tables.ts, all. */
export type TableRules = {
  table: PgTable
  /** Rows are deleted this many days after `since`; docs/SECURITY.md says the same. */
  kept?: {
    since: PgColumn
    days: number
    /** What the privacy page calls this data. Left out where a row says nothing about a person. */
    description?: string
  }
  /** The serving role may only add rows, or may never delete one. */
  changes?: 'append only' | 'no deletes'
  /** What the role that reads across dojos must not see: the table, or these columns. */
  hiddenFromOverseer?: 'all' | readonly PgColumn[]
} & (
  | { exported: ExportedFile; global?: string }
  /** A dojo's table that its export leaves out, with the reason. */
  | { notExported: string; exported?: never; global?: never }
  /** Belongs to no dojo, with the reason. Every other table has a dojo's row-level security. */
  | { global: string; exported?: never }
)
