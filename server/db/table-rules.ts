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
  /** Rows are deleted this many days after `since`. docs/SECURITY.md lists the same numbers. */
  kept?: {
    since: PgColumn
    days: number
    /** The name of this data on the privacy page. Omitted if the data is not about people. */
    description?: string
  }
  /** Which changes the database refuses. `append only` refuses to change or delete rows. */
  changes?: 'append only' | 'no deletes' | 'no updates'
  /** The columns that the role that reads all dojos must not see, or the whole table. */
  hiddenFromOverseer?: 'all' | readonly PgColumn[]
} & (
  | { exported: ExportedFile; global?: string }
  /** The reason why a table with rows of dojos is not exported. */
  | { notExported: string; exported?: never; global?: never }
  /** The reason why rows belong to no dojo. All other tables show each dojo only its own rows. */
  | { global: string; exported?: never }
)
