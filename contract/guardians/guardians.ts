import { z } from 'zod'
import {
  clearable,
  email,
  emptyAsUndefined,
  flag,
  freeName,
  multiLineText,
  oneOf,
  phone,
  uuid,
} from '../lib/fields.ts'

export const RELATIONS = ['mother', 'father', 'grandparent', 'guardian', 'other'] as const
export type Relation = (typeof RELATIONS)[number]

/** From this birthday on, students decide who sees their page. */
export const ADULT_AGE = 18
export const ADULTHOOD_ANNOUNCED_DAYS = 30
/** Younger students need a guardian's consent to have their own login. */
export const OWN_LOG_IN_AGE = 13
export const UNDO_DAYS = 7
export const INVITATION_DAYS = 7
/** The secret follows a "#", so that it reaches no server log. */
export const INVITATION_PATH = '/accept-invitation'

/** What becomes of a student's own login: most children's are really a parent's. */
export const LOG_IN_CHOICES = ['keep', 'move', 'close'] as const
export type LogInChoice = (typeof LOG_IN_CHOICES)[number]

/** Hints that students are one family. A shared surname is not enough. */
export const FAMILY_REASONS = ['phone', 'emergency_phone', 'emergency_contact', 'email'] as const
export type FamilyReason = (typeof FAMILY_REASONS)[number]

export const MAX_STUDENTS = 20
const RANK = 'Emergency rank must be a whole number from 1 to 9'

/** What a guardian may see and do. Missing fields stay, or take the default in a new link. */
export const rights = z.object({
  relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
  sees: emptyAsUndefined(flag('Sees the student')),
  /** Default: true for the payer. */
  sees_fees: emptyAsUndefined(flag('Sees fees')),
  gets_texts: emptyAsUndefined(flag('Gets texts')),
  /** Replaces an earlier payer. Default false. */
  pays: emptyAsUndefined(flag('Pays')),
  may_edit: emptyAsUndefined(flag('May edit')),
  picks_up: emptyAsUndefined(flag('Picks up')),
  emergency_rank: clearable(z.number(RANK).int(RANK).min(1, RANK).max(9, RANK)),
  note: clearable(multiLineText('Note', 1000)),
})
export type GuardianRights = z.output<typeof rights>

export const contact = {
  name: freeName('Name'),
  phone: clearable(phone('Phone number')),
  /** Receives the invitation, and becomes the login's email. */
  email: clearable(email()),
}

export const guardianOfStudent = z.object(
  { ...contact, relation: emptyAsUndefined(oneOf('Relation', RELATIONS)) },
  'The guardian is not valid',
)
export type GuardianOfStudent = z.output<typeof guardianOfStudent>

const linkTo = rights.extend({ student_id: uuid('Student') })
export const onceEach = (links: { student_id: string }[]) =>
  new Set(links.map(({ student_id }) => student_id)).size === links.length
export const ONCE_EACH = 'Each student can be named once'

const NAME_OR_ACCOUNT = 'Name is required'
export const newGuardian = z
  .object({
    ...contact,
    name: emptyAsUndefined(contact.name),
    /** A student or instructor of the dojo, whose name and login are used. */
    account_id: emptyAsUndefined(uuid('Account')),
    students: z
      .array(z.object(linkTo.shape, 'A student must be an object'), 'Students must be a list')
      .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
      .refine(onceEach, ONCE_EACH)
      .optional(),
  })
  .refine(({ name, account_id }) => name !== undefined || account_id !== undefined, {
    error: NAME_OR_ACCOUNT,
    path: ['name'],
  })
export type NewGuardian = z.output<typeof newGuardian>

/** Missing fields stay. A guardian with a login needs an email. */
export const guardianUpdate = z.object({ ...contact, name: emptyAsUndefined(contact.name) })
export type GuardianUpdate = z.output<typeof guardianUpdate>

export const guardianSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  relation: z.enum(RELATIONS),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  pays: z.boolean(),
  gets_texts: z.boolean(),
  /** 1 is called first in an emergency; null is not called. */
  emergency_rank: z.number().nullable(),
})
export type GuardianSummary = z.output<typeof guardianSummary>

const guardianship = z.object({
  student_id: z.uuid(),
  student_name: z.string(),
  relation: z.enum(RELATIONS),
  sees: z.boolean(),
  sees_fees: z.boolean(),
  gets_texts: z.boolean(),
  pays: z.boolean(),
  may_edit: z.boolean(),
  picks_up: z.boolean(),
  emergency_rank: z.number().nullable(),
  note: z.string().nullable(),
  since: z.string(),
  closes_log_in: z.boolean(),
  /** The student's login was closed for this guardian's; it can be reopened for `UNDO_DAYS`. */
  log_in_closed_at: z.string().nullable(),
  student_agreed: z.boolean(),
  agrees_to_fees: z.boolean(),
  agrees_to_edit: z.boolean(),
  /** Date of the student's 18th birthday, when access ends unless the student agrees. */
  adult_on: z.string().nullable(),
  ended_by_age: z.boolean(),
  allows_log_in: z.boolean(),
  log_in_consent_at: z.string().nullable(),
})
export type Guardianship = z.output<typeof guardianship>

export const guardian = z.object({
  id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  has_log_in: z.boolean(),
  is_student: z.boolean(),
  is_instructor: z.boolean(),
  /** When the open invitation expires; null without one. */
  invited_until: z.string().nullable(),
  students: z.array(guardianship),
})
export type Guardian = z.output<typeof guardian>
