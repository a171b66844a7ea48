import type { DatabaseRules } from './db/migrate.ts'
import type { TableRules } from './db/table-rules.ts'
import { SCHEDULE_QUEUE } from './schedule.ts'
import { TABLES } from './tables.ts'
import { SENDING_QUEUE } from './texting/delivery/queue.ts'
import { RECONCILE_QUEUE } from './texting/delivery/reconcile.ts'

const tablesThat = (applies: (rules: TableRules) => boolean) =>
  TABLES.filter(applies).map(({ table }) => table)

/** What the database itself enforces on every server. */
export const DATABASE_RULES: DatabaseRules = {
  appendOnly: tablesThat(({ changes }) => changes === 'append only'),
  neverDeleted: tablesThat(({ changes }) => changes === 'no deletes'),
  hiddenFromOverseer: tablesThat(({ hiddenFromOverseer }) => hiddenFromOverseer === 'all'),
  columnsHiddenFromOverseer: TABLES.flatMap(({ hiddenFromOverseer = [] }) =>
    hiddenFromOverseer === 'all' ? [] : hiddenFromOverseer,
  ),
  queues: [
    { name: SCHEDULE_QUEUE, isEveryMinute: true },
    { name: SENDING_QUEUE },
    { name: RECONCILE_QUEUE, isEveryMinute: true },
  ],
}
