import { isNull, or, type SQL, sql } from 'drizzle-orm'
import { ledgerLines } from '../ledger/tables.ts'
import { studentPacks } from './tables.ts'

/** What the pack cost, in dollars. 0 after the sale was undone. */
export const packPrice: SQL<number> = sql<number>`coalesce((
  select sum(l.amount) from ${ledgerLines} l
  where l.dojo_id = ${studentPacks.dojo_id} and l.charge_id = ${studentPacks.charge_id}
    and l.kind = 'charge'), 0)::float8 / 100`

/** False after the sale was undone. */
export const isPackSold = or(isNull(studentPacks.charge_id), sql`${packPrice} > 0`)
