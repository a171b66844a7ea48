import { z } from 'zod'
import {
  clearable,
  email,
  emptyAsUndefined,
  flag,
  unrestrictedName,
  multiLineText,
  oneOf,
  phone,
  uuid,
} from '../lib/fields.ts'
import { hiddenWithout } from '../rights.ts'

export const RELATIONS = ['mother', 'father', 'grandparent', 'guardian', 'other'] as const
export type Relation = (typeof RELATIONS)[number]

/** From this age on, students decide who may see their page. */
export const ADULT_AGE = 18
/** How long before the 18th birthday the student and the guardians are told. */
export const ADULTHOOD_NOTICE_DAYS = 30
/** Younger students need a guardian's consent to have their own login. */
export const OWN_LOGIN_AGE = 13
/** How long a new family can be undone and a closed login reopened. */
export const UNDO_DAYS = 7
export const INVITATION_DAYS = 7
export const INVITATION_PATH = '/accept-invitation'

/** What to do with a child's login, which a parent usually uses. */
export const LOGIN_CHOICES = ['keep', 'move', 'close'] as const
export type LoginChoice = (typeof LOGIN_CHOICES)[number]

/** What students of one family have in common. A surname alone is not enough. */
export const FAMILY_REASONS = ['phone', 'emergency_phone', 'emergency_contact', 'email'] as const
export type FamilyReason = (typeof FAMILY_REASONS)[number]

export const MAX_STUDENTS = 20
const EMERGENCY_RANK_ERROR = 'Emergency rank must be a whole number from 1 to 9'

export const guardianRights = z.object({
  relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
  /** The guardian may see the student's page. */
  sees: emptyAsUndefined(flag('Sees the student')),
  /** By default true for the payer only. */
  sees_fees: emptyAsUndefined(flag('Sees fees')),
  gets_texts: emptyAsUndefined(flag('Gets texts')),
  /** A new payer replaces the earlier one. False by default. */
  pays: emptyAsUndefined(flag('Pays')),
  may_edit: emptyAsUndefined(flag('May edit')),
  picks_up: emptyAsUndefined(flag('Picks up')),
  /** In an emergency, the guardian with rank 1 is called first. Null means never called. */
  emergency_rank: clearable(
    z
      .number(EMERGENCY_RANK_ERROR)
      .int(EMERGENCY_RANK_ERROR)
      .min(1, EMERGENCY_RANK_ERROR)
      .max(9, EMERGENCY_RANK_ERROR),
  ),
  note: clearable(multiLineText('Note', 1000)),
})
export type GuardianRights = z.output<typeof guardianRights>

export const guardianContact = {
  name: unrestrictedName('Name'),
  phone: clearable(phone('Phone number')),
  /** The address for the invitation, which becomes the email of the login. */
  email: clearable(email()),
}

export const guardianOfStudent = z.object(
  { ...guardianContact, relation: emptyAsUndefined(oneOf('Relation', RELATIONS)) },
  'The guardian is not valid',
)
export type GuardianOfStudent = z.output<typeof guardianOfStudent>

const newLink = guardianRights.extend({ student_id: uuid('Student') })
export const areStudentsUnique = (links: { student_id: string }[]) =>
  new Set(links.map(({ student_id }) => student_id)).size === links.length
export const DUPLICATE_STUDENT = 'Each student can be named once'

export const newGuardian = z
  .object({
    ...guardianContact,
    name: emptyAsUndefined(guardianContact.name),
    /** A student or instructor of the dojo who becomes a guardian with the same login. */
    account_id: emptyAsUndefined(uuid('Account')),
    students: z
      .array(z.object(newLink.shape, 'A student must be an object'), 'Students must be a list')
      .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
      .refine(areStudentsUnique, DUPLICATE_STUDENT)
      .optional(),
  })
  .refine(({ name, account_id }) => name !== undefined || account_id !== undefined, {
    error: 'Name is required',
    path: ['name'],
  })
export type NewGuardian = z.output<typeof newGuardian>

export const guardianUpdate = z.object({
  ...guardianContact,
  name: emptyAsUndefined(guardianContact.name),
})
export type GuardianUpdate = z.output<typeof guardianUpdate>

export const guardianSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  relation: z.enum(RELATIONS),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  pays: z.boolean(),
  gets_texts: z.boolean(),
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
  note: hiddenWithout('students.contact', z.string().nullable(), null),
  since: z.string(),
  /** True if the student's login closes when the guardian first logs in. */
  closes_log_in: z.boolean(),
  /** When the student's login was closed. It can be reopened for `UNDO_DAYS`. */
  log_in_closed_at: z.string().nullable(),
  /** True if the student, now an adult, lets the guardian keep access. */
  student_agreed: z.boolean(),
  agrees_to_fees: z.boolean(),
  agrees_to_edit: z.boolean(),
  /** Date of the student's 18th birthday, when access ends unless the student agrees. */
  adult_on: z.string().nullable(),
  /** True once the student is 18, so the guardian keeps only what the student allows. */
  ended_by_age: z.boolean(),
  /** True if the guardian agrees to a login for a child under 13. */
  allows_log_in: z.boolean(),
  log_in_consent_at: z.string().nullable(),
})
export type Guardianship = z.output<typeof guardianship>

export const guardian = z.object({
  id: z.uuid(),
  name: z.string(),
  phone: hiddenWithout('students.contact', z.string().nullable(), null),
  email: hiddenWithout('students.contact', z.string().nullable(), null),
  has_log_in: z.boolean(),
  is_student: z.boolean(),
  is_instructor: z.boolean(),
  invited_until: z.string().nullable(),
  students: z.array(guardianship),
  /** Students who left are not in `students`. */
  has_former_students: z.boolean(),
})
export type Guardian = z.output<typeof guardian>
