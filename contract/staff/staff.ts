import { z } from 'zod'
import { enteredPassword, secondFactorCode } from '../accounts/accounts.ts'
import { signedInUser } from '../accounts/users.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  emptyAsUndefined,
  flag,
  idParams,
  oneOf,
  success,
  uuid,
} from '../lib/fields.ts'
import { PRESET_NAMES } from '../rights.ts'
import { staffGrant, staffGrantForm, staffInvitation } from './staff-grants.ts'

const person = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  is_owner: z.boolean(),
  ...staffGrant.shape,
  ended_at: z.string().nullable(),
  /** The last day the person used Tatami, in UTC. */
  last_seen_on: z.string().nullable(),
  is_student: z.boolean(),
  is_guardian: z.boolean(),
  /** True for a student under 18, who may only have `HELPER_RIGHTS`. */
  is_minor: z.boolean(),
  /** The guardian who agreed that a student under 18 may help. */
  agreed_guardian: z.string().nullable(),
  agreed_at: z.string().nullable(),
})
export type StaffPerson = z.output<typeof person>

export const MAX_RECIPIENTS = { min: 1, max: 1000, default: 50 } as const
const MAX_RECIPIENTS_ERROR = 'Recipients must be a whole number from 1 to 1,000'
const maxRecipients = z
  .number(MAX_RECIPIENTS_ERROR)
  .int(MAX_RECIPIENTS_ERROR)
  .min(MAX_RECIPIENTS.min, MAX_RECIPIENTS_ERROR)
  .max(MAX_RECIPIENTS.max, MAX_RECIPIENTS_ERROR)

/** Who needs a second factor at the next login: nobody, the owners, or the owners and everybody
 *  with a money right. */
export const SECOND_FACTOR_RULES = ['nobody', 'owners', 'money'] as const
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number]

const rules = z.object({
  /** Whether staff may not take or forgive payments for their own children. */
  refuses_own_family: z.boolean(),
  /** An owner's choice. Null means true if there are two or more owners. */
  refuses_own_family_setting: z.boolean().nullable(),
  /** Staff who are not owners must confirm texts to more people than this. */
  max_recipients: z.number(),
  second_factor: z.enum(SECOND_FACTOR_RULES),
})
export type StaffRules = z.output<typeof rules>

const rulesForm = z.object({
  refuses_own_family_setting: flag('Own family').nullish(),
  max_recipients: emptyAsUndefined(maxRecipients),
  second_factor: oneOf('Second factor', SECOND_FACTOR_RULES).optional(),
})
export type StaffRulesForm = z.output<typeof rulesForm>

/** The caller's password and, with a second factor, a code from the app or a recovery code. */
const confirmation = z.object({
  current_password: enteredPassword,
  code: emptyAsUndefined(secondFactorCode),
})

const lastDay = z.object({ ends_on: clearable(calendarDate('Last day')) })

/** Whose view an owner previews: that of a member of the staff or of a preset. */
const viewForm = z
  .object({
    person_id: emptyAsUndefined(uuid('Person')),
    preset: emptyAsUndefined(oneOf('Preset', PRESET_NAMES)),
    class_ids: z.array(uuid('Class'), 'Classes must be a list').max(100).nullish(),
  })
  .refine(({ person_id, preset }) => (person_id === undefined) !== (preset === undefined), {
    error: 'Choose a person or a preset',
    path: ['person_id'],
  })
export type StaffViewForm = z.output<typeof viewForm>

export const staffApi = {
  list: {
    method: 'GET',
    path: '/staff',
    access: 'instructor',
    right: 'staff',
    summary: 'Staff with their rights, open invitations, former staff, and the rules for all staff',
    reply: z.object({
      people: z.array(person),
      invitations: z.array(staffInvitation),
      former_people: z.array(person),
      rules,
    }),
  },
  change: {
    method: 'PUT',
    path: '/staff/:id',
    access: 'instructor',
    right: 'staff',
    summary:
      'Change a person’s title, rights, classes and days. Nobody can raise their own rights, or ' +
      'give or take rights that they lack. For an owner, only the title can change',
    params: idParams,
    body: staffGrantForm,
    reply: z.object({ person }),
  },
  end: {
    method: 'POST',
    path: '/staff/:id/end',
    access: 'instructor',
    right: 'staff',
    summary: 'End a person’s work now or on a last day. Students and guardians keep their login',
    params: idParams,
    body: lastDay,
    reply: z.object({ person }),
  },
  rehire: {
    method: 'POST',
    path: '/staff/:id/rehire',
    access: 'instructor',
    right: 'staff',
    summary: 'Rehire a former member of the staff, with the same login',
    params: idParams,
    body: staffGrantForm,
    reply: z.object({ person }),
  },
  makeOwner: {
    method: 'POST',
    path: '/staff/:id/ownership',
    access: 'instructor',
    right: 'staff',
    summary:
      'Make a person an owner. With `hands_over`, the caller becomes an instructor. Only for ' +
      'owners. All owners get an email',
    throttle: 'sign-in',
    params: idParams,
    body: confirmation.extend({ hands_over: flag('Hand over').optional() }),
    reply: success,
  },
  removeOwner: {
    method: 'POST',
    path: '/staff/:id/ownership/remove',
    access: 'instructor',
    right: 'staff',
    summary:
      'Make an owner an instructor. Only for owners. 409 for the last owner. All owners and the ' +
      'former one get an email',
    throttle: 'sign-in',
    params: idParams,
    body: confirmation,
    reply: success,
  },
  setRules: {
    method: 'PUT',
    path: '/staff/rules',
    access: 'instructor',
    right: 'staff',
    summary: 'Change the rules for all staff. Only for owners',
    body: rulesForm,
    reply: z.object({ rules }),
  },
  view: {
    method: 'PUT',
    path: '/staff/view',
    access: 'instructor',
    right: 'own',
    summary: 'Preview the school as a person or preset sees it, read-only. Only for owners',
    duringPreview: true,
    body: viewForm,
    reply: z.object({ user: signedInUser }),
  },
  endView: {
    method: 'DELETE',
    path: '/staff/view',
    access: 'instructor',
    right: 'own',
    summary: 'End the preview',
    duringPreview: true,
    reply: z.object({ user: signedInUser }),
  },
  switchView: {
    method: 'PUT',
    path: '/my/view',
    access: 'member',
    right: 'own',
    summary: 'Switch between the staff view and the family view',
    body: z.object({ family: flag('Family') }),
    reply: z.object({ user: signedInUser }),
  },
} as const satisfies Api
