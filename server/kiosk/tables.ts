import { boolean, date, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import { students } from '../students/tables.ts'
import type { TableRules } from '../db/table-rules.ts'

/** An ended kiosk keeps its row for the audit log. */
export const kiosks = pgTable(
  'kiosks',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    /** SHA-256. Null until a link switches the kiosk on, and after the kiosk ends. */
    token_hash: text(),
    link_hash: text(),
    link_expires_at: instant(),
    /** The kiosk stops working when this instructor is deactivated. */
    created_by: uuid().notNull(),
    created_at: createdAt(),
    last_used_at: instant(),
    ended_at: instant(),
    /** When the counts of `searches` and `wrong_pins` began. They start over every minute. */
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

export const kioskSettings = pgTable(
  'kiosk_settings',
  {
    dojo_id: dojoId(),
    asks_pin: boolean().notNull().default(false),
    /** The key for stored PINs, check-in codes and passes. */
    secret: text().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

export const checkInPins = pgTable(
  'check_in_pins',
  {
    dojo_id: dojoId(),
    student_id: uuid().notNull(),
    /** HMAC with the dojo's secret. */
    pin_hash: text().notNull(),
    /** PBKDF2 of the PIN. It encrypts the student's entry for a kiosk that is offline. */
    offline_key: text().notNull(),
    changed_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.student_id),
    unique('check_in_pins_hash').on(t.dojo_id, t.pin_hash),
    reference('check_in_pins_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** How often the check-in code of an account was renewed. An account without a row never renewed its
 *  code. */
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

export const kioskCheckIns = pgTable(
  'kiosk_check_ins',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    kiosk_id: uuid().notNull(),
    class_id: uuid().notNull(),
    class_date: date().notNull(),
    /** The mark before the check-in: present, absent, or null if there was none. */
    was_present: boolean(),
    created_at: createdAt(),
    /** The same as `created_at` if the check-in never counted. */
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
  { table: checkInCodes, notExported: 'only counts how often a check-in code was renewed' },
  {
    table: checkInPins,
    notExported: 'hashes of PINs, from which no PIN can be read',
    hiddenFromOverseer: [checkInPins.pin_hash, checkInPins.offline_key],
  },
  {
    table: kioskCheckIns,
    notExported: 'kept for undoing a check-in; `attendance` says who came',
    kept: {
      since: kioskCheckIns.created_at,
      days: 30,
      description: 'Which tablet at the door recorded a check-in',
    },
  },
  {
    table: kioskSettings,
    notExported: 'the key for PINs and check-in codes',
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
