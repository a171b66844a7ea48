import { NOTIFICATION_SCREENS } from '@tatami/contract/notifications/notifications'
import type { Right } from '@tatami/contract/rights'
import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { accounts, sessions } from '../accounts/tables.ts'
import { announcements } from '../messages/announcements/tables.ts'
import { centsSum, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** Super admins' notifications have ADMIN_INBOX_ID as their dojo. */
export const notifications = pgTable(
  'notifications',
  {
    dojo_id: dojoId(),
    id: id(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    message: text().notNull(),
    sender_name: text(),
    student_id: uuid(),
    /** Set if the account may read the announcement in the app. */
    announcement_id: uuid(),
    /** When this belt change is undone, the notification is deleted. */
    belt_change_id: uuid(),
    /** The message before names and amounts were filled in. */
    template: text(),
    is_about_fees: boolean().notNull().default(false),
    /** Staff without this right do not see the notification. */
    needed_right: text().$type<Right>(),
    /** The screen that opens when the notification is tapped. */
    opens: text({ enum: NOTIFICATION_SCREENS }),
    created_at: createdAt(),
    read_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    reference('notifications_announcement', [t.dojo_id, t.announcement_id], announcements).onDelete(
      'cascade',
    ),
    reference('notifications_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    index('notifications_newest').on(t.dojo_id, t.account_id, t.id),
    index('notifications_of_account').on(t.account_id),
    index('notifications_about_student')
      .on(t.dojo_id, t.student_id)
      .where(sql`student_id is not null`),
    index('notifications_of_announcement')
      .on(t.dojo_id, t.announcement_id)
      .where(sql`announcement_id is not null`),
    index('notifications_of_belt_change')
      .on(t.dojo_id, t.belt_change_id)
      .where(sql`belt_change_id is not null`),
  ],
)

/** The students whom a notification names. If one is removed, the message is reworded. */
export const notificationStudents = pgTable(
  'notification_students',
  {
    dojo_id: dojoId(),
    notification_id: uuid().notNull(),
    student_id: uuid().notNull(),
    amount: centsSum(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.notification_id, t.student_id),
    index('notification_students_of_student').on(t.dojo_id, t.student_id),
    reference(
      'notification_students_notification',
      [t.dojo_id, t.notification_id],
      notifications,
    ).onDelete('cascade'),
    reference('notification_students_student', [t.dojo_id, t.student_id], students).onDelete(
      'cascade',
    ),
  ],
)

export const notificationSettings = pgTable(
  'notification_settings',
  {
    dojo_id: dojoId(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    sound_enabled: boolean().notNull().default(true),
    vibration_enabled: boolean().notNull().default(true),
    push_enabled: boolean().notNull().default(true),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.account_id),
    index('notification_settings_of_account').on(t.account_id),
  ],
)

/** The key pair with which all servers sign pushes (RFC 8292). The table has only one row. */
export const vapidKeys = pgTable('vapid_keys', {
  singleton: boolean().primaryKey().default(true),
  public_key: text().notNull(),
  private_key: text().notNull(),
})

export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    dojo_id: dojoId(),
    id: id(),
    account_id: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    session_id: text()
      .notNull()
      .references(() => sessions.token_hash, { onDelete: 'cascade' }),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('push_subscriptions_endpoint').on(t.dojo_id, t.endpoint),
    index('push_subscriptions_of_account').on(t.account_id),
    index('push_subscriptions_of_session').on(t.session_id),
  ],
)

/** A push to one browser. It is stored before it is sent, so that no two servers send it. */
export const pushClaims = pgTable(
  'push_claims',
  {
    dojo_id: dojoId(),
    notification_id: uuid().notNull(),
    subscription_id: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.notification_id, t.subscription_id),
    reference('push_claims_notification', [t.dojo_id, t.notification_id], notifications).onDelete(
      'cascade',
    ),
    reference(
      'push_claims_subscription',
      [t.dojo_id, t.subscription_id],
      pushSubscriptions,
    ).onDelete('cascade'),
    index('push_claims_of_subscription').on(t.dojo_id, t.subscription_id),
    index('push_claims_oldest').on(t.created_at, t.dojo_id),
  ],
)

export const notificationTables: TableRules[] = [
  {
    table: notificationSettings,
    exported: { name: 'notification_settings', about: 'How each login is notified' },
  },
  { table: notificationStudents, notExported: 'the students, whose names are in the message' },
  {
    table: notifications,
    exported: { name: 'notifications', about: 'Notifications of each login' },
  },
  {
    table: pushClaims,
    notExported: 'which browser has been notified',
    kept: {
      since: pushClaims.created_at,
      days: 1,
      description: 'Which browser got a notification',
    },
  },
  {
    table: pushSubscriptions,
    notExported: 'addresses and keys of browsers',
    hiddenFromOverseer: [
      pushSubscriptions.session_id,
      pushSubscriptions.endpoint,
      pushSubscriptions.p256dh,
      pushSubscriptions.auth,
    ],
  },
  {
    table: vapidKeys,
    global: 'one row, because every browser subscribes with the same key',
    hiddenFromOverseer: 'all',
  },
]
