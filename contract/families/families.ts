import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { emptyAsUndefined, flag, idParams, oneOf, success, uuid } from '../lib/fields.ts'
import { ownFamilyApi } from './family-home.ts'
import { guardiansApi } from './guardian-calls.ts'
import { loginsApi } from './logins.ts'
import {
  guardianContact,
  FAMILY_REASONS,
  guardian,
  LOGIN_CHOICES,
  MAX_STUDENTS,
  DUPLICATE_STUDENT,
  areStudentsUnique,
  RELATIONS,
} from '../guardians/guardians.ts'

const family = z.object({ payer_id: z.uuid(), student_ids: z.array(z.uuid()) })
const families = z.object({ guardians: z.array(guardian), families: z.array(family) })

const suggestedStudent = z.object({
  student_id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  phone_number: z.string().nullable(),
  emergency_contact_name: z.string().nullable(),
  emergency_contact_phone: z.string().nullable(),
  guardian_ids: z.array(z.uuid()),
})
const familySuggestion = z.object({
  students: z.array(suggestedStudent),
  reasons: z.array(z.enum(FAMILY_REASONS)),
  guardian: z
    .object({
      /** Null for an emergency contact who is not a guardian yet. */
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
    /** `move`: the login becomes the guardian's. `close`: it ends at the guardian's first login. */
    log_in: emptyAsUndefined(oneOf('Login', LOGIN_CHOICES)),
  },
  'A student must be an object',
)

const TWO_MOVED_LOGINS = 'Only one login can become the guardian’s'
export const familyForm = z
  .object({
    guardian_id: emptyAsUndefined(uuid('Guardian')),
    guardian: z.object(guardianContact, 'The guardian is not valid').optional(),
    students: z
      .array(familyMember, 'Students must be a list')
      .min(1, 'Choose at least one student')
      .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
      .refine(areStudentsUnique, DUPLICATE_STUDENT)
      .refine(
        (members) => members.filter(({ log_in }) => log_in === 'move').length <= 1,
        TWO_MOVED_LOGINS,
      ),
    pays: emptyAsUndefined(flag('Pays')),
    gets_texts: emptyAsUndefined(flag('Gets texts')),
  })
  .refine((form) => (form.guardian_id === undefined) !== (form.guardian === undefined), {
    error: 'Name a new guardian or choose one',
    path: ['guardian'],
  })
export type FamilyForm = z.output<typeof familyForm>

/** How many texts a message to the whole family takes, and how many logins the family has. */
const familyCounts = z.object({ texts: z.number(), log_ins: z.number() })
const familyPreview = z.object({
  before: familyCounts,
  after: familyCounts,
  /** True if the guardian has logged in before, so that closed logins end right away. */
  closes_at_once: z.boolean(),
})

const familyChange = z.object({
  id: z.uuid(),
  guardian_id: z.uuid(),
  guardian_name: z.string(),
  is_new_guardian: z.boolean(),
  students: z.array(
    z.object({ student_id: z.uuid(), name: z.string(), log_in: z.enum(LOGIN_CHOICES) }),
  ),
  made_at: z.string(),
  undo_until: z.string(),
})
export type FamilyChange = z.output<typeof familyChange>

const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .min(2, 'Choose at least two students')
  .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)

export const familyCreationApi = {
  list: {
    method: 'GET',
    path: '/families',
    access: 'instructor',
    right: 'students.read',
    summary: 'List guardians with their students, and families (students who share a payer)',
    reply: families,
  },
  suggestions: {
    method: 'GET',
    path: '/families/suggestions',
    access: 'instructor',
    right: 'students.edit',
    summary: 'List students who may be one family',
    reply: z.array(familySuggestion),
  },
  dismiss: {
    method: 'POST',
    path: '/families/suggestions/dismiss',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Dismiss a suggestion: these students are never suggested as one family again',
    body: z.object({ student_ids: studentIds }),
    reply: success,
  },
  preview: {
    method: 'POST',
    path: '/families/preview',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Preview what creating this family would change',
    readOnly: true,
    body: familyForm,
    reply: familyPreview,
  },
  create: {
    method: 'POST',
    path: '/families',
    access: 'instructor',
    right: 'students.edit',
    summary:
      'Create a family from existing students; it can be undone for 7 days. `log_in` says what ' +
      "happens to a student's own login: `keep` it, `move` it to the guardian (at most one), or " +
      '`close` it',
    idempotent: true,
    body: familyForm,
    reply: z.object({ guardian, change: familyChange }),
  },
  changes: {
    method: 'GET',
    path: '/families/changes',
    access: 'instructor',
    right: 'students.edit',
    summary: 'List families that were created from existing students and can still be undone',
    reply: z.array(familyChange),
  },
  undo: {
    method: 'POST',
    path: '/families/changes/:id/undo',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Undo the creation of a family, which restores the earlier links, payers and logins',
    params: idParams,
    reply: success,
  },
} as const satisfies Api

export const familiesApi = {
  ...guardiansApi,
  ...loginsApi,
  ...familyCreationApi,
  ...ownFamilyApi,
} as const satisfies Api
