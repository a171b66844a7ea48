import type { DatabaseRules } from './db/migrate.ts'
import type { TableRules } from './db/table-rules.ts'
import { SCHEDULE_QUEUE } from './schedule.ts'
import { TABLES } from './tables.ts'
import { OWN_SENDING_QUEUE, SENDING_QUEUE } from './texting/delivery/queue.ts'
import { RECONCILE_QUEUE } from './texting/delivery/reconcile.ts'

const filterTables = (matches: (rules: TableRules) => boolean) =>
  TABLES.filter(matches).map(({ table }) => table)

/** What the database itself enforces. The server sets it up at each start. */
export const DATABASE_RULES: DatabaseRules = {
  appendOnly: filterTables(({ changes }) => changes === 'append only'),
  neverDeleted: filterTables(({ changes }) => changes === 'no deletes'),
  neverUpdated: filterTables(({ changes }) => changes === 'no updates'),
  hiddenFromOverseer: filterTables(({ hiddenFromOverseer }) => hiddenFromOverseer === 'all'),
  columnsHiddenFromOverseer: TABLES.flatMap(({ hiddenFromOverseer = [] }) =>
    hiddenFromOverseer === 'all' ? [] : hiddenFromOverseer,
  ),
  queues: [
    { name: SCHEDULE_QUEUE, isEveryMinute: true },
    { name: SENDING_QUEUE },
    { name: OWN_SENDING_QUEUE },
    { name: RECONCILE_QUEUE, isEveryMinute: true },
  ],
}
