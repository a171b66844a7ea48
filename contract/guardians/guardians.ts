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

/** From this birthday on a student decides who sees their page. */
export const ADULT_AGE = 18
/** Both are told this many days before. */
export const ADULTHOOD_ANNOUNCED_DAYS = 30
/** A student younger than this has a log-in of their own only where a guardian with one allows it. */
export const OWN_LOG_IN_AGE = 13
/** How long a family that was made of existing students can be undone. */
export const UNDO_DAYS = 7
/** How long an invitation to a log-in is valid. */
export const INVITATION_DAYS = 7
/** The page that an emailed or copied invitation opens; its secret stands after '#', and reaches no server log. */
export const INVITATION_PATH = '/accept-invitation'

/** What becomes of a student's own log-in when a family is made: most children's are really a parent's. */
export const LOG_IN_CHOICES = ['keep', 'move', 'close'] as const
export type LogInChoice = (typeof LOG_IN_CHOICES)[number]

/** Why students may be one family. None of it is certain, and a surname alone is no reason. */
export const FAMILY_REASONS = ['phone', 'emergency_phone', 'emergency_contact', 'email'] as const
export type FamilyReason = (typeof FAMILY_REASONS)[number]

export const MAX_STUDENTS = 20
const RANK = 'Emergency rank must be a whole number from 1 to 9'

/** What a guardian is to one student and may see and do; what is left out stays as it is, or takes the default in a new link. */
export const rights = z.object({
  relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
  /** Sees the student's page: belt, classes, attendance, announcements. Default true. */
  sees: emptyAsUndefined(flag('Sees the student')),
  /** Sees what is paid and owed. Default: whoever pays. */
  sees_fees: emptyAsUndefined(flag('Sees fees')),
  gets_texts: emptyAsUndefined(flag('Gets texts')),
  /** One at most for each student: it is taken from whoever paid before. Default false. */
  pays: emptyAsUndefined(flag('Pays')),
  /** Edits the student's phone and emergency contact. Default false. */
  may_edit: emptyAsUndefined(flag('May edit')),
  picks_up: emptyAsUndefined(flag('Picks up')),
  /** 1 is called first. */
  emergency_rank: clearable(z.number(RANK).int(RANK).min(1, RANK).max(9, RANK)),
  /** For instructors only. */
  note: clearable(multiLineText('Note', 1000)),
})
export type GuardianRights = z.output<typeof rights>

export const contact = {
  name: freeName('Name'),
  phone: clearable(phone('Phone number')),
  /** Where the invitation to a log-in goes; later the log-in's email. */
  email: clearable(email()),
}

/** A guardian as a student's enrolment names them. */
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
    /** A student or instructor of the dojo who is a guardian, too: name, email and log-in are theirs. */
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

/** What is left out stays as it is. The email of a guardian with a log-in cannot be cleared. */
export const guardianUpdate = z.object({ ...contact, name: emptyAsUndefined(contact.name) })
export type GuardianUpdate = z.output<typeof guardianUpdate>

/** A guardian in the list of students, for instructors. */
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
  /** The student's own log-in closes at the guardian's first sign-in. */
  closes_log_in: z.boolean(),
  /** The student's own log-in was closed in favour of this guardian's; it can be opened again for `UNDO_DAYS`. */
  log_in_closed_at: z.string().nullable(),
  /** The student lets the guardian go on seeing after they come of age. */
  student_agreed: z.boolean(),
  /** What the agreement includes beyond the page. */
  agrees_to_fees: z.boolean(),
  agrees_to_edit: z.boolean(),
  /** The calendar date on which the student is 18, and what the guardian sees ends unless the student agrees; null without a date of birth. */
  adult_on: z.string().nullable(),
  /** That day has come, and what ended on it has. */
  ended_by_age: z.boolean(),
  /** The guardian agrees that the student, under 13, has a log-in, and since when as far as it was recorded. */
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
  /** Trains or teaches in the dojo as well, with the same log-in. */
  is_student: z.boolean(),
  is_instructor: z.boolean(),
  /** When the invitation that was sent last expires; null without one that is valid and not accepted. */
  invited_until: z.string().nullable(),
  /** The live links, by the student's name. */
  students: z.array(guardianship),
})
export type Guardian = z.output<typeof guardian>
