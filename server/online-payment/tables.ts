import {
  ONLINE_PAYMENT_STATES,
  REVIEW_REASONS,
  STRIPE_ACCOUNT_STATES,
} from '@tatami/contract/online-payment/online-payment'
import { METHOD_KINDS } from '@tatami/contract/online-payment/saved-methods'
import { DISPUTE_STATES, REFUND_STATES } from '@tatami/contract/online-payment/refunds'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { guardians } from '../guardians/tables.ts'
import { charges } from '../ledger/tables.ts'
import { students } from '../students/tables.ts'

/** A school's own Stripe account, or our simulator. Without a row, nothing of online payment is
 *  shown. */
export const stripeAccounts = pgTable(
  'stripe_accounts',
  {
    dojo_id: dojoId(),
    /** Encrypted with SECRETS_KEY (accounts/sealed-secrets.ts), like the webhook's secret. */
    sealed_key: text().notNull(),
    key_ending: text().notNull(),
    is_live: boolean().notNull(),
    is_unrestricted: boolean().notNull(),
    /** The school tries out online payment without an account at Stripe. There is no key. */
    is_simulated: boolean().notNull().default(false),
    state: text({ enum: STRIPE_ACCOUNT_STATES }).notNull(),
    error: text(),
    missing_permissions: text().array().notNull().default([]),
    webhook_id: text(),
    sealed_webhook_secret: text(),
    /** The PUBLIC_URL at the time, for links in texts. */
    public_url: text().notNull().default(''),
    /** Where the key was saved. Nothing is charged elsewhere, such as in a copy of the database. */
    server_identity: text().notNull(),
    checked_at: instant(),
    changed_by: uuid().notNull(),
    changed_at: instant().notNull(),
    /** When a server next reads Stripe's list of events, in case a webhook got lost. */
    next_poll_at: instant()
      .notNull()
      .default(sql`now()`),
    /** The events of Stripe's list until then have been recorded. */
    polled_until: instant(),
  },
  (t) => [...tenantKey(t.dojo_id), index('stripe_accounts_to_poll').on(t.next_poll_at, t.dojo_id)],
)

/** Who pays online: a guardian, or a student who pays for themselves. Somebody who is both has one
 *  row, which names either. If one of both is deleted, a trigger lets the row name the other. */
export const onlinePayers = pgTable(
  'online_payers',
  {
    dojo_id: dojoId(),
    id: id(),
    guardian_id: uuid(),
    student_id: uuid(),
    /** Stripe's id. Those of test and live mode differ. */
    customer_id: text(),
    customer_is_live: boolean(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    uniqueIndex('online_payers_of_guardian').on(t.dojo_id, t.guardian_id),
    uniqueIndex('online_payers_of_student').on(t.dojo_id, t.student_id),
    uniqueIndex('online_payers_of_person').on(
      t.dojo_id,
      sql`coalesce(${t.guardian_id}, ${t.student_id})`,
    ),
    check('online_payers_one_person', sql`num_nonnulls(${t.guardian_id}, ${t.student_id}) = 1`),
    reference('online_payers_guardian', [t.dojo_id, t.guardian_id], guardians).onDelete('cascade'),
    reference('online_payers_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
  ],
)

/** Every customer that we have created at Stripe, so that Stripe forgets deleted payers, too. */
export const stripeCustomers = pgTable(
  'stripe_customers',
  {
    dojo_id: dojoId(),
    customer_id: text().notNull(),
    /** Null after the payer is deleted. */
    payer_id: uuid(),
    is_live: boolean().notNull(),
    /** When a server next asks Stripe to delete the customer. A trigger sets it with `payer_id`. */
    next_check_at: instant(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.customer_id),
    index('stripe_customers_of_payer').on(t.dojo_id, t.payer_id),
    index('stripe_customers_to_delete')
      .on(t.next_check_at, t.dojo_id)
      .where(sql`next_check_at is not null`),
    // The migration limits `on delete set null` to payer_id, which Drizzle cannot express.
    reference('stripe_customers_payer', [t.dojo_id, t.payer_id], onlinePayers).onDelete('set null'),
  ],
)

/** The link belongs to what the payer owes, not to a sum, so it can be used again. */
export const payLinks = pgTable(
  'pay_links',
  {
    dojo_id: dojoId(),
    id: id(),
    payer_id: uuid().notNull(),
    token_hash: text().notNull(),
    /** Whether it went out in a text or an email. Otherwise, somebody showed or printed it. */
    is_sent: boolean().notNull().default(false),
    /** What the payer owed when it was sent, in dollars. */
    sent_amount: cents(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('pay_links_token').on(t.dojo_id, t.token_hash),
    index('pay_links_of_payer').on(t.dojo_id, t.payer_id),
    reference('pay_links_payer', [t.dojo_id, t.payer_id], onlinePayers).onDelete('cascade'),
  ],
)

/** What is to be taken from a payer at once. `states.ts` lists the states. */
export const onlinePayments = pgTable(
  'online_payments',
  {
    dojo_id: dojoId(),
    id: id(),
    /** Null after the payer is deleted. The sum stays. */
    payer_id: uuid(),
    state: text({ enum: ONLINE_PAYMENT_STATES }).notNull(),
    amount: cents().notNull(),
    /** The payer has chosen to pay only a part of what they owe. */
    is_part: boolean().notNull().default(false),
    is_live: boolean().notNull(),
    /** Part of the idempotency key of calls to Stripe. 0 before the first call of a debit. */
    attempt: smallint().notNull().default(1),
    checkout_id: text(),
    checkout_url: text(),
    expires_at: instant(),
    intent_id: text(),
    decline_code: text(),
    advice_code: text(),
    /** Autopay's debit that this is a try of, and the saved method. Null for a checkout. */
    debit_id: uuid(),
    saved_method_id: uuid(),
    /** The act of the ledger, from the moment it is paid. */
    act_id: uuid(),
    /** What became credit, because it had been paid otherwise in the meantime. */
    paid_twice: cents().notNull().default(0),
    created_at: createdAt(),
    paid_at: instant(),
    /** When a server asks Stripe next. An event of Stripe moves it to now. */
    next_check_at: instant().notNull(),
    /** What Stripe kept of a paid one. Null until Stripe has said. */
    fee: cents(),
    /** What it was paid with. Null until Stripe has said. */
    paid_by: text({ enum: METHOD_KINDS }),
    /** When a server asks Stripe about the fee, refunds and disputes. Null if there is no news. */
    refresh_at: instant(),
    /** Why a person should look at it. Null if nobody needs to. */
    review_reason: text({ enum: REVIEW_REASONS }),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('online_payments_of_payer').on(t.dojo_id, t.payer_id),
    index('online_payments_by_checkout').on(t.dojo_id, t.checkout_id),
    index('online_payments_by_intent').on(t.dojo_id, t.intent_id),
    index('online_payments_of_debit')
      .on(t.dojo_id, t.debit_id)
      .where(sql`debit_id is not null`),
    index('online_payments_by_method')
      .on(t.dojo_id, t.saved_method_id, t.created_at)
      .where(sql`saved_method_id is not null`),
    index('online_payments_unsettled')
      .on(t.next_check_at, t.dojo_id)
      .where(sql`state in ('open', 'processing', 'unknown')`),
    index('online_payments_to_refresh')
      .on(t.refresh_at, t.dojo_id)
      .where(sql`refresh_at is not null`),
    index('online_payments_to_review')
      .on(t.dojo_id)
      .where(sql`review_reason is not null`),
    index('online_payments_by_act')
      .on(t.dojo_id, t.act_id)
      .where(sql`act_id is not null`),
    check('online_payments_paid', sql`(${t.state} = 'paid') = (${t.act_id} is not null)`),
    // The migration limits `on delete set null` to payer_id, which Drizzle cannot express.
    reference('online_payments_payer', [t.dojo_id, t.payer_id], onlinePayers).onDelete('set null'),
  ],
)

export const onlinePaymentLines = pgTable(
  'online_payment_lines',
  {
    dojo_id: dojoId(),
    id: id(),
    payment_id: uuid().notNull(),
    student_id: uuid(),
    /** "2026-3" for the month of April 2026, which may not be charged yet, or the charge's id. */
    pays_for: text().notNull(),
    charge_id: uuid(),
    /** As the payer read it, such as "Leo: April 2026". */
    name: text().notNull(),
    amount: cents().notNull(),
    /** Whether the payment may still take this money. */
    is_live: boolean().notNull().default(true),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('online_payment_lines_of_payment').on(t.dojo_id, t.payment_id),
    // Two payments can never take money for the same charge at the same time.
    uniqueIndex('online_payment_lines_once')
      .on(t.dojo_id, t.student_id, t.pays_for)
      .where(sql`is_live`),
    reference('online_payment_lines_payment', [t.dojo_id, t.payment_id], onlinePayments).onDelete(
      'cascade',
    ),
    // The migration limits `on delete set null` to one column for both.
    reference('online_payment_lines_student', [t.dojo_id, t.student_id], students).onDelete(
      'set null',
    ),
    reference('online_payment_lines_charge', [t.dojo_id, t.charge_id], charges).onDelete(
      'set null',
    ),
  ],
)

/** Money that goes back to the card or bank account of the payer. */
export const onlineRefunds = pgTable(
  'online_refunds',
  {
    dojo_id: dojoId(),
    id: id(),
    payment_id: uuid().notNull(),
    state: text({ enum: REFUND_STATES }).notNull(),
    amount: cents().notNull(),
    note: text(),
    /** Null before Stripe has confirmed the refund. */
    stripe_id: text(),
    /** Part of the idempotency key of calls to Stripe. */
    attempt: smallint().notNull().default(1),
    failure_reason: text(),
    /** The act of the ledger. Null for a refund made in Stripe's dashboard, until it is recorded. */
    act_id: uuid(),
    /** Null for a refund made in Stripe's dashboard. */
    created_by: uuid(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('online_refunds_stripe_id').on(t.dojo_id, t.stripe_id),
    index('online_refunds_of_payment').on(t.dojo_id, t.payment_id),
    reference('online_refunds_payment', [t.dojo_id, t.payment_id], onlinePayments).onDelete(
      'cascade',
    ),
  ],
)

export const onlineRefundLines = pgTable(
  'online_refund_lines',
  {
    dojo_id: dojoId(),
    id: id(),
    refund_id: uuid().notNull(),
    student_id: uuid(),
    /** Null for credit, and after the charge was deleted. */
    charge_id: uuid(),
    amount: cents().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('online_refund_lines_of_refund').on(t.dojo_id, t.refund_id),
    reference('online_refund_lines_refund', [t.dojo_id, t.refund_id], onlineRefunds).onDelete(
      'cascade',
    ),
    // The migration limits `on delete set null` to one column for both.
    reference('online_refund_lines_student', [t.dojo_id, t.student_id], students).onDelete(
      'set null',
    ),
    reference('online_refund_lines_charge', [t.dojo_id, t.charge_id], charges).onDelete('set null'),
  ],
)

/** Payers who asked their bank to take a payment back. */
export const onlineDisputes = pgTable(
  'online_disputes',
  {
    dojo_id: dojoId(),
    stripe_id: text().notNull(),
    payment_id: uuid().notNull(),
    state: text({ enum: DISPUTE_STATES }).notNull(),
    amount: cents().notNull(),
    reason: text().notNull(),
    answer_by: instant(),
    opened_at: createdAt(),
    /** The act of the ledger that made the charges owed again, after the school lost. */
    act_id: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.stripe_id),
    index('online_disputes_of_payment').on(t.dojo_id, t.payment_id),
    reference('online_disputes_payment', [t.dojo_id, t.payment_id], onlinePayments).onDelete(
      'cascade',
    ),
  ],
)

/** Events that Stripe has delivered, so that a repeated one is ignored. */
export const stripeEvents = pgTable(
  'stripe_events',
  {
    dojo_id: dojoId(),
    /** Stripe's id. */
    event_id: text().notNull(),
    type: text().notNull(),
    object_id: text().notNull(),
    received_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.event_id),
    index('stripe_events_by_age').on(t.received_at, t.dojo_id),
  ],
)

export const onlinePaymentTables: TableRules[] = [
  {
    table: stripeAccounts,
    exported: {
      name: 'stripe_account',
      about: 'Your Stripe account, without its key',
      hidden: [
        ...(['sealed_key', 'sealed_webhook_secret', 'webhook_id', 'server_identity'] as const),
        ...(['next_poll_at', 'polled_until', 'public_url'] as const),
      ],
    },
    hiddenFromOverseer: [stripeAccounts.sealed_key, stripeAccounts.sealed_webhook_secret],
  },
  {
    table: onlinePayers,
    exported: {
      name: 'online_payers',
      about: "Who has paid or can pay online, with Stripe's ids",
    },
  },
  { table: stripeCustomers, notExported: 'ids of payers at Stripe, which online_payers has, too' },
  { table: payLinks, notExported: 'hashes of links, which are useless outside this server' },
  {
    table: onlinePayments,
    exported: {
      name: 'online_payments',
      about: 'Payments through Stripe, in dollars',
      hidden: ['checkout_url', 'next_check_at', 'refresh_at'],
    },
    changes: 'no deletes',
  },
  {
    table: onlinePaymentLines,
    exported: { name: 'online_payment_lines', about: 'What each online payment was for' },
    changes: 'no deletes',
  },
  {
    table: onlineRefunds,
    exported: { name: 'online_refunds', about: 'Refunds through Stripe, in dollars' },
    changes: 'no deletes',
  },
  {
    table: onlineRefundLines,
    exported: { name: 'online_refund_lines', about: 'What each online refund was for' },
    changes: 'no deletes',
  },
  {
    table: onlineDisputes,
    exported: { name: 'online_disputes', about: 'Payments that a payer has disputed at the bank' },
    changes: 'no deletes',
  },
  {
    table: stripeEvents,
    notExported: 'which notices of Stripe have arrived',
    kept: { since: stripeEvents.received_at, days: 60 },
  },
]
