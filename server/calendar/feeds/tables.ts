import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from '../../accounts/tables.ts'
import { createdAt, dojoId, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'

export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    dojo_id: dojoId(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    token_hash: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.account_id),
    index('calendar_feeds_of_account').on(t.account_id),
    index('calendar_feeds_by_token').on(t.dojo_id, t.token_hash),
  ],
)

export const calendarFeedTables: TableRules[] = [
  {
    table: calendarFeeds,
    notExported: 'hashes of private calendar addresses',
    hiddenFromOverseer: [calendarFeeds.token_hash],
  },
]
