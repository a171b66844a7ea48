import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  clearable,
  emptyAsUndefined,
  flag,
  idParams,
  phone,
  properName,
  success,
  uuid,
} from '../lib/fields.ts'
import { RELATIONS } from '../guardians/guardians.ts'
import { CHARGE_KINDS } from '../ledger/ledger.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'
import { studentPhoto } from '../pictures/pictures.ts'

const nextClass = z.object({
  class_id: z.uuid(),
  class_name: z.string(),
  class_date: z.string(),
  class_time: z.string(),
})
const owedCharge = z.object({
  kind: z.enum(CHARGE_KINDS),
  month: z.number().nullable(),
  year: z.number().nullable(),
  owed: z.number(),
})
const fees = z.object({
  monthly_payment_amount: z.number().nullable(),
  /** Why this month costs less, such as "2nd of 3: −10%". */
  price_reason: z.string().nullable(),
  is_paid: z.boolean(),
  paid: z.number(),
  month_price: z.number(),
  owed: z.number(),
  /** What banks are bringing of what is owed. */
  on_its_way: z.number(),
  charges: z.array(owedCharge),
  credit: z.number(),
  /** True if the caller pays for this child. */
  pays: z.boolean(),
})
const child = z.object({
  id: z.uuid(),
  name: z.string(),
  ...studentPhoto,
  belt_level: z.enum(BELTS),
  rank: heldRank.nullable(),
  /** Date of the last belt change and classes attended since. Null without a recorded change. */
  belt_progress: z.object({ since: z.string(), classes: z.number() }).nullable(),
  is_trial: z.boolean(),
  on_vacation: z.boolean(),
  awaits_approval: z.boolean(),
  relation: z.enum(RELATIONS),
  classes: z.array(
    z.object({ class_id: z.uuid(), class_name: z.string(), days: z.string(), time: z.string() }),
  ),
  next_class: nextClass.nullable(),
  attendance: z.object({
    present_this_month: z.number(),
    absent_this_month: z.number(),
    present_90_days: z.number(),
    marks_90_days: z.number(),
  }),
  fees: fees.nullable(),
  may_edit: z.boolean(),
  contact: z
    .object({
      phone_number: z.string().nullable(),
      emergency_contact_name: z.string().nullable(),
      emergency_contact_phone: z.string().nullable(),
    })
    .nullable(),
  has_log_in: z.boolean(),
  /** For children under 13: whether this guardian agrees to a login. Null for older children. */
  allows_log_in: z.boolean().nullable(),
})
export type Child = z.output<typeof child>

/** A child who left the school. `owed` is null if the guardian may not see fees. */
const formerChild = z.object({
  name: z.string(),
  left_on: z.string(),
  owed: z.number().nullable(),
})

const familyHome = z.object({
  today: z.string(),
  month: z.number(),
  year: z.number(),
  children: z.array(child),
  total: z.object({ paid: z.number(), owed: z.number(), on_its_way: z.number() }).nullable(),
  former: z.array(formerChild),
  /** The caller's phone, which gets the school's replies. Null if they can't text the school. */
  reply_phone: z.string().nullable(),
})
export type FamilyHome = z.output<typeof familyHome>

const ownGuardian = z.object({
  id: z.uuid(),
  name: z.string(),
  relation: z.enum(RELATIONS),
  /** The guardian may see the student's page. */
  sees: z.boolean(),
  sees_fees: z.boolean(),
  may_edit: z.boolean(),
  pays: z.boolean(),
  /** The guardian keeps access after the 18th birthday. */
  is_agreed: z.boolean(),
  agrees_to_fees: z.boolean(),
  agrees_to_edit: z.boolean(),
})
export type OwnGuardian = z.output<typeof ownGuardian>

/** Empty until 30 days before the student's 18th birthday. */
const ownGuardians = z.object({
  adult_on: z.string().nullable(),
  is_adult: z.boolean(),
  guardians: z.array(ownGuardian),
})
export type OwnGuardians = z.output<typeof ownGuardians>

/** A missing field counts as true. */
const agreement = z.object({
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

export const ownFamilyApi = {
  home: {
    method: 'GET',
    path: '/family/home',
    access: 'member',
    right: 'own',
    summary:
      "The caller's children with classes and attendance, and with fees if the caller may see " +
      'them',
    query: z.object({ student_id: uuid('Student').optional() }),
    reply: familyHome,
  },
  changeContact: {
    method: 'PUT',
    path: '/family/students/:id/contact',
    access: 'member',
    right: 'own',
    summary:
      "Change a child's phone and emergency contact, if the caller may edit them; missing fields " +
      'do not change',
    params: idParams,
    body: contactChange,
    reply: success,
  },
  myGuardians: {
    method: 'GET',
    path: '/family/guardians',
    access: 'student',
    summary: "The caller's guardians, starting 30 days before the caller's 18th birthday",
    reply: ownGuardians,
  },
  agree: {
    method: 'PUT',
    path: '/family/guardians/:id',
    access: 'student',
    summary:
      'Let a guardian keep access after the 18th birthday, or not. Without `agrees_to_fees` and ' +
      '`agrees_to_edit` the guardian keeps all rights. An adult can end the access; only an ' +
      'instructor can restore it',
    params: idParams,
    body: agreement,
    reply: success,
  },
} as const satisfies Api
