import { LEAD_EVENT_KINDS } from '@tatami/contract/leads/stages'
import { date, index, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { students } from '../students/tables.ts'
import { leads } from '../trials/tables.ts'

/** What happened with a lead. Trials are not repeated here: they are in `bookings`. */
export const leadEvents = pgTable(
  'lead_events',
  {
    dojo_id: dojoId(),
    id: id(),
    lead_id: uuid().notNull(),
    kind: text({ enum: LEAD_EVENT_KINDS }).notNull(),
    note: text(),
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('lead_events_of_lead').on(t.dojo_id, t.lead_id),
    reference('lead_events_lead', [t.dojo_id, t.lead_id], leads).onDelete('cascade'),
  ],
)

/** The people who would train: the children of a parent, or the lead. */
export const leadVisitors = pgTable(
  'lead_visitors',
  {
    dojo_id: dojoId(),
    id: id(),
    lead_id: uuid().notNull(),
    name: text().notNull(),
    age: smallint(),
    /** Null until the visitor joined. */
    student_id: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('lead_visitors_names').on(t.dojo_id, t.lead_id, t.name),
    reference('lead_visitors_lead', [t.dojo_id, t.lead_id], leads).onDelete('cascade'),
  ],
)

/** Links and QR codes that say where visitors come from, such as a flyer. */
export const leadSources = pgTable(
  'lead_sources',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    /** Part of the link, which never changes. */
    code: text().notNull(),
    /** What the source costs in a month. Null if nobody entered it. */
    monthly_cost: cents(),
    created_by: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('lead_sources_name').on(t.dojo_id, t.name),
    index('lead_sources_code').on(t.code),
  ],
)

/** The links with which students invite their friends. */
export const referralLinks = pgTable(
  'referral_links',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    /** Part of the link, which never changes. */
    code: text().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id),
    index('referral_links_code').on(t.code),
    reference('referral_links_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** Without a row, the school keeps the defaults. */
export const leadSettings = pgTable(
  'lead_settings',
  {
    dojo_id: dojoId(),
    /** Leads are deleted after so many months without any activity. */
    kept_months: smallint().notNull(),
    changed_at: instant().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/** What leads said on the phone or in person about getting texts. Texts begin only after the phone
 *  has replied YES to one text that asks for it. */
export const leadSpokenConsents = pgTable(
  'lead_spoken_consents',
  {
    dojo_id: dojoId(),
    lead_id: uuid().notNull(),
    said_on: date().notNull(),
    words: text().notNull(),
    recorded_by: uuid().notNull(),
    created_at: createdAt(),
    /** When the text that asks for YES was queued. It is sent once. */
    asked_at: instant(),
    confirmed_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.lead_id),
    reference('lead_spoken_consents_lead', [t.dojo_id, t.lead_id], leads).onDelete('cascade'),
  ],
)

export const leadTables: TableRules[] = [
  {
    table: referralLinks,
    exported: { name: 'referral_links', about: 'Links with which students invite friends' },
  },
  {
    table: leadSettings,
    exported: { name: 'lead_settings', about: 'How long leads are kept' },
  },
  {
    table: leadSpokenConsents,
    exported: {
      name: 'lead_spoken_consents',
      about: 'What leads said on the phone about getting texts',
    },
  },
  {
    table: leadSources,
    exported: { name: 'lead_sources', about: 'Links that say where visitors come from' },
  },
  {
    table: leadEvents,
    exported: { name: 'lead_events', about: 'What happened with people who are interested' },
  },
  {
    table: leadVisitors,
    exported: { name: 'lead_visitors', about: 'Who would like to train' },
  },
]
