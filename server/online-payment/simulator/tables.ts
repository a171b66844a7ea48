import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'
import { onlinePayments } from '../tables.ts'

/** Pages of our simulator, which stand in for those of Stripe. */
export const simulatedCheckouts = pgTable(
  'simulated_checkouts',
  {
    dojo_id: dojoId(),
    id: id(),
    key: text().notNull(),
    payment_id: uuid().notNull(),
    cents: integer().notNull(),
    return_url: text().notNull(),
    state: text({ enum: ['open', 'declined', 'processing', 'paid', 'over'] }).notNull(),
    created_at: createdAt(),
    changed_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('simulated_checkouts_key').on(t.dojo_id, t.key),
    index('simulated_checkouts_of_payment').on(t.dojo_id, t.payment_id),
    index('simulated_checkouts_by_age').on(t.created_at, t.dojo_id),
    reference('simulated_checkouts_payment', [t.dojo_id, t.payment_id], onlinePayments).onDelete(
      'cascade',
    ),
  ],
)

export const simulatorTables: TableRules[] = [
  {
    table: simulatedCheckouts,
    notExported: 'attempts to try out online payment, in which no money moved',
    kept: { since: simulatedCheckouts.created_at, days: 30 },
  },
]
