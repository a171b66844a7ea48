import {
  BILLING_DAYS,
  CYCLE_UNITS,
  ENTRY_LIMIT_UNITS,
  FIRST_PERIODS,
  HOLD_BILLINGS,
  PLAN_KINDS,
  WEEK_BEGINNINGS,
} from '@tatami/contract/plans/plans'
import { CANCEL_GROUNDS, CANCELLED_BY } from '@tatami/contract/memberships/memberships'
import { HOLD_BILLING_CHOICES } from '@tatami/contract/memberships/holds'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { cents, createdAt, dojoId, id, instant, reference, tenantKey } from '../db/columns.ts'
import type { TableRules } from '../db/table-rules.ts'
import { students } from '../students/tables.ts'

export const plans = pgTable(
  'plans',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    description: text(),
    is_public: boolean().notNull(),
    is_add_on: boolean().notNull(),
    kind: text({ enum: PLAN_KINDS }).notNull(),
    retired_at: instant(),
    /** Counts the changes, so that two people do not overwrite each other's. */
    revision: integer().notNull().default(1),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

/** The terms of a plan. A version that somebody has is never changed. */
export const planVersions = pgTable(
  'plan_versions',
  {
    dojo_id: dojoId(),
    id: id(),
    plan_id: uuid().notNull(),
    n: smallint().notNull(),
    price: cents().notNull(),
    cycle_unit: text({ enum: CYCLE_UNITS }).notNull(),
    cycle_count: smallint().notNull(),
    /** The only classes of the plan. Null means all. */
    class_ids: uuid().array(),
    minimum_months: smallint().notNull(),
    renews_for_months: smallint().notNull(),
    notice_days: smallint().notNull(),
    sign_up_fee: cents().notNull(),
    yearly_fee: cents().notNull(),
    /** 0 is January. */
    yearly_fee_month: smallint(),
    early_end_fee: cents().notNull(),
    entry_limit: smallint(),
    entry_limit_per: text({ enum: ENTRY_LIMIT_UNITS }),
    age_from: smallint(),
    age_until: smallint(),
    visits: smallint(),
    valid_days: smallint(),
    hold_billing: text({ enum: HOLD_BILLINGS }).notNull(),
    hold_fee: cents().notNull(),
    terms: text(),
    /** SHA-256 of the terms, which a signed agreement refers to. */
    terms_hash: text(),
    valid_from: date().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('plan_versions_numbered').on(t.dojo_id, t.plan_id, t.n),
    reference('plan_versions_plan', [t.dojo_id, t.plan_id], plans).onDelete('cascade'),
  ],
)

/**
 * A plan that a student has. The migration adds constraints that Drizzle cannot express: on a day, a
 * student has at most one plan that is no add-on, and no plan twice.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    plan_id: uuid().notNull(),
    version_id: uuid().notNull(),
    /** As in the plan. The constraint above needs it in this table. */
    is_add_on: boolean().notNull(),
    starts_on: date().notNull(),
    /** The last day. It is the day before the first one if it was ended before it began. */
    ends_on: date(),
    billing_day: text({ enum: BILLING_DAYS }).notNull(),
    first_period: text({ enum: FIRST_PERIODS }).notNull(),
    sign_up_waived: boolean().notNull().default(false),
    /** The monthly fee that the plan replaced when it began. Null until then, and for an add-on. */
    fee_before: cents(),
    /** The first days of the renewed terms that the payer was told about in time. */
    told_renewals: date().array().notNull().default([]),
    cancel_asked_on: date(),
    cancelled_at: instant(),
    cancelled_by: text({ enum: CANCELLED_BY }),
    cancel_reason: text(),
    ground: text({ enum: CANCEL_GROUNDS }),
    /** Whether the fee for ending early is due, on the day on which the end was asked for. */
    owes_early_end: boolean().notNull().default(false),
    /** The subscription that this one followed when the student changed plans. */
    replaces: uuid(),
    /** The last day of the minimum term that was promised with the plan before a change. */
    bound_until: date(),
    /** The first month and the date from which the billing periods count, if they go on from the
     *  plan before a change. The date may be later than the month is long. */
    billing_month: date(),
    billing_date: smallint(),
    /** Periods that start before this day are not charged. Null: before the month in which the
     *  plan was recorded. */
    charges_from: date(),
    /** When the schedule had charged everything of an ended subscription. */
    closed_on: date(),
    created_at: createdAt(),
    created_by: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('subscriptions_of_student').on(t.dojo_id, t.student_id),
    index('subscriptions_of_plan').on(t.dojo_id, t.plan_id),
    index('subscriptions_open')
      .on(t.dojo_id)
      .where(sql`closed_on is null`),
    check('subscriptions_days', sql`${t.ends_on} >= ${t.starts_on} - 1`),
    reference('subscriptions_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('subscriptions_plan', [t.dojo_id, t.plan_id], plans),
    reference('subscriptions_version', [t.dojo_id, t.version_id], planVersions),
  ],
)

/** What one student pays from a day on instead of the plan's price, or again the plan's price. */
export const subscriptionPrices = pgTable(
  'subscription_prices',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    subscription_id: uuid().notNull(),
    starts_on: date().notNull(),
    price: cents(),
    reason: text(),
    created_at: createdAt(),
    created_by: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('subscription_prices_by_day').on(t.dojo_id, t.subscription_id, t.starts_on),
    reference('subscription_prices_student', [t.dojo_id, t.student_id], students).onDelete(
      'cascade',
    ),
    reference(
      'subscription_prices_subscription',
      [t.dojo_id, t.subscription_id],
      subscriptions,
    ).onDelete('cascade'),
  ],
)

/** A time in which a student does not train. Vacations are holds, too. */
export const holds = pgTable(
  'holds',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    /** Null for all of the student's plans. */
    subscription_id: uuid(),
    starts_on: date().notNull(),
    /** The last day, or null while nobody knows it. */
    ends_on: date(),
    /** The school's own word, such as vacation or injury. */
    kind: text().notNull(),
    billing: text({ enum: HOLD_BILLING_CHOICES }).notNull(),
    fee: cents().notNull().default(0),
    moves_end: boolean().notNull().default(false),
    ends_on_return: boolean().notNull().default(false),
    /** The day on which a mark ended the hold, or on which an instructor did, and the last day that
     *  it had until then. */
    returned_on: date(),
    ended_on: date(),
    planned_end: date(),
    asked_by: uuid(),
    /** The day on which the payer was told of the end, or staff were asked about an open one. */
    told_on: date(),
    created_at: createdAt(),
    created_by: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('holds_of_student').on(t.dojo_id, t.student_id),
    check('holds_days', sql`${t.ends_on} >= ${t.starts_on}`),
    reference('holds_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('holds_subscription', [t.dojo_id, t.subscription_id], subscriptions).onDelete(
      'cascade',
    ),
  ],
)

export const studentPacks = pgTable(
  'student_packs',
  {
    dojo_id: dojoId(),
    id: id(),
    student_id: uuid().notNull(),
    plan_id: uuid().notNull(),
    version_id: uuid().notNull(),
    bought_on: date().notNull(),
    expires_on: date(),
    visits: smallint().notNull(),
    /** The charge in the ledger, or null for a pack that cost nothing. */
    charge_id: uuid(),
    created_at: createdAt(),
    created_by: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('student_packs_of_student').on(t.dojo_id, t.student_id),
    reference('student_packs_student', [t.dojo_id, t.student_id], students).onDelete('cascade'),
    reference('student_packs_plan', [t.dojo_id, t.plan_id], plans),
    reference('student_packs_version', [t.dojo_id, t.version_id], planVersions),
  ],
)

/** From `effective_on` on, members of earlier versions pay the price of this version. */
export const priceAnnouncements = pgTable(
  'price_announcements',
  {
    dojo_id: dojoId(),
    id: id(),
    plan_id: uuid().notNull(),
    version_id: uuid().notNull(),
    effective_on: date().notNull(),
    /** The day on which members were told. */
    told_on: date(),
    created_at: createdAt(),
    created_by: uuid(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('price_announcements_of_plan').on(t.dojo_id, t.plan_id),
    reference('price_announcements_plan', [t.dojo_id, t.plan_id], plans).onDelete('cascade'),
    reference('price_announcements_version', [t.dojo_id, t.version_id], planVersions),
  ],
)

/** Without a row, the rules are `DEFAULT_PLAN_RULES`. */
export const planRules = pgTable(
  'plan_rules',
  {
    dojo_id: dojoId(),
    billing_day: text({ enum: BILLING_DAYS }).notNull(),
    first_period: text({ enum: FIRST_PERIODS }).notNull(),
    week_begins_on: text({ enum: WEEK_BEGINNINGS }).notNull(),
    sign_up_again_after_months: smallint().notNull(),
    sign_up_once_per_family: boolean().notNull(),
    yearly_fee_gap_days: smallint().notNull(),
    cooling_off_days: smallint().notNull(),
    renewal_notice_days: smallint().notNull(),
    price_notice_days: smallint().notNull(),
    kiosk_stops_over_limit: boolean().notNull(),
  },
  (t) => [...tenantKey(t.dojo_id)],
)

export const planTables: TableRules[] = [
  {
    table: holds,
    exported: {
      name: 'holds',
      about: 'Times in which students did not train',
      hidden: ['told_on'],
    },
    hiddenFromOverseer: [holds.kind],
  },
  { table: plans, exported: { name: 'plans', about: 'Your plans' } },
  { table: planRules, exported: { name: 'plan_rules', about: 'Your rules for plans' } },
  { table: planVersions, exported: { name: 'plan_versions', about: 'The terms of your plans' } },
  {
    table: priceAnnouncements,
    exported: { name: 'price_announcements', about: 'New prices that members were told of' },
  },
  { table: studentPacks, exported: { name: 'student_packs', about: 'Class packs of students' } },
  {
    table: subscriptionPrices,
    exported: { name: 'subscription_prices', about: 'Prices of single students' },
    hiddenFromOverseer: [subscriptionPrices.reason],
  },
  {
    table: subscriptions,
    exported: { name: 'subscriptions', about: 'Which student has which plan' },
    hiddenFromOverseer: [subscriptions.cancel_reason, subscriptions.ground],
  },
]
