import { BATCH_KINDS } from '@tatami/contract/texting/message-types'
import { DAILY_LIMIT_DEFAULT } from '@tatami/contract/texting/texting'
import { STOP_REQUESTS, TEXT_STATES } from '@tatami/contract/texting/text-history'
import { TEXTING_ACCOUNT_STATES } from '@tatami/contract/texting/texting-account'
import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { centsSum, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** The settings of the whole server, in one row. */
export const systemConfig = pgTable('system_config', {
  singleton: boolean().primaryKey().default(true),
  daily_message_limit: integer().notNull().default(DAILY_LIMIT_DEFAULT),
  /** When these accounts started to need a second factor. Null if they do not need one. */
  second_factor_super_admins_since: instant(),
  second_factor_instructors_since: instant(),
  refuses_common_passwords: boolean().notNull().default(false),
  /** When the clocks of server and database last agreed (server/db/trusted-clock.ts) */
  clock_seen_at: instant(),
})

/** The speed at which all servers together send texts through one account. */
const rateColumns = () => ({
  /** When the next text may be sent. */
  next_at: instant().notNull(),
  /** The share of the full rate that was allowed at `slowed_at`. It recovers after that time. */
  share: doublePrecision().notNull().default(1),
  slowed_at: instant()
    .notNull()
    .default(sql`now()`),
})

/** The rate of the server's account, in one row. */
export const sendingRate = pgTable('sending_rate', {
  singleton: boolean().primaryKey().default(true),
  ...rateColumns(),
})

/** A dojo's own Twilio account, which sends its texts instead of the server's account. */
export const textingAccounts = pgTable(
  'texting_accounts',
  {
    dojo_id: dojoId(),
    account_sid: text().notNull(),
    /** Encrypted with SECRETS_KEY (accounts/sealed-secrets.ts). */
    sealed_token: text().notNull(),
    from_number: text(),
    messaging_service_sid: text(),
    state: text({ enum: TEXTING_ACCOUNT_STATES }).notNull(),
    error: text(),
    is_trial: boolean().notNull().default(false),
    /** Where Twilio posted replies to at the last check. */
    reply_url: text(),
    checked_at: instant(),
    changed_by: uuid().notNull(),
    changed_at: instant().notNull(),
    ...rateColumns(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/** Phones that replied STOP. A phone that no one has anymore is stored as its hash. */
export const phoneOptOuts = pgTable('phone_opt_outs', {
  phone: text().primaryKey(),
  created_at: createdAt(),
  /** True if the STOP was only tried in the simulator. */
  simulated: boolean().notNull().default(false),
})

/** The last STOP or START that a phone sent to the dojo's own number. It takes precedence over
 *  `phone_opt_outs`, which is about the server's number. */
export const ownNumberOptOuts = pgTable(
  'own_number_opt_outs',
  {
    dojo_id: dojoId(),
    /** A phone that no one has anymore is stored as its hash. */
    phone: text().notNull(),
    is_opted_out: boolean().notNull(),
    changed_at: instant().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id, t.phone)],
)

/** The provider's reports, with the provider's id of the text. A report may arrive before we know
 *  which text has that id, so `message_id` may be set later. */
export const providerMessages = pgTable('provider_messages', {
  id: text().primaryKey(),
  dojo_id: uuid(),
  message_id: uuid(),
  status: text(),
  error_code: integer(),
  created_at: createdAt(),
})

export const messageSettings = pgTable(
  'message_settings',
  {
    dojo_id: dojoId(),
    welcome_message_enabled: boolean().notNull().default(false),
    reminders_enabled: boolean().notNull().default(true),
    /** The first automatic reminder is sent three days after this day, or later. */
    reminders_announced_on: date(),
    /** Whether the replies OUT and OK are on */
    out_enabled: boolean().notNull().default(true),
    ok_enabled: boolean().notNull().default(true),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/** A day's row is locked while its allowance is being used. */
export const allowanceDays = pgTable(
  'allowance_days',
  { dojo_id: dojoId(), day: date().notNull() },
  (t) => [...tenantKey(t.dojo_id, t.day)],
)

/** Texts deducted from the day's allowance (positive) and refunded to it (negative). */
export const allowanceEntries = pgTable(
  'allowance_entries',
  {
    dojo_id: dojoId(),
    id: id(),
    day: date().notNull(),
    texts: integer().notNull(),
    reason: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id), index('allowance_entries_of_day').on(t.dojo_id, t.day)],
)

export const messageBatches = pgTable(
  'message_batches',
  {
    dojo_id: dojoId(),
    id: id(),
    kind: text({ enum: BATCH_KINDS }).notNull(),
    /** The template, with `{name}` and `{amount}` */
    text: text().notNull(),
    /** The sender. Null for automatic texts and for old texts. */
    sender_name: text(),
    created_at: createdAt(),
    has_failures: boolean().notNull().default(false),
    failures_notified: boolean().notNull().default(false),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('message_batches_with_failures')
      .on(t.dojo_id, t.id)
      .where(sql`has_failures and not failures_notified`),
  ],
)

/** Students with the same phone share a text (decision 20): the row of the first one is sent and
 *  has `is_shared`. The other rows refer to it in `sent_with`, and a trigger copies its state to
 *  them. */
export const messages = pgTable(
  'messages',
  {
    dojo_id: dojoId(),
    id: id(),
    batch_id: uuid().notNull(),
    /** Null if the phone belongs to no student. */
    student_id: uuid(),
    phone: text(),
    text: text(),
    /** The student's share of `{amount}`. */
    amount: centsSum(),
    sent_with: uuid(),
    is_shared: boolean().notNull().default(false),
    state: text({ enum: TEXT_STATES }).notNull(),
    reason: text(),
    error_code: integer(),
    /** When a worker will next send the text or ask the provider about it. A worker that claims the
     *  text postpones this time. */
    due_at: instant(),
    /** Set by the worker that sends the text. Only the worker with this id may change the row. */
    claim: uuid(),
    claimed_at: instant(),
    /** How many times in a row the provider did not respond when asked about the text. */
    unanswered: integer().notNull().default(0),
    /** The dojo's own Twilio account that a worker sent it with. Null for the server's service. */
    account_sid: text(),
    provider_id: text(),
    sent_at: instant(),
    updated_at: instant().notNull(),
    /** Null for automatic answers, which are free. */
    allowance_day: date(),
    acknowledged_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    reference('messages_batch', [t.dojo_id, t.batch_id], messageBatches).onDelete('cascade'),
    reference('messages_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('messages_sent_with', [t.dojo_id, t.sent_with], t).onDelete('cascade'),
    index('messages_of_batch').on(t.dojo_id, t.batch_id),
    index('messages_sharing')
      .on(t.dojo_id, t.sent_with)
      .where(sql`sent_with is not null`),
    index('messages_of_student').on(t.dojo_id, t.student_id),
    index('messages_due')
      .on(t.state, t.dojo_id, t.due_at)
      .where(sql`due_at is not null`),
    index('messages_waiting')
      .on(t.dojo_id, t.id)
      .where(sql`state = 'waiting'`),
    index('messages_failed')
      .on(t.dojo_id, t.batch_id)
      .where(sql`state in ('failed', 'undelivered', 'uncertain')`),
    index('messages_to_phone')
      .on(t.phone, t.dojo_id, t.id)
      .where(sql`sent_with is null and phone is not null`),
  ],
)

/** The id of the row that is sent. Students who share a text have the same text id. */
export const textId = sql<string>`coalesce(${messages.sent_with}, ${messages.id})`

/** Students' numbers that cannot get texts, according to the provider. */
export const undeliverablePhones = pgTable(
  'undeliverable_phones',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    phone: text().notNull(),
    error_code: integer().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id, t.phone),
    reference('undeliverable_phones_student', [t.dojo_id, t.student_id], students).onDelete(
      'cascade',
    ),
  ],
)

export const incomingTexts = pgTable(
  'incoming_texts',
  {
    dojo_id: dojoId(),
    id: id(),
    provider_id: text().notNull(),
    student_id: uuid(),
    phone: text().notNull(),
    text: text().notNull(),
    received_at: createdAt(),
    read_at: instant(),
    /** Set if the text seems to ask for no more texts. An instructor decides. */
    stop_request: text({ enum: STOP_REQUESTS }),
    stop_decided_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('incoming_texts_provider_id').on(t.dojo_id, t.provider_id),
    index('incoming_texts_unread')
      .on(t.dojo_id)
      .where(sql`read_at is null`),
    index('incoming_texts_of_phone').on(t.dojo_id, t.phone, t.id),
    index('incoming_texts_of_student').on(t.dojo_id, t.student_id),
    reference('incoming_texts_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

export const simulatedTexts = pgTable(
  'simulated_texts',
  { dojo_id: dojoId(), message_id: uuid().notNull(), id: text().notNull(), sent_at: createdAt() },
  (t) => [
    ...tenantKey(t.dojo_id, t.message_id),
    unique('simulated_texts_id').on(t.dojo_id, t.id),
    index('simulated_texts_oldest').on(t.sent_at, t.dojo_id),
    reference('simulated_texts_message', [t.dojo_id, t.message_id], messages).onDelete('cascade'),
  ],
)

export const textingTables: TableRules[] = [
  { table: allowanceDays, notExported: 'only locked; the allowance is in `allowance_entries`' },
  {
    table: allowanceEntries,
    exported: { name: 'text_allowance', about: 'Texts taken off the daily limit' },
    changes: 'append only',
  },
  { table: incomingTexts, exported: { name: 'replies', about: 'Texts from people to you' } },
  {
    table: messageBatches,
    exported: { name: 'text_batches', about: 'Messages you sent', hidden: ['failures_notified'] },
  },
  {
    table: messageSettings,
    exported: { name: 'text_settings', about: 'Which texts are sent automatically' },
  },
  {
    table: messages,
    exported: {
      name: 'texts',
      about: 'Texts to students, and whether each was delivered',
      hidden: ['claim', 'claimed_at', 'due_at', 'unanswered', 'account_sid'],
    },
  },
  {
    table: ownNumberOptOuts,
    exported: {
      name: 'own_number_opt_outs',
      about: 'Phones that replied STOP or START to your own number',
    },
  },
  {
    table: phoneOptOuts,
    global: 'a phone may get texts from several dojos, and STOP ends those from all of them',
    exported: {
      name: 'opted_out_phones',
      about: 'Phones that texted with you and replied STOP',
      where: () => sql`${phoneOptOuts.phone} = any(array(select phone from conversations))`,
    },
  },
  {
    table: providerMessages,
    global: 'the provider reports a status by its own id, without the dojo',
    kept: {
      since: providerMessages.created_at,
      days: 60,
      description: 'Delivery reports for text messages',
    },
  },
  { table: sendingRate, global: 'one row: all dojos share the rate' },
  {
    table: simulatedTexts,
    notExported: 'the simulator’s own ids; the texts themselves are exported',
    kept: {
      since: simulatedTexts.sent_at,
      days: 60,
      description: 'Test texts, which were never sent',
    },
  },
  { table: systemConfig, global: 'one row of settings for all dojos' },
  {
    table: textingAccounts,
    exported: {
      name: 'texting_account',
      about: 'Your own Twilio account, without its token',
      hidden: ['sealed_token', 'next_at', 'share', 'slowed_at'],
    },
    hiddenFromOverseer: [textingAccounts.sealed_token],
  },
  {
    table: undeliverablePhones,
    exported: { name: 'undeliverable_phones', about: 'Numbers that cannot get texts' },
  },
]
