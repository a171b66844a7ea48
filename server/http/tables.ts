import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'

/** Replies to calls with an idempotency key. A repeated call gets the stored reply. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    dojo_id: dojoId(),
    key: text().notNull(),
    /** SHA-256 of the request, because a key may not be used again for another request. */
    request_hash: text().notNull(),
    /** Null after the person in the reply was deleted. */
    reply: jsonb(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.key),
    index('idempotency_keys_oldest').on(t.created_at, t.dojo_id),
  ],
)

export const httpTables: TableRules[] = [
  {
    table: idempotencyKeys,
    notExported: 'replies that the server keeps for a week',
    kept: {
      since: idempotencyKeys.created_at,
      days: 7,
      description:
        'Responses to recent requests, so that no request is carried out twice. They contain ' +
        'no passwords.',
    },
  },
]
