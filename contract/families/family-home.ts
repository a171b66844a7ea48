import { z } from 'zod'
import { clearable, emptyAsUndefined, flag, properName, phone } from '../lib/fields.ts'
import { RELATIONS } from '../guardians/guardians.ts'
import { CHARGE_KINDS } from '../ledger/ledger.ts'
import { heldRank } from '../lib/ranks.ts'

const nextClass = z.object({
  class_id: z.uuid(),
  class_name: z.string(),
  /** A calendar date in the dojo's time zone. */
  class_date: z.string(),
  class_time: z.string(),
})
/** Something with an amount left to pay. Notes are for instructors. */
const owedCharge = z.object({
  kind: z.enum(CHARGE_KINDS),
  month: z.number().nullable(),
  year: z.number().nullable(),
  owed: z.number(),
})
/** All amounts are dollars. */
const fees = z.object({
  /** The list fee; `price_reason` says why this month costs less, such as "2nd of 3: −10%". */
  monthly_payment_amount: z.number().nullable(),
  price_reason: z.string().nullable(),
  /** Of this month. */
  is_paid: z.boolean(),
  paid: z.number(),
  month_price: z.number(),
  /** Over all charges and the month in progress, as in the list of who owes: the sum of `charges`. */
  owed: z.number(),
  /** What is owed, the oldest first. */
  charges: z.array(owedCharge),
  credit: z.number(),
  /** The guardian who asks is the one who pays. */
  pays: z.boolean(),
})
const child = z.object({
  id: z.uuid(),
  name: z.string(),
  belt_level: z.string(),
  /** Null where the dojo keeps no ladders. */
  rank: heldRank.nullable(),
  /** The calendar date of the last change of belt, and the classes attended after it; null where none was recorded. */
  belt_progress: z.object({ since: z.string(), classes: z.number() }).nullable(),
  is_trial: z.boolean(),
  on_vacation: z.boolean(),
  /** Joined by invitation, and no instructor has approved it yet. */
  awaits_approval: z.boolean(),
  relation: z.enum(RELATIONS),
  classes: z.array(
    z.object({ class_id: z.uuid(), class_name: z.string(), days: z.string(), time: z.string() }),
  ),
  /** Null without classes, and on vacation. */
  next_class: nextClass.nullable(),
  /** The marks of this month, and of the last 90 days. */
  attendance: z.object({
    present_this_month: z.number(),
    absent_this_month: z.number(),
    present_90_days: z.number(),
    marks_90_days: z.number(),
  }),
  /** Null without the right to see fees. */
  fees: fees.nullable(),
  may_edit: z.boolean(),
  /** Only with the right to edit it. */
  contact: z
    .object({
      phone_number: z.string().nullable(),
      emergency_contact_name: z.string().nullable(),
      emergency_contact_phone: z.string().nullable(),
    })
    .nullable(),
  has_log_in: z.boolean(),
  /** Under 13: whether this guardian allows a log-in of their own. Null for others, who need nobody's leave. */
  allows_log_in: z.boolean().nullable(),
})
export type Child = z.output<typeof child>

export const familyHome = z.object({
  /** The dojo's calendar date, by which today's classes are today's. */
  today: z.string(),
  month: z.number(),
  year: z.number(),
  /** Those with a class today first, in the order of the classes; then by name. */
  children: z.array(child),
  /** Over the children for whom this guardian pays: paid this month, and owed in all. Null where they pay for none. */
  total: z.object({ paid: z.number(), owed: z.number() }).nullable(),
})
export type FamilyHome = z.output<typeof familyHome>

const guardianOfMine = z.object({
  id: z.uuid(),
  name: z.string(),
  relation: z.enum(RELATIONS),
  sees: z.boolean(),
  sees_fees: z.boolean(),
  may_edit: z.boolean(),
  pays: z.boolean(),
  /** Whether they go on seeing after one's 18th birthday, and what else that includes. */
  is_agreed: z.boolean(),
  agrees_to_fees: z.boolean(),
  agrees_to_edit: z.boolean(),
})
export type GuardianOfMine = z.output<typeof guardianOfMine>

/** The guardians of somebody who comes of age within 30 days, or has; a younger student is told of none, and of no day. */
export const guardiansOfMine = z.object({
  /** The calendar date of the 18th birthday. */
  adult_on: z.string().nullable(),
  is_adult: z.boolean(),
  guardians: z.array(guardianOfMine),
})
export type GuardiansOfMine = z.output<typeof guardiansOfMine>

/** The rights beyond the page that an agreement includes are all that the guardian has, unless they are named. */
export const agreement = z.object({
  is_agreed: flag('Agreed'),
  agrees_to_fees: emptyAsUndefined(flag('Agrees to fees')),
  agrees_to_edit: emptyAsUndefined(flag('Agrees to edit')),
})
export type Agreement = z.output<typeof agreement>

export const contactChange = z.object({
  phone_number: clearable(phone('Phone number')),
  emergency_contact_name: clearable(properName('Emergency contact name')),
  emergency_contact_phone: clearable(phone('Emergency contact phone')),
})
export type ContactChange = z.output<typeof contactChange>
