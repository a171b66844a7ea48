import {
  AUTOPAY_END_REASONS,
  AUTOPAY_WAYS,
  DEBIT_STATES,
  NOTICE_REASONS,
  NOTICE_WAYS,
} from '@tatami/contract/online-payment/autopay-states'
import { METHOD_KINDS, METHOD_STOP_REASONS } from '@tatami/contract/online-payment/saved-methods'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  jsonb,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../../db/columns.ts'
import type { TableRules } from '../../db/table-rules.ts'
import { charges } from '../../ledger/tables.ts'
import { onlinePayers } from '../tables.ts'

/** Cards and bank accounts that payers have saved at Stripe. The numbers are only there. */
export const savedMethods = pgTable(
  'saved_methods',
  {
    dojo_id: dojoId(),
    id: id(),
    /** Null after the payer is deleted. The row then stays until Stripe has forgotten the method. */
    payer_id: uuid(),
    /** Stripe's ids. Those of test and live mode differ. */
    customer_id: text().notNull(),
    method_id: text().notNull(),
    is_live: boolean().notNull(),
    kind: text({ enum: METHOD_KINDS }).notNull(),
    /** "visa", or the name of the bank. */
    brand: text(),
    last4: text().notNull(),
    exp_month: smallint(),
    exp_year: smallint(),
    /** Stripe's hash of the number, which is the same if a card is saved again. */
    fingerprint: text(),
    created_at: createdAt(),
    stopped_at: instant(),
    stop_reason: text({ enum: METHOD_STOP_REASONS }),
    /** When the payer was told that the card expires. */
    expiry_told_at: instant(),
    /** When a server next asks Stripe about it, or removes it there. Null if there is no need. */
    next_check_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('saved_methods_method').on(t.dojo_id, t.method_id),
    uniqueIndex('saved_methods_of_payer')
      .on(t.dojo_id, t.payer_id)
      .where(sql`stopped_at is null`),
    index('saved_methods_all_of_payer').on(t.dojo_id, t.payer_id),
    index('saved_methods_of_customer').on(t.dojo_id, t.customer_id),
    index('saved_methods_to_check')
      .on(t.next_check_at, t.dojo_id)
      .where(sql`next_check_at is not null`),
    check('saved_methods_stopped', sql`(${t.stopped_at} is null) = (${t.stop_reason} is null)`),
    // The migration limits `on delete set null` to payer_id, which Drizzle cannot express.
    reference('saved_methods_payer', [t.dojo_id, t.payer_id], onlinePayers).onDelete('set null'),
  ],
)

/** What a payer agreed to. A trigger allows no change but the end. */
export const autopayAgreements = pgTable(
  'autopay_agreements',
  {
    dojo_id: dojoId(),
    id: id(),
    payer_id: uuid().notNull(),
    wording_version: smallint().notNull(),
    language: text().notNull(),
    /** The words as the payer read them, and their SHA-256 hash. */
    words: text().notNull(),
    words_hash: text().notNull(),
    /** Whether autopay also pays for students whom the payer pays for later. */
    covers_new_students: boolean().notNull(),
    /** Whether autopay also pays what is owed for students who have left. */
    covers_former_students: boolean().notNull(),
    /** For whom the payer paid at the time. */
    student_ids: uuid().array().notNull(),
    /** From 1 to 31. In a shorter month, the last day. */
    day_of_month: smallint().notNull(),
    /** The most that one debit may take, or null. */
    limit_amount: cents(),
    agreed_at: instant().notNull(),
    agreed_by: uuid(),
    agreed_way: text({ enum: AUTOPAY_WAYS }).notNull(),
    address: text().notNull(),
    device: text().notNull(),
    ended_at: instant(),
    ended_by: uuid(),
    ended_way: text({ enum: AUTOPAY_WAYS }),
    end_reason: text({ enum: AUTOPAY_END_REASONS }),
    /** The reason that staff gave. */
    end_note: text(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('autopay_agreements_of_payer')
      .on(t.dojo_id, t.payer_id)
      .where(sql`ended_at is null`),
    index('autopay_agreements_all_of_payer').on(t.dojo_id, t.payer_id),
    check('autopay_agreements_day', sql`${t.day_of_month} between 1 and 31`),
    check(
      'autopay_agreements_end',
      sql`num_nonnulls(${t.ended_at}, ${t.ended_way}, ${t.end_reason}) in (0, 3)`,
    ),
    reference('autopay_agreements_payer', [t.dojo_id, t.payer_id], onlinePayers).onDelete(
      'cascade',
    ),
  ],
)

/** What a payer agrees to, before Stripe has saved the card. */
export type AgreementTerms = {
  wording_version: number
  words: string
  day_of_month: number
  /** In cents. */
  limit_cents: number | null
  student_ids: string[]
  agreed_at: string
  agreed_by: string | null
  address: string
  device: string
}

/** Checkouts that save a card, with or without a payment. */
export const methodSetups = pgTable(
  'method_setups',
  {
    dojo_id: dojoId(),
    id: id(),
    payer_id: uuid().notNull(),
    is_live: boolean().notNull(),
    state: text({ enum: ['open', 'saved', 'expired'] }).notNull(),
    /** Counts the calls to Stripe, for their idempotency keys. */
    attempt: smallint().notNull().default(1),
    /** The payment in whose checkout the card is saved. Null if nothing is paid. */
    payment_id: uuid(),
    /** Null if the card only replaces another one. */
    terms: jsonb().$type<AgreementTerms>(),
    checkout_id: text(),
    checkout_url: text(),
    expires_at: instant().notNull(),
    created_at: createdAt(),
    next_check_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('method_setups_open')
      .on(t.dojo_id, t.payer_id)
      .where(sql`state = 'open'`),
    index('method_setups_all_of_payer').on(t.dojo_id, t.payer_id),
    index('method_setups_by_checkout').on(t.dojo_id, t.checkout_id),
    index('method_setups_by_payment').on(t.dojo_id, t.payment_id),
    index('method_setups_unsettled')
      .on(t.next_check_at, t.dojo_id)
      .where(sql`state = 'open'`),
    index('method_setups_by_age').on(t.created_at, t.dojo_id),
    reference('method_setups_payer', [t.dojo_id, t.payer_id], onlinePayers).onDelete('cascade'),
  ],
)

/** What autopay takes on one day, with all its tries. Each try is a row of `online_payments`. */
export const autopayDebits = pgTable(
  'autopay_debits',
  {
    dojo_id: dojoId(),
    id: id(),
    agreement_id: uuid().notNull(),
    due_on: date().notNull(),
    state: text({ enum: DEBIT_STATES }).notNull(),
    tries: smallint().notNull().default(0),
    first_tried_on: date(),
    /** Null if it is not tried again, or not before something happens. */
    next_try_on: date(),
    decline_code: text(),
    /** How often the payer got a text about a decline, at most twice. */
    texts: smallint().notNull().default(0),
    /** A text waits for the morning or for the next day's allowance. */
    awaits_text: boolean().notNull().default(false),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('autopay_debits_day').on(t.dojo_id, t.agreement_id, t.due_on),
    index('autopay_debits_open')
      .on(t.dojo_id, t.next_try_on)
      .where(sql`state = 'open'`),
    index('autopay_debits_texts')
      .on(t.dojo_id)
      .where(sql`awaits_text`),
    reference('autopay_debits_agreement', [t.dojo_id, t.agreement_id], autopayAgreements).onDelete(
      'cascade',
    ),
  ],
)

/** Notices before a debit. */
export const chargeNotices = pgTable(
  'charge_notices',
  {
    dojo_id: dojoId(),
    id: id(),
    agreement_id: uuid().notNull(),
    debit_on: date().notNull(),
    amount: cents().notNull(),
    /** What the debit is for, as `online_payment_lines.pays_for` with the student's id. */
    pays_for: text().array().notNull(),
    reason: text({ enum: NOTICE_REASONS }).notNull(),
    ways: text({ enum: NOTICE_WAYS }).array().notNull(),
    sent_on: date().notNull(),
    sent_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('charge_notices_of_agreement').on(t.dojo_id, t.agreement_id, t.debit_on),
    reference('charge_notices_agreement', [t.dojo_id, t.agreement_id], autopayAgreements).onDelete(
      'cascade',
    ),
  ],
)

/** Charges that autopay may take although their payment was undone (`left-out.ts`). */
export const autopayPermissions = pgTable(
  'autopay_permissions',
  {
    dojo_id: dojoId(),
    charge_id: uuid().notNull(),
    /** It does not count for what is undone later. */
    allowed_at: instant().notNull(),
    allowed_by: uuid().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.charge_id),
    reference('autopay_permissions_charge', [t.dojo_id, t.charge_id], charges).onDelete('cascade'),
  ],
)

export const autopayTables: TableRules[] = [
  {
    table: savedMethods,
    exported: {
      name: 'saved_methods',
      about: 'Cards and bank accounts that payers have saved at Stripe, by their last digits',
      hidden: ['fingerprint', 'next_check_at'],
    },
  },
  {
    table: autopayAgreements,
    exported: { name: 'autopay_agreements', about: 'Who agreed to autopay, when and to what' },
    changes: 'no deletes',
  },
  {
    table: methodSetups,
    notExported: 'unfinished checkouts that save a card',
    kept: {
      since: methodSetups.created_at,
      days: 30,
      description: 'Requests to save a card, with the address from which they came',
    },
  },
  {
    table: autopayDebits,
    exported: { name: 'autopay_debits', about: 'What autopay took or tried to take, by day' },
    changes: 'no deletes',
  },
  {
    table: chargeNotices,
    exported: { name: 'charge_notices', about: 'Notices to payers before a debit' },
    changes: 'append only',
  },
  {
    table: autopayPermissions,
    exported: {
      name: 'autopay_permissions',
      about: 'Charges that autopay may take although their payment was undone',
    },
  },
]
