import { boolean, date, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** A tablet at the door. One that was ended keeps its row, which the audit log names. */
export const kiosks = pgTable(
  'kiosks',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    /** SHA-256 of its credential; null before it is switched on by a link, and once it is ended. */
    token_hash: text(),
    /** SHA-256 of the link that switches it on, and until when it does. */
    link_hash: text(),
    link_expires_at: instant(),
    /** The instructor; a kiosk of one who is not active answers to nobody. */
    created_by: uuid().notNull(),
    created_at: createdAt(),
    last_used_at: instant(),
    ended_at: instant(),
    /** What was tried since that moment, for a minute. */
    counted_since: instant(),
    searches: integer().notNull().default(0),
    wrong_pins: integer().notNull().default(0),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('kiosks_token').on(t.dojo_id, t.token_hash),
    unique('kiosks_link').on(t.dojo_id, t.link_hash),
  ],
)

/** One row for a dojo that has had a kiosk or a PIN. */
export const kioskSettings = pgTable(
  'kiosk_settings',
  {
    dojo_id: dojoId(),
    asks_pin: boolean().notNull().default(false),
    /** The key of what is stored of PINs, and of check-in codes and passes. */
    secret: text().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

/** What is stored of a PIN. Two students of a dojo never have the same. */
export const checkInPins = pgTable(
  'check_in_pins',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    /** HMAC with the dojo's secret, by which its student is found. */
    pin_hash: text().notNull(),
    /** PBKDF2 of the PIN: the key under which a kiosk stores whose it is, for a time without a network. */
    offline_key: text().notNull(),
    changed_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id),
    unique('check_in_pins_hash').on(t.dojo_id, t.pin_hash),
    reference('check_in_pins_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** How often the check-in code of an account was renewed; one without a row has its first. */
export const checkInCodes = pgTable(
  'check_in_codes',
  {
    dojo_id: dojoId(),
    account_id: uuid().notNull(),
    renewed: integer().notNull(),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.account_id)],
)

/** Who checked in at a kiosk: the same check-in sent again is one, and for some minutes it can be taken back. */
export const kioskCheckIns = pgTable(
  'kiosk_check_ins',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    kiosk_id: uuid().notNull(),
    class_id: uuid().notNull(),
    class_date: date().notNull(),
    /** The mark that stood before; null for none. */
    was_present: boolean(),
    created_at: createdAt(),
    /** The moment of its creation for one that was never counted, of which the instructors were told. */
    undone_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id, t.student_id),
    index('kiosk_check_ins_of_student').on(t.dojo_id, t.student_id),
    index('kiosk_check_ins_of_kiosk').on(t.dojo_id, t.kiosk_id),
    index('kiosk_check_ins_oldest').on(t.created_at, t.dojo_id),
    reference('kiosk_check_ins_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('kiosk_check_ins_kiosk', [t.dojo_id, t.kiosk_id], kiosks),
  ],
)

export const kioskTables: TableRules[] = [
  { table: checkInCodes, notExported: 'how often a check-in code was renewed' },
  {
    table: checkInPins,
    notExported: 'what is stored of PINs, from which none can be read',
    hiddenFromOverseer: [checkInPins.pin_hash, checkInPins.offline_key],
  },
  {
    table: kioskCheckIns,
    notExported: 'what can be taken back at a kiosk, for a month; attendance says who came',
    kept: {
      since: kioskCheckIns.created_at,
      days: 30,
      words: 'Which tablet at the door recorded a check-in',
    },
  },
  {
    table: kioskSettings,
    notExported: 'the key of PINs and check-in codes',
    hiddenFromOverseer: [kioskSettings.secret],
  },
  {
    table: kiosks,
    exported: {
      name: 'kiosks',
      about: 'Tablets at the door',
      hidden: [
        'token_hash',
        'link_hash',
        'link_expires_at',
        'counted_since',
        'searches',
        'wrong_pins',
      ],
    },
    hiddenFromOverseer: [kiosks.token_hash, kiosks.link_hash],
  },
]
