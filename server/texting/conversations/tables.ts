import { REPLY_COMMANDS } from '@tatami/contract/texting/conversations'
import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { classes } from '../../classes/tables.ts'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../../db/columns.ts'
import { students } from '../../students/tables.ts'
import { incomingTexts, messages } from '../tables.ts'
import type { TableRules } from '../../db/table-rules.ts'

/** One row for each phone that got or sent a text. */
export const conversations = pgTable(
  'conversations',
  {
    dojo_id: dojoId(),
    phone: text().notNull(),
    id: id(),
    unread: integer().notNull().default(0),
    /** When the newest text was sent or received */
    last_at: instant().notNull(),
    /** Set while a possible stop request waits for an instructor. */
    stop_asked_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.phone),
    unique('conversations_id').on(t.dojo_id, t.id),
    index('conversations_listed').on(
      t.dojo_id,
      sql`(stop_asked_at is not null)`,
      sql`(unread > 0)`,
      t.last_at,
      t.id,
    ),
  ],
)

/** Phones that an instructor linked to a student. `holder_name` is the phone's user. */
export const phoneLinks = pgTable(
  'phone_links',
  {
    dojo_id: dojoId(),
    phone: text().notNull(),
    student_id: uuid().notNull(),
    holder_name: text(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.phone, t.student_id),
    index('phone_links_of_student').on(t.dojo_id, t.student_id),
    index('phone_links_of_phone').on(t.phone, t.dojo_id),
    reference('phone_links_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

export const messageTemplates = pgTable(
  'message_templates',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    text: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

/** The effects of replies: OUT excused a student from a class, OK acknowledged a text. */
export const replyActions = pgTable(
  'reply_actions',
  {
    dojo_id: dojoId(),
    id: id(),
    incoming_id: uuid().notNull(),
    command: text({ enum: REPLY_COMMANDS }).notNull(),
    student_id: uuid(),
    class_id: uuid(),
    class_date: date(),
    /** The cancellation that an OK acknowledged */
    message_id: uuid(),
    created_at: createdAt(),
    undone_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('reply_actions_of_text').on(t.dojo_id, t.incoming_id),
    index('reply_actions_of_student').on(t.dojo_id, t.student_id),
    reference('reply_actions_text', [t.dojo_id, t.incoming_id], incomingTexts).onDelete('cascade'),
    reference('reply_actions_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('reply_actions_class', [t.dojo_id, t.class_id], classes).onDelete('cascade'),
    reference('reply_actions_message', [t.dojo_id, t.message_id], messages).onDelete('cascade'),
  ],
)

export const conversationTables: TableRules[] = [
  {
    table: conversations,
    exported: { name: 'conversations', about: 'Phones that you texted with' },
  },
  { table: messageTemplates, exported: { name: 'text_templates', about: 'Your templates' } },
  {
    table: phoneLinks,
    exported: { name: 'linked_phones', about: 'Numbers that you linked to a student' },
  },
  {
    table: replyActions,
    exported: { name: 'reply_actions', about: 'What replies did, such as excusing a student' },
  },
]
