import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { guardianSummary } from '../guardians/guardians.ts'
import { emptyAsUndefined, flag, oneOf, success, uuid, idParams } from '../lib/fields.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'
import {
  notesReply,
  studentNotes,
  studentPageFields,
  vacation,
  vacationReply,
} from './student-page.ts'
import { user } from '../accounts/users.ts'
import { quotedSums } from '../memberships/act-preview.ts'
import { LEAVE_REASONS, leaving, leavingDay, leavingImpact } from './leaving.ts'
import { newStudent, studentUpdate } from './student-form.ts'
import { MONEY_RIGHTS, hiddenWithout, studentName } from '../rights.ts'

const nullableText = z.string().nullable()

/** A contact of a student, or null for staff who may not see contacts. */
const contactField = hiddenWithout('students.contact', nullableText, null)
/** A field that only staff who may read students see. */
const profileField = hiddenWithout('students.read', nullableText, null)

export const student = user.extend({
  name: studentName(),
  email: contactField,
  contact_number: contactField,
  phone_number: contactField,
  emergency_contact_name: contactField,
  emergency_contact_phone: contactField,
  date_of_birth: profileField,
  gender: hiddenWithout('students.read', user.shape.gender, null),
  belt_level: z.enum(BELTS),
  class_preferences: z.array(z.string()),
  enrolled_classes: z.array(z.string()),
  is_trial: z.boolean(),
  monthly_payment_amount: hiddenWithout(MONEY_RIGHTS, user.shape.monthly_payment_amount, null),
  payment_method: hiddenWithout(MONEY_RIGHTS, nullableText, null),
  on_vacation: z.boolean(),
  current_month_paid: hiddenWithout(MONEY_RIGHTS, z.boolean().nullable(), null),
  price_note: hiddenWithout(MONEY_RIGHTS, nullableText, null),
  sibling_exempt: hiddenWithout(MONEY_RIGHTS, z.boolean(), false),
  photo: hiddenWithout('students.read', user.shape.photo, null),
  belt_size: nullableText,
  rank: heldRank.nullable(),
  awaits_approval: z.boolean(),
  guardians: hiddenWithout('students.contact', z.array(guardianSummary), []),
  has_medical_note: hiddenWithout('medical', z.boolean(), false),
  /** The last day of a former student, or null for a current one. */
  left_on: nullableText,
  left_reason: z.enum(LEAVE_REASONS).nullable(),
})
export type Student = z.output<typeof student>

/** What deleting a student would delete. Guardians are deleted only with `guardians=delete`. */
const studentDeletionImpact = z.object({
  attendance_records: z.number(),
  payment_records: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  owed: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  credit: hiddenWithout(MONEY_RIGHTS, z.number(), 0),
  /** Signed waivers, which are kept for some years without contact data. */
  kept_waivers: z.number(),
  guardians: z.array(z.object({ id: z.uuid(), name: z.string() })),
})

const studentPage = z.object({ student, ...studentPageFields })
export type StudentPage = z.output<typeof studentPage>

const studentAndClass = idParams.extend({ classId: uuid('Class') })

const approval = z.object({
  /** Whether the plan that the student chose on the join page does not start. */
  without_plan: emptyAsUndefined(flag('Without the plan')),
  quoted: quotedSums,
})
export type Approval = z.output<typeof approval>

export const studentsApi = {
  list: {
    method: 'GET',
    path: '/students',
    access: 'instructor',
    right: 'any',
    summary: "The dojo's current students",
    reply: z.array(student),
  },
  former: {
    method: 'GET',
    path: '/former-students',
    access: 'instructor',
    right: 'students.read',
    summary: 'Former students, most recently left first',
    reply: z.array(student),
  },
  create: {
    method: 'POST',
    path: '/students',
    access: 'instructor',
    right: 'students.edit',
    summary:
      'Enroll a student in at least one class. With a guardian, a login, a phone and an emergency ' +
      'contact are optional',
    idempotent: true,
    body: newStudent,
    reply: z.object({ student }),
  },
  enroll: {
    method: 'POST',
    path: '/students/:id/enroll/:classId',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Enroll a student in a class',
    params: studentAndClass,
    reply: success,
  },
  show: {
    method: 'GET',
    path: '/students/:id',
    access: 'instructor',
    right: 'students.read',
    summary: "A student's page: notes, belts, the newest marks and texts, 12 months of payments",
    params: idParams,
    reply: studentPage,
  },
  setNotes: {
    method: 'PUT',
    path: '/students/:id/notes',
    access: 'instructor',
    right: 'students.read',
    summary:
      "Change a student's allergies, medical note and private notes, which only staff can read. " +
      'Notes that the caller may not see do not change',
    params: idParams,
    body: studentNotes,
    reply: notesReply,
  },
  addMedicalAnswers: {
    method: 'POST',
    path: '/signatures/:id/medical-note',
    access: 'instructor',
    right: 'medical',
    summary: 'Add the medical answers of a signature to the medical note of the student',
    params: idParams,
    reply: z.object({ medical_note: z.string() }),
  },
  setVacation: {
    method: 'PUT',
    path: '/students/:id/vacation',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Plan a vacation that begins and ends automatically. Null for both days ends it now',
    params: idParams,
    body: vacation,
    reply: vacationReply,
  },
  update: {
    method: 'PUT',
    path: '/students/:id',
    access: 'instructor',
    right: 'students.edit',
    summary:
      "Change a student's fields. A higher `belt_level` is a promotion, a lower one a correction",
    params: idParams,
    body: studentUpdate,
    reply: z.object({ student }),
  },
  approve: {
    method: 'POST',
    path: '/students/:id/approve',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Approve a student who joined by invitation, and enroll them in the chosen classes',
    params: idParams,
    body: approval,
    reply: z.object({ student }),
  },
  leave: {
    method: 'POST',
    path: '/students/:id/leave',
    access: 'instructor',
    right: 'students.edit',
    summary:
      'Make a student a former student. The history is kept. For a student who already left, ' +
      'change the last day and the reason',
    params: idParams,
    body: leaving,
    reply: z.object({ student }),
  },
  return: {
    method: 'POST',
    path: '/students/:id/return',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Re-enroll a former student in the same classes',
    params: idParams,
    reply: z.object({ student }),
  },
  leavingImpact: {
    method: 'GET',
    path: '/students/:id/leaving-impact',
    access: 'instructor',
    right: 'students.edit',
    summary: 'What ends when a student leaves',
    params: idParams,
    query: leavingDay,
    reply: leavingImpact,
  },
  remove: {
    method: 'DELETE',
    path: '/students/:id',
    access: 'instructor',
    right: 'students.edit',
    summary: 'Delete a student with all data, and optionally guardians without other students',
    params: idParams,
    query: z.object({ guardians: oneOf('Guardians', ['keep', 'delete']).optional() }),
    reply: success,
  },
  deletionImpact: {
    method: 'GET',
    path: '/students/:id/deletion-impact',
    access: 'instructor',
    right: 'students.edit',
    summary: 'What deleting a student would also delete',
    params: idParams,
    reply: studentDeletionImpact,
  },
} as const satisfies Api
