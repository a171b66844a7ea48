import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/messages'
import { boolean, integer, pgTable } from 'drizzle-orm/pg-core'

/** Global: one row, set by the super admin for all dojos. */
export const systemConfig = pgTable('system_config', {
  only: boolean().primaryKey().default(true),
  daily_message_limit: integer().notNull().default(DAILY_LIMIT_DEFAULT),
})
