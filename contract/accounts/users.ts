import { z } from 'zod'
import { SIGN_IN_STEPS } from './accounts.ts'
import { BELT_TEST_NAMES } from '../dojos/belt-test.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'
import { dojoBranding, studentPhoto } from '../pictures/pictures.ts'
import { ALL_RIGHTS } from '../rights.ts'

export const GENDERS = ['male', 'female', 'other'] as const
export type Gender = (typeof GENDERS)[number]

const nullableText = z.string().nullable()
const studentFields = z.object({
  belt_level: z.enum(BELTS).nullable(),
  date_of_birth: nullableText,
  gender: z.enum(GENDERS).nullable(),
  emergency_contact_name: nullableText,
  emergency_contact_phone: nullableText,
  class_preferences: z.array(z.string()).nullable(),
  enrolled_classes: z.array(z.string()).nullable(),
  is_trial: z.boolean().nullable(),
  monthly_payment_amount: z.number().nullable(),
  on_vacation: z.boolean().nullable(),
  /** True if the student has returned the application form. */
  app_returned: z.boolean().nullable(),
  payment_method: nullableText,
  current_month_paid: z.boolean().nullable(),
  ...studentPhoto,
})

export const user = z
  .object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    is_instructor: z.boolean(),
    is_super_admin: z.boolean(),
    dojo_name: nullableText,
    contact_number: nullableText,
    city: nullableText,
    state: nullableText,
    phone_number: nullableText,
  })
  .extend(studentFields.shape)

/** The signed-in user, with some settings of the dojo. These are null for a super admin. */
export const signedInUser = user.extend({
  time_zone: nullableText,
  belt_test_name: z.enum(BELT_TEST_NAMES).nullable(),
  ...dojoBranding,
  /** The rank in the main style. Null if the dojo has no ladders, and only belt levels. */
  rank: heldRank.nullable(),
  awaits_approval: z.boolean().nullable(),
  is_guardian: z.boolean(),
  students: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      belt_level: z.enum(BELTS),
      rank: heldRank.nullable(),
      is_trial: z.boolean(),
    }),
  ),
  sign_in_step: z.enum(SIGN_IN_STEPS).nullable(),
  /** What a member of staff may see and do. Null for others, and in the family view. */
  staff: z
    .object({
      is_owner: z.boolean(),
      rights: z.array(z.enum(ALL_RIGHTS)),
      /** The only classes that the person sees. Null means all classes. */
      class_ids: z.array(z.uuid()).nullable(),
      /** The staff member or preset whose view an owner is previewing, without making changes. */
      seen_as: z.string().nullable(),
      /** True for the sensei who registered the school, whose email must end with .com. */
      has_registered: z.boolean(),
    })
    .nullable(),
  /** True if the person is staff and a student or guardian, and can switch views. */
  has_family_view: z.boolean(),
  is_in_family_view: z.boolean(),
})
export type SignedInUser = z.output<typeof signedInUser>
export const signedIn = z.object({ token: z.string(), user: signedInUser })

export const NOT_A_STUDENT = {
  belt_level: null,
  date_of_birth: null,
  gender: null,
  emergency_contact_name: null,
  emergency_contact_phone: null,
  class_preferences: null,
  enrolled_classes: null,
  is_trial: null,
  monthly_payment_amount: null,
  on_vacation: null,
  app_returned: null,
  payment_method: null,
  current_month_paid: null,
  photo: null,
  awaits_approval: null,
  rank: null,
} as const
