import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { agreement, contactChange, familyHome, guardiansOfMine } from './family-home.ts'
import { email, emptyAsUndefined, flag, idParams, oneOf, success, uuid } from '../lib/fields.ts'
import {
  contact,
  FAMILY_REASONS,
  guardian,
  guardianUpdate,
  LOG_IN_CHOICES,
  MAX_STUDENTS,
  newGuardian,
  ONCE_EACH,
  onceEach,
  RELATIONS,
  rights,
} from '../guardians/guardians.ts'

const family = z.object({ payer_id: z.uuid(), student_ids: z.array(z.uuid()) })
const families = z.object({
  guardians: z.array(guardian),
  families: z.array(family),
})

/** `link` is only set when no mail server is configured, for the instructor to copy. */
const sentInvitation = z.object({
  email: z.string(),
  expires_at: z.string(),
  is_sent: z.boolean(),
  link: z.string().nullable(),
})
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
const familySuggestion = z.object({
  students: z.array(candidate),
  reasons: z.array(z.enum(FAMILY_REASONS)),
  guardian: z
    .object({
      id: z.uuid().nullable(),
      name: z.string(),
      phone: z.string().nullable(),
      email: z.string().nullable(),
    })
    .nullable(),
})
export type FamilySuggestion = z.output<typeof familySuggestion>

const familyMember = z.object(
  {
    student_id: uuid('Student'),
    relation: emptyAsUndefined(oneOf('Relation', RELATIONS)),
    /** `move`: to the guardian. `close`: when the guardian first logs in. Default `keep`. */
    log_in: emptyAsUndefined(oneOf('Log-in', LOG_IN_CHOICES)),
  },
  'A student must be an object',
)

const ONE_GUARDIAN = 'Name a new guardian or choose one'
const ONE_MOVE = 'Only one log-in can become the guardian’s'
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
    pays: emptyAsUndefined(flag('Pays')),
    gets_texts: emptyAsUndefined(flag('Gets texts')),
  })
  .refine((form) => (form.guardian_id === undefined) !== (form.guardian === undefined), {
    error: ONE_GUARDIAN,
    path: ['guardian'],
  })
export type FamilyForm = z.output<typeof familyForm>

/** Texts that one message to the whole family takes, and logins of the family. */
const figures = z.object({ texts: z.number(), log_ins: z.number() })
const familyPreview = z.object({
  before: figures,
  after: figures,
  /** True if the guardian has logged in before, so that closed logins end right away. */
  closes_at_once: z.boolean(),
})

const familyChange = z.object({
  id: z.uuid(),
  guardian_id: z.uuid(),
  guardian_name: z.string(),
  /** Deleted by the undo, unless linked to other students by then. */
  is_new_guardian: z.boolean(),
  students: z.array(
    z.object({ student_id: z.uuid(), name: z.string(), log_in: z.enum(LOG_IN_CHOICES) }),
  ),
  made_at: z.string(),
  undo_until: z.string(),
})
export type FamilyChange = z.output<typeof familyChange>

const guardianNotices = z.object({ total: z.number(), about_fees: z.number() })
export type GuardianNotices = z.output<typeof guardianNotices>

const guardianAndStudent = idParams.extend({ studentId: uuid('Student') })
const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .min(2, 'Choose at least two students')
  .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)

/** Consent to a login for a child under 13, as the guardian told the school or signed it. */
const logInConsent = z.object({ guardian_id: uuid('Guardian'), is_given: flag('Agreed') })
export type LogInConsent = z.output<typeof logInConsent>

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
    summary: "Change a guardian's name, phone and email",
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
  notices: {
    method: 'GET',
    path: '/guardians/:id/students/:studentId/notices',
    access: 'instructor',
    summary:
      'How many notices about the student a guardian has, which end with the right to see them',
    params: guardianAndStudent,
    reply: guardianNotices,
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
    path: '/guardians/:id/log-in-invitation',
    access: 'instructor',
    summary:
      'Invite a guardian to make a log-in, by email or by a link to copy; an earlier invitation stops working',
    params: idParams,
    reply: sentInvitation,
  },
  inviteStudent: {
    method: 'POST',
    path: '/students/:id/log-in-invitation',
    access: 'instructor',
    summary:
      'Invite a student without a login to make one, by a link that works once, for 7 days; an earlier invitation stops working. Refused for a child under 13 while no guardian has agreed',
    params: idParams,
    body: z.object({ email: email() }),
    reply: sentInvitation,
  },
  reopenLogIn: {
    method: 'POST',
    path: '/students/:id/log-in/reopen',
    access: 'instructor',
    summary:
      "Open a student's own log-in again that was closed in favour of a guardian's, within 7 days",
    params: idParams,
    reply: success,
  },
  endLogIn: {
    method: 'DELETE',
    path: '/students/:id/log-in',
    access: 'instructor',
    summary: "End a student's own log-in; the student stays, without an email",
    params: idParams,
    reply: success,
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
    summary:
      "Make a family of students who are there already; can be undone for 7 days. `log_in` says what becomes of a student's own login: `keep` it, `move` it to the guardian (one at most), or `close` it",
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
    summary:
      'The students whom the caller is a guardian of, with classes, attendance and, where they may see them, fees',
    query: z.object({ student_id: uuid('Student').optional() }),
    reply: familyHome,
  },
  changeContact: {
    method: 'PUT',
    path: '/family/students/:id/contact',
    access: 'member',
    summary:
      "Change a child's phone and emergency contact, with the right to edit them; what is left out stays",
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
  recordLogInConsent: {
    method: 'PUT',
    path: '/students/:id/log-in-consent',
    access: 'instructor',
    summary: 'Record that a guardian agrees to a log-in for a child under 13, or no longer does',
    params: idParams,
    body: logInConsent,
    reply: success,
  },
  myGuardians: {
    method: 'GET',
    path: '/family/guardians',
    access: 'student',
    summary: 'The guardians of the student who asks, from 30 days before the 18th birthday on',
    reply: guardiansOfMine,
  },
  agree: {
    method: 'PUT',
    path: '/family/guardians/:id',
    access: 'student',
    summary:
      'Let a guardian go on seeing and doing what they may after one comes of age, or not. Without `agrees_to_fees` and `agrees_to_edit` all that the guardian has goes on. An adult can end it, and only an instructor bring it back',
    params: idParams,
    body: agreement,
    reply: success,
  },
} as const satisfies Api
