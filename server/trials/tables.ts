import { LANGUAGES } from '@tatami/contract/public-page/public-page'
import {
  BOOKING_STATES,
  CONTACT_PURPOSES,
  TRIAL_PAYMENT_STATES,
} from '@tatami/contract/trials/trials'
import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
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
import { documentVisitors } from '../documents/tables.ts'

/** What a school offers to people who want to try a class. */
export const trialOffers = pgTable(
  'trial_offers',
  {
    dojo_id: dojoId(),
    id: id(),
    name: text().notNull(),
    is_on: boolean().notNull(),
    /** A class is in one offer at most that is on. */
    class_ids: uuid().array().notNull(),
    min_age: smallint(),
    max_age: smallint(),
    /** The most trials on one date. Null means no limit of its own. */
    trial_places: smallint(),
    /** True if trials take places of the class, false if they are beside them. */
    uses_class_places: boolean().notNull(),
    days_ahead: smallint().notNull(),
    /** How long before the class booking, moving and canceling end. */
    cutoff_minutes: smallint().notNull(),
    /** How many trials one person may book. */
    visits: smallint().notNull(),
    /** All trials of a person are within so many days. Null means no limit. */
    within_days: smallint(),
    /** The form asks for the birthday in place of the age. */
    asks_birthday: boolean().notNull().default(false),
    /** Visitors are asked to sign the documents for trials. */
    asks_signature: boolean().notNull().default(true),
    /** In dollars. Null for a free trial. */
    price: cents(),
    confirmation: text(),
    sends_reminders: boolean().notNull(),
    writes_when_missed: boolean().notNull(),
    created_at: createdAt(),
  },
  (t) => [...tenantKey(t.dojo_id, t.id)],
)

/** People who are interested in the school. A lead is not a student. */
export const leads = pgTable(
  'leads',
  {
    dojo_id: dojoId(),
    id: id(),
    /** The parent of a child, or the visitor. */
    name: text().notNull(),
    is_for: text({ enum: ['self', 'child'] }).notNull(),
    email: text(),
    phone: text(),
    language: text({ enum: LANGUAGES }).notNull(),
    /** How the lead first heard of the school. */
    source: text().notNull(),
    /** The source of the last booking, if it is another one. */
    last_source: text(),
    /** What this person agreed to be contacted about. */
    purposes: text({ enum: CONTACT_PURPOSES }).array().notNull().default([]),
    /** The student or guardian who has the same phone or email. Only staff learn it. */
    likely_person_id: uuid(),
    likely_person: text(),
    /** The student through whose link the lead came. */
    referred_by: uuid(),
    /** When the school was told that the friend of a student has paid. */
    referral_told_at: instant(),
    interest: text(),
    next_step: text(),
    next_step_on: date(),
    /** The member of staff who added the lead. Null if the lead booked a trial. */
    created_by: uuid(),
    /** The lead that is kept for both. */
    merged_into: uuid(),
    merged_at: instant(),
    created_at: createdAt(),
    last_active_at: instant().notNull(),
    /** The school was told that the lead will be deleted on this day. */
    deletion_on: date(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('leads_by_email').on(t.dojo_id, t.email),
    index('leads_by_phone').on(t.dojo_id, t.phone),
    index('leads_by_next_step').on(t.dojo_id, t.next_step_on),
    index('leads_referred')
      .on(t.dojo_id)
      .where(sql`referred_by is not null and referral_told_at is null`),
    index('leads_by_merge').on(t.dojo_id, t.merged_into),
    index('leads_by_activity').on(t.last_active_at, t.dojo_id),
  ],
)

/** Proof of what leads agreed to. It outlives the lead, so it has only a hash of the contact. */
export const leadConsents = pgTable(
  'lead_consents',
  {
    dojo_id: dojoId(),
    id: id(),
    contact_hash: text().notNull(),
    purpose: text({ enum: CONTACT_PURPOSES }).notNull(),
    wording_version: text().notNull(),
    at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    index('lead_consents_of_contact').on(t.dojo_id, t.contact_hash),
  ],
)

/** Trials on class dates. They keep the class's name and time, in case the class changes. */
export const bookings = pgTable(
  'bookings',
  {
    dojo_id: dojoId(),
    id: id(),
    lead_id: uuid().notNull(),
    offer_id: uuid().notNull(),
    class_id: uuid().notNull(),
    class_date: date().notNull(),
    /** What the visitor was last told: the name, the day and the time of the class. */
    told_class: text().notNull(),
    told_date: date().notNull(),
    told_time: text().notNull(),
    visitor_name: text().notNull(),
    visitor_age: smallint().notNull(),
    /** Null unless the offer asks for it. */
    visitor_birthday: date(),
    state: text({ enum: BOOKING_STATES }).notNull(),
    uses_class_places: boolean().notNull(),
    source: text().notNull(),
    language: text({ enum: LANGUAGES }).notNull(),
    /** From the form. A form that is sent twice books once. */
    form_key: text().notNull(),
    address_hash: text().notNull(),
    marked_by: uuid(),
    marked_at: instant(),
    /** True if the class may have changed since the visitor was told. */
    needs_check: boolean().notNull().default(false),
    /** Also set if no reminder is due, because the class is within a day. */
    reminded_at: instant(),
    /** From then on, a visitor who is not marked has missed the class. */
    missed_after: instant(),
    /** Also set if the school writes no messages about missed trials. */
    missed_notice_at: instant(),
    /** What the QR code of the visitor contains, for the kiosk. */
    check_in_code: text(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('bookings_form_key').on(t.dojo_id, t.form_key),
    uniqueIndex('bookings_live')
      .on(t.dojo_id, t.class_id, t.class_date, t.lead_id, sql`lower(visitor_name)`)
      .where(sql`state in ('held', 'booked', 'came')`),
    index('bookings_by_date').on(t.dojo_id, t.class_date),
    index('bookings_of_lead').on(t.dojo_id, t.lead_id),
    index('bookings_by_creation').on(t.dojo_id, t.created_at),
    index('bookings_not_marked')
      .on(t.missed_after, t.dojo_id)
      .where(sql`state = 'booked'`),
    index('bookings_waiting')
      .on(t.dojo_id, t.class_date)
      .where(sql`state = 'waiting'`),
    uniqueIndex('bookings_by_code').on(t.dojo_id, t.check_in_code),
    index('bookings_to_check')
      .on(t.dojo_id)
      .where(sql`needs_check`),
    reference('bookings_lead', [t.dojo_id, t.lead_id], leads).onDelete('cascade'),
    reference('bookings_offer', [t.dojo_id, t.offer_id], trialOffers),
  ],
)

/** Links in emails to a booking. Each message has a new one, because only hashes are stored. */
export const bookingLinks = pgTable(
  'booking_links',
  {
    dojo_id: dojoId(),
    token_hash: text().notNull(),
    booking_id: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.token_hash),
    index('booking_links_of_booking').on(t.dojo_id, t.booking_id),
    reference('booking_links_booking', [t.dojo_id, t.booking_id], bookings).onDelete('cascade'),
  ],
)

/** For whom visitors may sign documents before a trial. Each form that they send has a row, also if
 *  the trial was booked before, so that nobody learns from the page whether it was. */
export const bookingPapers = pgTable(
  'booking_papers',
  {
    dojo_id: dojoId(),
    form_key: text().notNull(),
    booking_id: uuid().notNull(),
    document_visitor_id: uuid().notNull(),
    created_at: createdAt(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.form_key),
    index('booking_papers_of_booking').on(t.dojo_id, t.booking_id),
    index('booking_papers_of_visitor').on(t.dojo_id, t.document_visitor_id),
    reference('booking_papers_booking', [t.dojo_id, t.booking_id], bookings).onDelete('cascade'),
    reference(
      'booking_papers_visitor',
      [t.dojo_id, t.document_visitor_id],
      documentVisitors,
    ).onDelete('cascade'),
  ],
)

/** What visitors pay for a trial with Stripe. It is not in the ledger, which is about students. */
export const trialPayments = pgTable(
  'trial_payments',
  {
    dojo_id: dojoId(),
    id: id(),
    /** Null after the lead is deleted. The sum stays. */
    booking_id: uuid(),
    /** From the form with which the visitor booked. */
    form_key: text().notNull(),
    state: text({ enum: TRIAL_PAYMENT_STATES }).notNull(),
    amount: cents().notNull(),
    is_live: boolean().notNull(),
    /** An instructor has to accept the booking after it is paid. */
    needs_approval: boolean().notNull(),
    /** Part of the idempotency key of calls to Stripe. */
    attempt: smallint().notNull().default(0),
    checkout_id: text(),
    checkout_url: text(),
    /** Until then, the visitor can pay and has the place. */
    expires_at: instant().notNull(),
    /** When the place became free before Stripe had said whether it was paid. */
    lapsed_at: instant(),
    intent_id: text(),
    created_at: createdAt(),
    paid_at: instant(),
    /** When a server next asks Stripe. */
    next_check_at: instant().notNull(),
  },
  (t) => [
    ...tenantKey(t.dojo_id, t.id),
    unique('trial_payments_form_key').on(t.dojo_id, t.form_key),
    index('trial_payments_of_booking').on(t.dojo_id, t.booking_id),
    index('trial_payments_to_check')
      .on(t.next_check_at, t.dojo_id)
      .where(sql`state in ('open', 'refunding')`),
    // The migration limits `on delete set null` to booking_id, which Drizzle cannot express.
    reference('trial_payments_booking', [t.dojo_id, t.booking_id], bookings).onDelete('set null'),
  ],
)

export const trialTables: TableRules[] = [
  { table: trialOffers, exported: { name: 'trial_offers', about: 'The trials that are offered' } },
  {
    table: leads,
    exported: { name: 'leads', about: 'People who are interested in the school' },
  },
  {
    table: leadConsents,
    changes: 'no deletes',
    exported: { name: 'lead_consents', about: 'What people who booked a trial agreed to' },
  },
  {
    table: bookings,
    exported: {
      name: 'bookings',
      about: 'Booked trials',
      hidden: ['form_key', 'address_hash', 'needs_check', 'check_in_code'],
    },
  },
  {
    table: trialPayments,
    exported: {
      name: 'trial_payments',
      about: 'What visitors paid for trials through Stripe, in dollars',
      hidden: ['form_key', 'checkout_url', 'next_check_at'],
    },
    changes: 'no deletes',
  },
  { table: bookingPapers, notExported: 'says only which signatures belong to which booking' },
  { table: bookingLinks, notExported: 'secrets of links' },
]
