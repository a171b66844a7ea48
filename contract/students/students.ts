import { birthdayOf } from '../lib/calendar-day.ts'
import { z } from 'zod'
import { newPassword } from '../accounts/accounts.ts'
import { ENROLMENT_WORDINGS } from '../texting/consent-versions.ts'
import type { Api } from '../lib/endpoint.ts'
import { ADULT_AGE, guardianOfStudent, guardianSummary } from '../guardians/guardians.ts'
import {
  calendarDate,
  oneOf,
  dollars,
  success,
  email,
  flag,
  uuid,
  idParams,
  properName,
  singleLineText,
  clearable,
  phone,
  emptyAsNull,
  emptyAsUndefined,
} from '../lib/fields.ts'
import { BELTS, heldRank } from '../lib/ranks.ts'
import {
  notesReply,
  studentNotes,
  studentPageParts,
  vacation,
  vacationReply,
} from './student-page.ts'
import { GENDERS, user } from '../accounts/users.ts'

/** Offered when the class list cannot be loaded (specification, section 7). */
export const FALLBACK_CLASSES = ['cedar_park', 'travisso', 'saturday'] as const
export const isFallback = (id: string): boolean =>
  (FALLBACK_CLASSES as readonly string[]).includes(id)

const AT_LEAST_ONE_CLASS = 'Student must be enrolled in at least one class.'

const TOO_MANY_CLASSES = 'At most 100 classes'

export const BORN_AFTER_TODAY = 'Date of birth must not be after today'

const classId = uuid('Class')
const preference = z.union([classId, z.enum(FALLBACK_CLASSES)], { error: 'Class is not valid' })
const unique = <T>(ids: T[]) => [...new Set(ids)]

const studentDetails = z.object({
  /** The rank of the dojo's own ladder, in the main style; it says the belt level, too. */
  rank_id: emptyAsUndefined(uuid('Rank')),
  belt_size: clearable(singleLineText('Belt size', 10)),
  name: properName('Name'),
  email: email(),
  phone_number: phone('Phone number'),
  belt_level: emptyAsUndefined(oneOf('Belt level', BELTS)),
  date_of_birth: calendarDate('Date of birth'),
  gender: emptyAsUndefined(oneOf('Gender', GENDERS)),
  emergency_contact_name: properName('Emergency contact name'),
  emergency_contact_phone: phone('Emergency contact phone'),
  class_preferences: z
    .array(preference, { error: AT_LEAST_ONE_CLASS })
    .max(100, TOO_MANY_CLASSES)
    .transform(unique)
    .optional(),
  enrolled_classes: z
    .array(classId, { error: AT_LEAST_ONE_CLASS })
    .max(100, TOO_MANY_CLASSES)
    .transform(unique)
    .optional(),
  is_trial: emptyAsUndefined(flag('Trial')),
  monthly_payment_amount: dollars('Monthly payment amount'),
  app_returned: clearable(flag('App returned')),
  payment_method: clearable(singleLineText('Payment method', 100)),
  /** For instructors: why the fee is what it is. */
  price_note: clearable(singleLineText('Price note', 200)),
  /** Neither gets a sibling's price nor counts for one. */
  sibling_exempt: emptyAsUndefined(flag('No sibling price')),
})
type ClassChoice = { class_preferences?: unknown; enrolled_classes?: unknown }
const isNonEmptyList = (list: unknown) => Array.isArray(list) && list.length > 0
const hasClass = (form: ClassChoice) =>
  isNonEmptyList(form.class_preferences) || isNonEmptyList(form.enrolled_classes)
/** `when` reports it together with the form's other errors; Zod would otherwise check it only after them. */
const classRequired = {
  error: AT_LEAST_ONE_CLASS,
  path: ['class_preferences'],
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

type Credential = 'email' | 'password'
type Enrolment = { [C in Credential]?: unknown } & { guardian_ids?: unknown; guardian?: unknown }
const hasGuardian = ({ guardian_ids, guardian }: Enrolment) =>
  isNonEmptyList(guardian_ids) || (guardian !== undefined && guardian !== null)
/** A student of a family may be without a log-in of their own; an email and a password are given together. */
const isWithoutLogIn = (form: Enrolment) =>
  hasGuardian(form) && !isGiven(form.email) && !isGiven(form.password)
const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''
const requiredField = (field: Credential, error: string) => ({
  error,
  path: [field],
  when: classRequired.when,
})

export const newStudent = studentDetails
  .extend({
    email: clearable(email()),
    password: newPassword.nullish(),
    /** Guardians whom the dojo has already; the first pays, unless one of them is named as `guardian`. */
    guardian_ids: z
      .array(uuid('Guardian'), { error: 'Guardians must be a list' })
      .max(10, 'At most 10 guardians')
      .transform(unique)
      .optional(),
    /** A new guardian, who pays for the student. */
    guardian: guardianOfStudent.nullish(),
    /** Who told the instructor, and in which words, that the phones given here may be texted; left out where nobody did. */
    text_consent: z
      .object(
        {
          given_by: singleLineText('Who agreed', 100),
          wording_version: oneOf('Wording', ENROLMENT_WORDINGS),
        },
        'The consent is not valid',
      )
      .nullish(),
  })
  .refine(
    (form: Enrolment) => isGiven(form.email) || isWithoutLogIn(form),
    requiredField('email', 'Email is required'),
  )
  .refine(
    (form: Enrolment) => isGiven(form.password) || isWithoutLogIn(form),
    requiredField('password', 'Password is required'),
  )
  .refine(hasClass, classRequired)
export type NewStudent = z.output<typeof newStudent>

/** The month from which a raised fee counts. */
const FEE_STARTS = ['this_month', 'next_month'] as const
export type FeeStart = (typeof FEE_STARTS)[number]

export const studentUpdate = studentDetails
  .extend({
    /** Null only for a student without a log-in of their own. */
    email: emptyAsNull(email()),
    /** Null only for a student who `mayLackPhone`. */
    phone_number: emptyAsNull(phone('Phone number')),
    on_vacation: emptyAsUndefined(flag('On vacation')),
    /** From when a higher fee counts; this month by default. A month that was paid toward keeps its price. */
    fee_from: clearable(oneOf('Month of the new fee', FEE_STARTS)),
  })
  .refine(hasClass, classRequired)
export type StudentUpdate = z.output<typeof studentUpdate>

type Reachable = {
  phone_number: string | null
  date_of_birth: string | null
  guardians: readonly unknown[]
}
/** Whether a student may go on without a phone of their own: none is known, and a guardian is, or the student is under age on this day. */
export const mayLackPhone = (
  { phone_number, date_of_birth, guardians }: Reachable,
  today: string,
): boolean =>
  phone_number === null &&
  (guardians.length > 0 || (date_of_birth !== null && today < birthdayOf(date_of_birth, ADULT_AGE)))

export const PHONE_REQUIRED = 'Phone number is required'
/** The rules for changing this student: the phone is required unless they may lack one. */
export const studentUpdateOf = (student: Reachable, today: string) =>
  mayLackPhone(student, today)
    ? studentUpdate
    : studentUpdate.refine(
        ({ phone_number }: { phone_number?: unknown }) =>
          phone_number !== '' && phone_number !== null,
        {
          error: PHONE_REQUIRED,
          path: ['phone_number'],
          when: classRequired.when,
        },
      )

/** Adds the latest allowed date of birth to a student form's rules: today in the dojo's time zone, which only the caller knows. */
export const withLatestBirthDate = (
  today: string,
  form: typeof newStudent | typeof studentUpdate,
): z.ZodType =>
  (form as z.ZodType<{ date_of_birth: string }>).refine(
    ({ date_of_birth }) => date_of_birth <= today,
    {
      error: BORN_AFTER_TODAY,
      path: ['date_of_birth'],
      when: classRequired.when,
    },
  )

const text = z.string().nullable()
export const student = user.extend({
  /** Null for a student without a log-in of their own. */
  email: text,
  belt_level: z.enum(BELTS),
  class_preferences: z.array(z.string()),
  enrolled_classes: z.array(z.string()),
  is_trial: z.boolean(),
  on_vacation: z.boolean(),
  current_month_paid: z.boolean(),
  price_note: text,
  sibling_exempt: z.boolean(),
  belt_size: text,
  /** In the main style, where the dojo keeps ladders; null otherwise: then the belt level is all there is. */
  rank: heldRank.nullable(),
  /** Joined by invitation, and no instructor has approved it yet. */
  awaits_approval: z.boolean(),
  guardians: z.array(guardianSummary),
  /** Allergies or a medical note are on the student's page. */
  has_medical_note: z.boolean(),
})
export type Student = z.output<typeof student>

/** What deleting a student would delete; the guardians, who have no other part in the dojo, where `guardians=delete` confirms it. */
const studentDeletionImpact = z.object({
  attendance_records: z.number(),
  payment_records: z.number(),
  /** What is still owed of all charges, which is written off, and the credit, which stays in the books. In dollars. */
  owed: z.number(),
  credit: z.number(),
  guardians: z.array(z.object({ id: z.uuid(), name: z.string() })),
})

const studentPage = z.object({ student, ...studentPageParts })
export type StudentPage = z.output<typeof studentPage>

const enrolment = idParams.extend({ classId: uuid('Class') })

export const studentsApi = {
  list: {
    method: 'GET',
    path: '/students',
    access: 'instructor',
    summary: "The dojo's students",
    reply: z.array(student),
  },
  create: {
    method: 'POST',
    path: '/students',
    access: 'instructor',
    summary:
      'Enroll a student. Email and password may be left out together where a guardian is named; the first guardian pays. `class_preferences` and `enrolled_classes` are the same fact, and need one class between them. `current_month_paid` is ignored',
    idempotent: true,
    body: newStudent,
    reply: z.object({ student }),
  },
  enrol: {
    method: 'POST',
    path: '/students/:id/enroll/:classId',
    access: 'instructor',
    summary: 'Put a student into a class',
    params: enrolment,
    reply: success,
  },
  show: {
    method: 'GET',
    path: '/students/:id',
    access: 'instructor',
    summary:
      "All of a student's page: notes, the newest 20 marks and texts, attendance and payments of the last 12 months, belts",
    params: idParams,
    reply: studentPage,
  },
  setNotes: {
    method: 'PUT',
    path: '/students/:id/notes',
    access: 'instructor',
    summary:
      "Change a student's allergies, medical note and private notes, which only instructors read. Null or empty clears a note, one that is left out stays",
    params: idParams,
    body: studentNotes,
    reply: notesReply,
  },
  setVacation: {
    method: 'PUT',
    path: '/students/:id/vacation',
    access: 'instructor',
    summary:
      'Plan a vacation that begins and ends by itself, both days included. Without a last day it lasts until it is ended; null for both days ends it now',
    params: idParams,
    body: vacation,
    reply: vacationReply,
  },
  update: {
    method: 'PUT',
    path: '/students/:id',
    access: 'instructor',
    summary:
      "Change a student's fields. A raised fee counts from `fee_from`, this month where it is left out; a changed `belt_level` is a promotion, or a correction where it is lower. It neither makes nor ends a login. `current_month_paid` is ignored",
    params: idParams,
    body: studentUpdate,
    reply: z.object({ student }),
  },
  approve: {
    method: 'POST',
    path: '/students/:id/approve',
    access: 'instructor',
    summary:
      'Approve a student who joined by invitation, and enrol them in the classes that they chose; again changes nothing',
    params: idParams,
    reply: z.object({ student }),
  },
  remove: {
    method: 'DELETE',
    path: '/students/:id',
    access: 'instructor',
    summary:
      'Delete a student and everything of theirs; their guardians, too, whom nothing else keeps, with guardians=delete',
    params: idParams,
    query: z.object({ guardians: oneOf('Guardians', ['keep', 'delete']).optional() }),
    reply: success,
  },
  deletionImpact: {
    method: 'GET',
    path: '/students/:id/deletion-impact',
    access: 'instructor',
    summary: 'How much deleting a student would take away',
    params: idParams,
    reply: studentDeletionImpact,
  },
} as const satisfies Api
