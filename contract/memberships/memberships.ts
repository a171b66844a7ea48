import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  dollars,
  emptyAsUndefined,
  flag,
  idParams,
  oneOf,
  singleLineText,
  uuid,
} from '../lib/fields.ts'
import {
  BILLING_DAYS,
  CYCLE_UNITS,
  FIRST_PERIODS,
  hiddenAmount,
  PLAN_KINDS,
} from '../plans/plans.ts'
import { hiddenWithout, MONEY_RIGHTS } from '../rights.ts'
import { actPreview, chargePreview, quotedSums } from './act-preview.ts'
import { hold } from './holds.ts'
import { studentPack } from './packs.ts'

/** Reasons for which a plan ends at once, without a fee. Unused days are given back. */
export const CANCEL_GROUNDS = ['moved', 'disability', 'death', 'closed'] as const
export type CancelGround = (typeof CANCEL_GROUNDS)[number]
export const CANCEL_GROUND_LABELS: Record<CancelGround, string> = {
  moved: 'Moved away',
  disability: 'Can no longer train',
  death: 'Death of the student or payer',
  closed: 'The school closes',
}

export const CANCELLED_BY = ['staff', 'student', 'payer', 'leaving'] as const

/** `coming`: it has not started. `ending`: its last day is known. */
export const SUBSCRIPTION_STATES = ['coming', 'running', 'ending', 'ended'] as const

const subscription = z.object({
  id: z.uuid(),
  plan_id: z.uuid(),
  plan_name: z.string(),
  kind: z.enum(PLAN_KINDS),
  is_add_on: z.boolean(),
  version_id: z.uuid(),
  /** What the student pays for each cycle, today or on the first day. */
  price: hiddenAmount,
  /** The plan's price, if the student pays another one. */
  list_price: hiddenAmount,
  price_reason: hiddenWithout(MONEY_RIGHTS, z.string().nullable(), null),
  cycle_unit: z.enum(CYCLE_UNITS),
  cycle_count: z.number(),
  class_ids: z.array(z.uuid()).nullable(),
  entry_limit: z.number().nullable(),
  entry_limit_per: z.string().nullable(),
  starts_on: z.string(),
  ends_on: z.string().nullable(),
  state: z.enum(SUBSCRIPTION_STATES),
  billing_day: z.enum(BILLING_DAYS),
  first_period: z.enum(FIRST_PERIODS),
  /** The next sum that falls due. Null if there is none. */
  next_charge: hiddenWithout(MONEY_RIGHTS, chargePreview.nullable(), null),
  /** The last day of the minimum term, or null without one. */
  minimum_until: z.string().nullable(),
  renews_on: z.string().nullable(),
  cancel_asked_on: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  ground: z.enum(CANCEL_GROUNDS).nullable(),
  /** Whether the end, or the change to another plan, can still be taken back. */
  may_keep: z.boolean(),
  /** The plan to which it changes or has changed. */
  changes_to: z.object({ plan_name: z.string(), starts_on: z.string() }).nullable(),
  /** Whether everything is given back if it ends now. */
  is_cooling_off: z.boolean(),
})
export type Subscription = z.output<typeof subscription>

const membership = z.object({
  student_id: z.uuid(),
  /** The monthly fee of a student without a plan. Null while a plan is in force. */
  monthly_fee: hiddenAmount,
  /** Running and coming ones first, then those that ended, the newest first. */
  subscriptions: z.array(subscription),
  holds: z.array(hold),
  packs: z.array(studentPack),
  /** The plan that a student who awaits approval chose on the join page. */
  requested_plan: z.string().nullable(),
  requested_plan_id: z.uuid().nullable(),
})
export type Membership = z.output<typeof membership>

export const CHARGES_FROM = ['current_period', 'start'] as const

const overrideReason = clearable(singleLineText('Reason', 200))

export const newSubscription = z
  .object({
    plan_id: uuid('Plan'),
    starts_on: calendarDate('First day'),
    /** Left out, the rules of the school decide. */
    billing_day: emptyAsUndefined(oneOf('Billing day', BILLING_DAYS)),
    first_period: emptyAsUndefined(oneOf('First period', FIRST_PERIODS)),
    /** What this student pays instead of the plan's price. */
    price_override: dollars('Price').nullish(),
    override_reason: overrideReason,
    waives_sign_up: emptyAsUndefined(flag('Sign-up fee')),
    /** Of a plan that began in an earlier month, what is charged: everything since the start, or by
     *  default from the current period on. */
    charges: emptyAsUndefined(oneOf('Charges', CHARGES_FROM)),
    quoted: quotedSums,
  })
  .refine(
    ({ price_override, override_reason }) =>
      typeof price_override !== 'number' || Boolean(override_reason),
    { error: 'Say why the price differs', path: ['override_reason'] },
  )
export type NewSubscription = z.output<typeof newSubscription>

export const CHANGE_DAYS = ['now', 'next_period'] as const
export const subscriptionChange = z.object({
  plan_id: uuid('Plan'),
  from: oneOf('From', CHANGE_DAYS),
  /** Needed to change to a cheaper plan within the minimum term, or to shorten it. */
  reason: overrideReason,
  /** A sooner end of the minimum term than was promised with the plan before. */
  bound_until: clearable(calendarDate('Day')),
  quoted: quotedSums,
})
export type SubscriptionChange = z.output<typeof subscriptionChange>

export const subscriptionEnd = z.object({
  /** The day on which it was asked for. Left out, today. */
  asked_on: clearable(calendarDate('Day')),
  reason: clearable(singleLineText('Reason', 200)),
  ground: emptyAsUndefined(oneOf('Ground', CANCEL_GROUNDS)),
  /** Sooner than the terms say. The plan's fee for ending early is then due. */
  last_day: clearable(calendarDate('Last day')),
  waives_early_end_fee: emptyAsUndefined(flag('Fee for ending early')),
  quoted: quotedSums,
})
export type SubscriptionEnd = z.output<typeof subscriptionEnd>

/** `act_id` is what the act did to the ledger, or null. `refundable`: what the end of a plan gave
 *  back, in dollars, less what is still owed. It is credit, which can be refunded. */
const actReply = actPreview.extend({
  subscription_id: z.uuid(),
  act_id: z.uuid().nullable(),
  refundable: z.number(),
})
export type MembershipActReply = z.output<typeof actReply>

const EDIT_AND_TAKE = ['students.edit', 'money.take'] as const

export const membershipsApi = {
  show: {
    method: 'GET',
    path: '/students/:id/membership',
    access: 'instructor',
    right: 'students.read',
    summary: "A student's plans, holds and class packs, with the next sums",
    params: idParams,
    reply: membership,
  },
  previewStart: {
    method: 'POST',
    path: '/students/:id/subscriptions/preview',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'What a student would pay for a plan, and when',
    readOnly: true,
    params: idParams,
    body: newSubscription,
    reply: actPreview,
  },
  start: {
    method: 'POST',
    path: '/students/:id/subscriptions',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'Put a student on a plan. 409 if the student has one that is no add-on on a day',
    params: idParams,
    idempotent: true,
    body: newSubscription,
    reply: actReply,
  },
  previewChange: {
    method: 'POST',
    path: '/subscriptions/:id/change/preview',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'What changing to another plan would cost, and from when',
    readOnly: true,
    params: idParams,
    body: subscriptionChange,
    reply: actPreview,
  },
  change: {
    method: 'POST',
    path: '/subscriptions/:id/change',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'Change to another plan, now or from the next period',
    params: idParams,
    body: subscriptionChange,
    reply: actReply,
  },
  undo: {
    method: 'POST',
    path: '/subscriptions/:id/undo',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary:
      'Take back a start or a change that was a mistake. 409 on a later day, or if the plan was ' +
      'changed or ended since',
    params: idParams,
    reply: actReply,
  },
  previewEnd: {
    method: 'POST',
    path: '/subscriptions/:id/end/preview',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'The last day and the last sum if the plan were ended',
    readOnly: true,
    params: idParams,
    body: subscriptionEnd,
    reply: actPreview,
  },
  end: {
    method: 'POST',
    path: '/subscriptions/:id/end',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'End a plan after its notice and minimum term. Asking twice changes nothing',
    params: idParams,
    body: subscriptionEnd,
    reply: actReply,
  },
  keep: {
    method: 'POST',
    path: '/subscriptions/:id/keep',
    access: 'instructor',
    right: EDIT_AND_TAKE,
    summary: 'Undo the end of a plan until its last day, or a change until the new plan starts',
    params: idParams,
    reply: actReply,
  },
} as const satisfies Api
