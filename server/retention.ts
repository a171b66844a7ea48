import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { lt, type SQL, sql } from 'drizzle-orm'
import type { Tx } from './db/database.ts'
import type { TableRules } from './db/table-rules.ts'
import { now } from './lib/clock.ts'
import type { RetainedData } from './privacy/privacy.ts'
import { TABLES } from './tables.ts'

type KeptTable = TableRules & { kept: NonNullable<TableRules['kept']> }

const KEPT_TABLES = TABLES.filter((rules): rules is KeptTable => rules.kept !== undefined)
const KEPT_DOJO_TABLES = KEPT_TABLES.filter((rules) => rules.global === undefined)

const isExpired = ({ kept }: KeptTable) =>
  lt(kept.since, new Date(now().getTime() - kept.days * DAY_MS).toISOString())

async function deleteExpired(tx: Tx, tables: KeptTable[]) {
  for (const rules of tables) await tx.delete(rules.table).where(isExpired(rules))
}

/** A query for the overseer, which selects the dojos that have expired rows. Each table has an
 *  index for it. */
export const findDojosWithExpired = (): SQL =>
  sql.join(
    KEPT_DOJO_TABLES.map(
      (rules) => sql`select dojo_id from ${rules.table} where ${isExpired(rules)}`,
    ),
    sql` union all `,
  )

export const deleteExpiredOfDojo = (tx: Tx): Promise<void> => deleteExpired(tx, KEPT_DOJO_TABLES)

/** Runs as the super admins' inbox, so row-level security hides the rows of the dojos. */
export const deleteExpiredGlobal = (tx: Tx): Promise<void> => deleteExpired(tx, KEPT_TABLES)

export const retainedData: RetainedData[] = KEPT_TABLES.flatMap(({ kept: { description, days } }) =>
  description ? [{ description, days }] : [],
).toSorted((first, second) => second.days - first.days)
