import { SIBLING_ORDERS } from '@tatami/contract/dues/prices'
import { sql } from 'drizzle-orm'
import { check, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { cents, dojoId, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'

/** The reduction for a payer's n-th student. All rows of a dojo have the same `ordered_by`. */
export const siblingPrices = pgTable(
  'sibling_prices',
  {
    dojo_id: dojoId(),
    nth: smallint().notNull(),
    percent: smallint(),
    amount_off: cents(),
    ordered_by: text({ enum: SIBLING_ORDERS }).notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.nth),
    check('sibling_prices_one_kind', sql`num_nonnulls(${t.percent}, ${t.amount_off}) = 1`),
  ],
)

export const priceTables: TableRules[] = [
  { table: siblingPrices, exported: { name: 'sibling_prices', about: 'Prices for siblings' } },
]
