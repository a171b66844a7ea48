import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { createdAt, dojoId, id, instant, onlyThisDojo } from '../kernel/columns.ts'

/** Super admins have theirs in the office, a dojo that is none (office.ts). */
export const notifications = pgTable('notifications', {
  dojo_id: dojoId(),
  id: id(),
  account_id: uuid().notNull().references(() => accounts.id, { onDelete: 'cascade' }),
  title: text().notNull(),
  message: text().notNull(),
  sender_name: text(),
  created_at: createdAt(),
  read_at: instant(),
}, (t) => [
  primaryKey({ columns: [t.dojo_id, t.id] }),
  index('notifications_newest').on(t.dojo_id, t.account_id, t.id),
  index('notifications_of_account').on(t.account_id),
  ...onlyThisDojo(),
])

export const notificationSettings = pgTable('notification_settings', {
  dojo_id: dojoId(),
  account_id: uuid().notNull().references(() => accounts.id, { onDelete: 'cascade' }),
  sound_enabled: boolean().notNull().default(true),
  vibration_enabled: boolean().notNull().default(true),
  push_enabled: boolean().notNull().default(true),
}, (t) => [primaryKey({ columns: [t.dojo_id, t.account_id] }), index('notification_settings_of_account').on(t.account_id), ...onlyThisDojo()])
