import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  flag,
  idParams,
  month,
  multiLineText,
  oneOf,
  singleLineText,
  uuid,
} from '../lib/fields.ts'
import { hiddenWithout, MONEY_RIGHTS } from '../rights.ts'

/** `open` runs until it is ended. `term` ends by itself. `renewing` starts another term then. */
export const PLAN_KINDS = ['open', 'term', 'renewing', 'pack', 'drop_in'] as const
export type PlanKind = (typeof PLAN_KINDS)[number]
export const CYCLE_UNITS = ['week', 'month', 'year'] as const
export const ENTRY_LIMIT_UNITS = ['day', 'week', 'cycle'] as const
/** What a member pays while on hold, unless the hold says otherwise. */
export const HOLD_BILLINGS = ['free', 'prorated', 'full'] as const
export const BILLING_DAYS = ['first', 'start'] as const
export type BillingDay = (typeof BILLING_DAYS)[number]
/** What the days before the first billing day cost: a whole period, their part of it, nothing. */
export const FIRST_PERIODS = ['full', 'prorated', 'free'] as const
export type FirstPeriod = (typeof FIRST_PERIODS)[number]
export const WEEK_BEGINNINGS = ['monday', 'sunday'] as const

export const isForVisits = (kind: PlanKind): boolean => kind === 'pack' || kind === 'drop_in'

/** Whether new students can be offered the plan: not a single class, and nothing that comes on top
 *  of another plan. */
export const mayBePublic = ({ kind, is_add_on }: { kind: PlanKind; is_add_on: boolean }): boolean =>
  kind !== 'drop_in' && !is_add_on

const wholeNumber = (label: string, min: number, max: number) => {
  const message = `${label} must be a whole number from ${min} to ${max}`
  return z.number(message).int(message).min(min, message).max(max, message)
}

const MAX_CLASSES = 100
const TERMS_MAX = 20_000

/** What a member buys. A version has these fields, and is never changed once somebody has it. */
const planTerms = {
  price: dollars('Price'),
  /** The price is for so many weeks, months or years. */
  cycle_unit: oneOf('Cycle', CYCLE_UNITS),
  cycle_count: wholeNumber('Cycle', 1, 52),
  /** The only classes of the plan. Null means all. */
  class_ids: z
    .array(uuid('Class'), 'Classes must be a list')
    .min(1, 'Choose at least one class, or all')
    .max(MAX_CLASSES, `At most ${MAX_CLASSES} classes`)
    .nullable(),
  /** The length of the term. A `term` of 0 months lasts one cycle. */
  minimum_months: wholeNumber('Minimum term', 0, 60),
  renews_for_months: wholeNumber('Renewal', 0, 60),
  notice_days: wholeNumber('Notice', 0, 365),
  sign_up_fee: dollars('Sign-up fee'),
  yearly_fee: dollars('Yearly fee'),
  yearly_fee_month: month.nullable(),
  early_end_fee: dollars('Fee for ending early'),
  entry_limit: wholeNumber('Limit', 1, 100).nullable(),
  entry_limit_per: oneOf('Limit', ENTRY_LIMIT_UNITS).nullable(),
  age_from: wholeNumber('Age', 0, 120).nullable(),
  /** The last age at which somebody may have the plan. */
  age_until: wholeNumber('Age', 0, 120).nullable(),
  /** Only for packs: how many visits, and for how many days after they were bought. */
  visits: wholeNumber('Visits', 1, 1000).nullable(),
  valid_days: wholeNumber('Days', 1, 3650).nullable(),
  hold_billing: oneOf('Billing on hold', HOLD_BILLINGS),
  /** Charged instead for each period on hold, if it is more than 0. */
  hold_fee: dollars('Fee on hold'),
  /** The wording that a member agrees to. */
  terms: clearable(multiLineText('Terms', TERMS_MAX)),
}

const LIMIT_NEEDS_UNIT = 'Choose whether the limit counts by day, week or cycle'
const YEARLY_FEE_NEEDS_MONTH = 'Choose the month of the yearly fee'
const PACK_NEEDS_VISITS = 'Enter how many visits the pack has'
const AGES_IN_ORDER = 'The first age must not be above the last'

export const planForm = z
  .object({
    name: singleLineText('Name', 60),
    description: clearable(multiLineText('Description', 500)),
    /** Whether people who join with the invitation can choose the plan. */
    is_public: flag('Public'),
    /** An add-on comes on top of another plan, such as a weapons class. */
    is_add_on: flag('Add-on'),
    kind: oneOf('Kind', PLAN_KINDS),
    ...planTerms,
  })
  .refine(({ entry_limit, entry_limit_per }) => entry_limit === null || entry_limit_per !== null, {
    error: LIMIT_NEEDS_UNIT,
    path: ['entry_limit_per'],
  })
  .refine(({ yearly_fee, yearly_fee_month }) => yearly_fee === 0 || yearly_fee_month !== null, {
    error: YEARLY_FEE_NEEDS_MONTH,
    path: ['yearly_fee_month'],
  })
  .refine(({ kind, visits }) => kind !== 'pack' || visits !== null, {
    error: PACK_NEEDS_VISITS,
    path: ['visits'],
  })
  .refine(
    ({ age_from, age_until }) => age_from === null || age_until === null || age_from <= age_until,
    { error: AGES_IN_ORDER, path: ['age_until'] },
  )
export type PlanForm = z.output<typeof planForm>

/** With the `revision` of the plan that the user saw, so that nobody overwrites a newer one. */
const REVISION_RULE = 'Revision must be a whole number'
export const planChange = planForm.safeExtend({
  revision: z.int(REVISION_RULE).min(1, REVISION_RULE).optional(),
})
export type PlanChange = z.output<typeof planChange>

/** An amount in dollars, or null for staff who see no amounts. */
export const hiddenAmount = hiddenWithout(MONEY_RIGHTS, z.number().nullable(), null)

const planVersion = z.object({
  id: z.uuid(),
  n: z.number(),
  price: hiddenAmount,
  valid_from: z.string(),
  /** How many students have it now, or will. */
  members: z.number(),
})

const plan = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  is_public: z.boolean(),
  is_add_on: z.boolean(),
  kind: z.enum(PLAN_KINDS),
  /** A retired plan continues for its members, but nobody else can get it. */
  retired_at: z.string().nullable(),
  /** Goes up by one with each change. */
  revision: z.number(),
  /** The version that new members get, and its terms. */
  version_id: z.uuid(),
  price: hiddenAmount,
  cycle_unit: z.enum(CYCLE_UNITS),
  cycle_count: z.number(),
  class_ids: z.array(z.uuid()).nullable(),
  minimum_months: z.number(),
  renews_for_months: z.number(),
  notice_days: z.number(),
  sign_up_fee: hiddenAmount,
  yearly_fee: hiddenAmount,
  yearly_fee_month: z.number().nullable(),
  early_end_fee: hiddenAmount,
  entry_limit: z.number().nullable(),
  entry_limit_per: z.enum(ENTRY_LIMIT_UNITS).nullable(),
  age_from: z.number().nullable(),
  age_until: z.number().nullable(),
  visits: z.number().nullable(),
  valid_days: z.number().nullable(),
  hold_billing: z.enum(HOLD_BILLINGS),
  hold_fee: hiddenAmount,
  terms: z.string().nullable(),
  members: z.number(),
  /** The versions that somebody has, and the newest, from the oldest on. */
  versions: z.array(planVersion),
  /** The newest price change that members are told of. */
  announcement: z.object({ price: hiddenAmount, effective_on: z.string() }).nullable(),
})
export type Plan = z.output<typeof plan>

/** The rules of a school for all its plans. */
export const planRules = z.object({
  billing_day: oneOf('Billing day', BILLING_DAYS),
  first_period: oneOf('First period', FIRST_PERIODS),
  week_begins_on: oneOf('Week', WEEK_BEGINNINGS),
  /** A student who comes back sooner pays no sign-up fee again. */
  sign_up_again_after_months: wholeNumber('Months', 0, 120),
  sign_up_once_per_family: flag('Once for a family'),
  /** No yearly fee so soon after a sign-up fee. */
  yearly_fee_gap_days: wholeNumber('Days', 0, 366),
  /** So long after the start, a member can end a plan and gets everything back. */
  cooling_off_days: wholeNumber('Days', 0, 60),
  renewal_notice_days: wholeNumber('Days', 15, 45),
  price_notice_days: wholeNumber('Days', 0, 365),
  kiosk_stops_over_limit: flag('Kiosk'),
})
export type PlanRules = z.output<typeof planRules>

export const DEFAULT_PLAN_RULES: PlanRules = {
  billing_day: 'first',
  first_period: 'prorated',
  week_begins_on: 'monday',
  sign_up_again_after_months: 12,
  sign_up_once_per_family: false,
  yearly_fee_gap_days: 60,
  cooling_off_days: 0,
  renewal_notice_days: 30,
  price_notice_days: 30,
  kiosk_stops_over_limit: false,
}

export const priceAnnouncement = z.object({
  /** From this day on, members of earlier versions pay the price of the newest one. */
  effective_on: calendarDate('Day'),
})
export type PriceAnnouncement = z.output<typeof priceAnnouncement>

export const plansApi = {
  list: {
    method: 'GET',
    path: '/plans',
    access: 'instructor',
    right: 'students.read',
    summary: "The school's plans, retired ones last",
    reply: z.array(plan),
  },
  create: {
    method: 'POST',
    path: '/plans',
    access: 'instructor',
    right: 'settings',
    summary: 'Create a plan. 409 if another plan that is sold has this name',
    idempotent: true,
    body: planForm,
    reply: z.object({ plan }),
  },
  change: {
    method: 'PUT',
    path: '/plans/:id',
    access: 'instructor',
    right: 'settings',
    summary:
      'Change a plan. If somebody has it, other terms become a new version, for new members only. ' +
      '409 if the plan was changed since `revision`',
    params: idParams,
    body: planChange,
    reply: z.object({ plan, made_new_version: z.boolean() }),
  },
  retire: {
    method: 'POST',
    path: '/plans/:id/retire',
    access: 'instructor',
    right: 'settings',
    summary: 'Stop selling a plan. Its members keep it',
    params: idParams,
    reply: z.object({ plan }),
  },
  restore: {
    method: 'POST',
    path: '/plans/:id/restore',
    access: 'instructor',
    right: 'settings',
    summary: 'Sell a retired plan again',
    params: idParams,
    reply: z.object({ plan }),
  },
  announcePrice: {
    method: 'POST',
    path: '/plans/:id/price-announcements',
    access: 'instructor',
    right: 'settings',
    summary:
      'Tell members about the newest price of their plan, which they pay from a day on. 409 if ' +
      'nobody pays another price',
    params: idParams,
    body: priceAnnouncement,
    reply: z.object({ plan, members: z.number() }),
  },
  rules: {
    method: 'GET',
    path: '/plan-rules',
    access: 'instructor',
    right: 'students.read',
    summary: 'The rules of the school for all its plans',
    reply: planRules,
  },
  setRules: {
    method: 'PUT',
    path: '/plan-rules',
    access: 'instructor',
    right: 'settings',
    summary: 'Replace the rules for plans. What was charged does not change',
    body: planRules,
    reply: planRules,
  },
} as const satisfies Api
