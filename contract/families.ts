import { z } from 'zod'
import type { Api } from './endpoint.ts'
import {
  clearable,
  email,
  emptyAsUndefined,
  flag,
  idParams,
  lettersAndSpaces,
  multiLineText,
  oneOf,
  phone,
  singleLineText,
  success,
  uuid,
} from './fields.ts'

export const RELATIONS = ['mother', 'father', 'grandparent', 'guardian', 'other'] as const
export type Relation = (typeof RELATIONS)[number]

/** From this birthday on a student decides who sees their page. */
export const ADULT_AGE = 18
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

const MAX_STUDENTS = 20
const RANK = 'Emergency rank must be a whole number from 1 to 9'

/** What a guardian is to one student and may see and do; what is left out stays as it is, or takes the default in a new link. */
const rights = z.object({
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

const contact = {
  name: singleLineText('Name', 100),
  phone: clearable(phone('Phone number')),
  /** Where the invitation to a log-in goes; later the log-in's email. */
  email: clearable(email()),
  /** A language tag, such as es. */
  language: clearable(singleLineText('Language', 35).regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'Language is not valid')),
}

/** A guardian as a student's enrolment names them. */
export const guardianOfStudent = z.object(
  { ...contact, relation: emptyAsUndefined(oneOf('Relation', RELATIONS)) },
  'The guardian is not valid',
)
export type GuardianOfStudent = z.output<typeof guardianOfStudent>

const linkTo = rights.extend({ student_id: uuid('Student') })
const onceEach = (links: { student_id: string }[]) => new Set(links.map(({ student_id }) => student_id)).size === links.length
const ONCE_EACH = 'Each student can be named once'

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
  .refine(({ name, account_id }) => name !== undefined || account_id !== undefined, { error: NAME_OR_ACCOUNT, path: ['name'] })
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
  /** The student lets the guardian go on seeing after they come of age. */
  student_agreed: z.boolean(),
  /** The guardian lets the student, under 13, have a log-in. */
  allows_log_in: z.boolean(),
})
export type Guardianship = z.output<typeof guardianship>

export const guardian = z.object({
  id: z.uuid(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  language: z.string().nullable(),
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

const family = z.object({ payer_id: z.uuid(), student_ids: z.array(z.uuid()) })
const families = z.object({
  guardians: z.array(guardian),
  /** Students who share a payer, and those whom a payer pays alone for. */
  families: z.array(family),
})

/** A link to copy where no mail server sends it; null where it was sent. */
const sentInvitation = z.object({ email: z.string(), expires_at: z.string(), is_sent: z.boolean(), link: z.string().nullable() })
export type SentInvitation = z.output<typeof sentInvitation>

const candidate = z.object({
  student_id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  phone_number: z.string().nullable(),
  emergency_contact_name: z.string().nullable(),
  emergency_contact_phone: z.string().nullable(),
  guardian_ids: z.array(z.uuid()),
})
export const familySuggestion = z.object({
  students: z.array(candidate),
  reasons: z.array(z.enum(FAMILY_REASONS)),
  /** Who they seem to have in common: a guardian of one of them, else their emergency contact. */
  guardian: z.object({ id: z.uuid().nullable(), name: z.string(), phone: z.string().nullable(), email: z.string().nullable() }).nullable(),
})
export type FamilySuggestion = z.output<typeof familySuggestion>

const familyMember = z.object(
  {
    student_id: uuid('Student'),
    relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
    /** `move`: the guardian signs in with it from now on; `close`: it ends at the guardian's first sign-in. Default `keep`. */
    log_in: emptyAsUndefined(oneOf('Log-in', LOG_IN_CHOICES)),
  },
  'A student must be an object',
)

const ONE_GUARDIAN = 'Name a new guardian or choose one'
const ONE_MOVE = 'Only one log-in can become the guardian’s'
/** A family of students who are there already: one guardian, chosen or new, and what becomes of the students' log-ins. */
export const familyForm = z
  .object({
    guardian_id: emptyAsUndefined(uuid('Guardian')),
    guardian: z.object(contact, 'The guardian is not valid').optional(),
    students: z
      .array(familyMember, 'Students must be a list')
      .min(1, 'Choose at least one student')
      .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
      .refine(onceEach, ONCE_EACH)
      .refine((members) => members.filter(({ log_in }) => log_in === 'move').length <= 1, ONE_MOVE),
    /** The guardian pays for all of them. Default true. */
    pays: emptyAsUndefined(flag('Pays')),
    /** The guardian gets the texts about all of them. Default true. */
    gets_texts: emptyAsUndefined(flag('Gets texts')),
  })
  .refine((form) => (form.guardian_id === undefined) !== (form.guardian === undefined), { error: ONE_GUARDIAN, path: ['guardian'] })
export type FamilyForm = z.output<typeof familyForm>

/** How many texts one message to all of the family takes, and how many log-ins it has. */
const figures = z.object({ texts: z.number(), log_ins: z.number() })
const familyPreview = z.object({
  before: figures,
  after: figures,
  /** Whether log-ins that close do so at once, because the guardian has signed in before. */
  closes_at_once: z.boolean(),
})

const familyChange = z.object({
  id: z.uuid(),
  guardian_id: z.uuid(),
  guardian_name: z.string(),
  students: z.array(z.object({ student_id: z.uuid(), name: z.string(), log_in: z.enum(LOG_IN_CHOICES) })),
  made_at: z.string(),
  /** Until then it can be undone. */
  undo_until: z.string(),
})
export type FamilyChange = z.output<typeof familyChange>

const nextClass = z.object({
  class_id: z.uuid(),
  class_name: z.string(),
  /** A calendar date in the dojo's time zone. */
  class_date: z.string(),
  class_time: z.string(),
})
const fees = z.object({
  monthly_payment_amount: z.number().nullable(),
  is_paid: z.boolean(),
  /** In dollars: what the month's record says, and what is still expected. */
  paid: z.number(),
  owed: z.number(),
  /** The guardian who asks is the one who pays. */
  pays: z.boolean(),
})
const child = z.object({
  id: z.uuid(),
  name: z.string(),
  belt_level: z.string(),
  is_trial: z.boolean(),
  on_vacation: z.boolean(),
  relation: z.enum(RELATIONS),
  classes: z.array(z.object({ class_id: z.uuid(), class_name: z.string(), days: z.string(), time: z.string() })),
  /** Null without classes, and on vacation. */
  next_class: nextClass.nullable(),
  /** The marks of this month, and of the last 90 days. */
  attendance: z.object({ present_this_month: z.number(), absent_this_month: z.number(), present_90_days: z.number(), marks_90_days: z.number() }),
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

const familyHome = z.object({
  /** The dojo's calendar date, by which today's classes are today's. */
  today: z.string(),
  month: z.number(),
  year: z.number(),
  /** Those with a class today first, in the order of the classes; then by name. */
  children: z.array(child),
  /** Over the children for whom this guardian pays; null where they pay for none. */
  total: z.object({ paid: z.number(), owed: z.number() }).nullable(),
})
export type FamilyHome = z.output<typeof familyHome>

const guardianOfMine = z.object({
  id: z.uuid(),
  name: z.string(),
  relation: z.enum(RELATIONS),
  sees: z.boolean(),
  /** Whether they go on seeing after one's 18th birthday. */
  is_agreed: z.boolean(),
})

const contactChange = z.object({
  phone_number: clearable(phone('Phone number')),
  emergency_contact_name: clearable(lettersAndSpaces('Emergency contact name')),
  emergency_contact_phone: clearable(phone('Emergency contact phone')),
})
export type ContactChange = z.output<typeof contactChange>

const guardianAndStudent = idParams.extend({ studentId: uuid('Student') })
const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .min(2, 'Choose at least two students')
  .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)

export const familiesApi = {
  list: {
    method: 'GET',
    path: '/families',
    access: 'instructor',
    summary: 'Guardians with their students, and the students who share a payer',
    reply: families,
  },
  createGuardian: {
    method: 'POST',
    path: '/guardians',
    access: 'instructor',
    summary: 'Add a guardian, with links to students',
    idempotent: true,
    body: newGuardian,
    reply: z.object({ guardian }),
  },
  updateGuardian: {
    method: 'PUT',
    path: '/guardians/:id',
    access: 'instructor',
    summary: "Change a guardian's name, phone, email, language",
    params: idParams,
    body: guardianUpdate,
    reply: z.object({ guardian }),
  },
  removeGuardian: {
    method: 'DELETE',
    path: '/guardians/:id',
    access: 'instructor',
    summary: 'Delete a guardian with their links, and their log-in unless they also train or teach',
    params: idParams,
    reply: success,
  },
  link: {
    method: 'PUT',
    path: '/guardians/:id/students/:studentId',
    access: 'instructor',
    summary: 'Link a guardian to a student, or change what they may see and do',
    params: guardianAndStudent,
    body: rights,
    reply: z.object({ guardian }),
  },
  unlink: {
    method: 'DELETE',
    path: '/guardians/:id/students/:studentId',
    access: 'instructor',
    summary: 'End the link of a guardian to a student; nothing else changes',
    params: guardianAndStudent,
    reply: success,
  },
  invite: {
    method: 'POST',
    path: '/guardians/:id/invitation',
    access: 'instructor',
    summary: 'Invite a guardian to make a log-in, by email or by a link to copy; an earlier invitation stops working',
    params: idParams,
    reply: sentInvitation,
  },
  inviteStudent: {
    method: 'POST',
    path: '/students/:id/log-in-invitation',
    access: 'instructor',
    summary: 'Invite a student without a log-in to make one; an earlier invitation stops working',
    params: idParams,
    body: z.object({ email: email() }),
    reply: sentInvitation,
  },
  suggestions: {
    method: 'GET',
    path: '/families/suggestions',
    access: 'instructor',
    summary: 'Students who may be one family',
    reply: z.array(familySuggestion),
  },
  dismiss: {
    method: 'POST',
    path: '/families/suggestions/dismiss',
    access: 'instructor',
    summary: 'These students are not one family: never suggest them together again',
    body: z.object({ student_ids: studentIds }),
    reply: success,
  },
  preview: {
    method: 'POST',
    path: '/families/preview',
    access: 'instructor',
    summary: 'What making this family would change, without changing anything',
    body: familyForm,
    reply: familyPreview,
  },
  create: {
    method: 'POST',
    path: '/families',
    access: 'instructor',
    summary: 'Make a family of students who are there already; can be undone for 7 days',
    idempotent: true,
    body: familyForm,
    reply: z.object({ guardian, change: familyChange }),
  },
  changes: {
    method: 'GET',
    path: '/families/changes',
    access: 'instructor',
    summary: 'The families made of existing students that can still be undone, newest first',
    reply: z.array(familyChange),
  },
  undo: {
    method: 'POST',
    path: '/families/changes/:id/undo',
    access: 'instructor',
    summary: 'Undo the making of a family: links, payers and log-ins are as before',
    params: idParams,
    reply: success,
  },
  home: {
    method: 'GET',
    path: '/family/home',
    access: 'member',
    summary: 'The students whom the caller is a guardian of, with classes, attendance and, where they may see them, fees',
    query: z.object({ student_id: uuid('Student').optional() }),
    reply: familyHome,
  },
  changeContact: {
    method: 'PUT',
    path: '/family/students/:id/contact',
    access: 'member',
    summary: "Change a child's phone and emergency contact, with the right to edit them; what is left out stays",
    params: idParams,
    body: contactChange,
    reply: success,
  },
  allowLogIn: {
    method: 'PUT',
    path: '/family/students/:id/log-in',
    access: 'member',
    summary: 'Let a child under 13 have a log-in of their own, or not',
    params: idParams,
    body: z.object({ is_allowed: flag('Allowed') }),
    reply: success,
  },
  myGuardians: {
    method: 'GET',
    path: '/family/guardians',
    access: 'student',
    summary: 'The guardians of the student who asks',
    reply: z.array(guardianOfMine),
  },
  agree: {
    method: 'PUT',
    path: '/family/guardians/:id',
    access: 'student',
    summary: 'Let a guardian go on seeing after one comes of age, or not; an adult can end it, and an instructor bring it back',
    params: idParams,
    body: z.object({ is_agreed: flag('Agreed') }),
    reply: success,
  },
} as const satisfies Api
