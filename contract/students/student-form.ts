import { birthdayOf } from '../lib/calendar-day.ts'
import { z } from 'zod'
import { newPassword } from '../accounts/accounts.ts'
import { ENROLLMENT_WORDINGS } from '../texting/consent-versions.ts'
import { ADULT_AGE, guardianOfStudent } from '../guardians/guardians.ts'
import {
  calendarDate,
  oneOf,
  dollars,
  email,
  flag,
  uuid,
  properName,
  singleLineText,
  clearable,
  phone,
  emptyAsNull,
  emptyAsUndefined,
} from '../lib/fields.ts'
import { BELTS } from '../lib/ranks.ts'
import { GENDERS } from '../accounts/users.ts'

/** Offered when the class list cannot be loaded (specification, section 7). */
export const FALLBACK_CLASSES = ['cedar_park', 'travisso', 'saturday'] as const

export const isFallbackClass = (id: string): boolean =>
  (FALLBACK_CLASSES as readonly string[]).includes(id)

const AT_LEAST_ONE_CLASS = 'Student must be enrolled in at least one class.'
const TOO_MANY_CLASSES = 'At most 100 classes'
export const BIRTH_DATE_IN_FUTURE = 'Date of birth must not be after today'

const classId = uuid('Class')

const classPreference = z.union([classId, z.enum(FALLBACK_CLASSES)], {
  error: 'Class is not valid',
})

const unique = <Id>(ids: Id[]) => [...new Set(ids)]

const studentDetails = z.object({
  /** A rank of the main style. It also sets the belt level. */
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
    .array(classPreference, { error: AT_LEAST_ONE_CLASS })
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
  price_note: clearable(singleLineText('Price note', 200)),
  /** The student gets no sibling price and does not count as a sibling. */
  sibling_exempt: emptyAsUndefined(flag('No sibling price')),
})

type ClassChoice = { class_preferences?: unknown; enrolled_classes?: unknown }

const isNonEmptyList = (list: unknown) => Array.isArray(list) && list.length > 0

const hasClass = (form: ClassChoice) =>
  isNonEmptyList(form.class_preferences) || isNonEmptyList(form.enrolled_classes)

/** The `when` of a rule that is reported together with the errors of other fields. Without it, Zod
 *  reports the rule only after those errors are fixed. */
const isFormObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

const classRequired = {
  error: AT_LEAST_ONE_CLASS,
  path: ['class_preferences'],
  when: isFormObject,
}

type PartialStudent = {
  email?: unknown
  password?: unknown
  phone_number?: unknown
  emergency_contact_name?: unknown
  emergency_contact_phone?: unknown
  guardian_ids?: unknown
  guardian?: unknown
}

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== ''

const hasGuardian = ({ guardian_ids, guardian }: PartialStudent) =>
  isNonEmptyList(guardian_ids) || hasValue(guardian)

/** A student with a guardian needs no login, but a login needs both email and password. */
const isLoginOptional = (form: PartialStudent) =>
  hasGuardian(form) && !hasValue(form.email) && !hasValue(form.password)

/** If the form has no emergency contact, the paying guardian is the emergency contact. */
const isGuardianEmergencyContact = (form: PartialStudent) =>
  hasGuardian(form) &&
  form.emergency_contact_name === undefined &&
  form.emergency_contact_phone === undefined

const hasPhone = (guardian: unknown) =>
  typeof guardian === 'object' &&
  guardian !== null &&
  'phone' in guardian &&
  hasValue(guardian.phone)

const requiredField = (path: string[], label: string) => ({
  error: `${label} is required`,
  path,
  when: isFormObject,
})

export const newStudent = studentDetails
  .extend({
    email: clearable(email()),
    password: newPassword.nullish(),
    phone_number: clearable(phone('Phone number')),
    emergency_contact_name: studentDetails.shape.emergency_contact_name.optional(),
    emergency_contact_phone: studentDetails.shape.emergency_contact_phone.optional(),
    /** Existing guardians. The first one pays, unless there is a new `guardian`. */
    guardian_ids: z
      .array(uuid('Guardian'), { error: 'Guardians must be a list' })
      .max(10, 'At most 10 guardians')
      .transform(unique)
      .optional(),
    guardian: guardianOfStudent.nullish(),
    /** Who agreed to get texts on these phones, and the wording they agreed to. */
    text_consent: z
      .object(
        {
          given_by: singleLineText('Who agreed', 100),
          wording_version: oneOf('Wording', ENROLLMENT_WORDINGS),
        },
        'The consent is not valid',
      )
      .nullish(),
  })
  .refine(
    (form: PartialStudent) => hasValue(form.email) || isLoginOptional(form),
    requiredField(['email'], 'Email'),
  )
  .refine(
    (form: PartialStudent) => hasValue(form.password) || isLoginOptional(form),
    requiredField(['password'], 'Password'),
  )
  .refine(
    (form: PartialStudent) => hasValue(form.phone_number) || hasGuardian(form),
    requiredField(['phone_number'], 'Phone number'),
  )
  .refine(
    (form: PartialStudent) =>
      form.emergency_contact_name !== undefined || isGuardianEmergencyContact(form),
    requiredField(['emergency_contact_name'], 'Emergency contact name'),
  )
  .refine(
    (form: PartialStudent) =>
      form.emergency_contact_phone !== undefined || isGuardianEmergencyContact(form),
    requiredField(['emergency_contact_phone'], 'Emergency contact phone'),
  )
  .refine(
    (form: PartialStudent) =>
      !isGuardianEmergencyContact(form) || !hasValue(form.guardian) || hasPhone(form.guardian),
    requiredField(['guardian', 'phone'], 'Guardian’s phone number'),
  )
  .refine(hasClass, classRequired)
export type NewStudent = z.output<typeof newStudent>

const FEE_STARTS = ['this_month', 'next_month'] as const
export type FeeStart = (typeof FEE_STARTS)[number]

export const studentUpdate = studentDetails
  .extend({
    /** Null only for a student without a login. */
    email: emptyAsNull(email()),
    /** Null only if `isPhoneOptional` is true for the student. */
    phone_number: emptyAsNull(phone('Phone number')),
    on_vacation: emptyAsUndefined(flag('On vacation')),
    fee_from: clearable(oneOf('Month of the new fee', FEE_STARTS)),
  })
  .refine(hasClass, classRequired)
export type StudentUpdate = z.output<typeof studentUpdate>

type StudentContact = {
  phone_number: string | null
  date_of_birth: string | null
  guardians: readonly unknown[]
}

/** A student without a phone can stay without one if they have a guardian or are a minor. */
export const isPhoneOptional = (
  { phone_number, date_of_birth, guardians }: StudentContact,
  today: string,
): boolean =>
  phone_number === null &&
  (guardians.length > 0 || (date_of_birth !== null && today < birthdayOf(date_of_birth, ADULT_AGE)))

export const PHONE_REQUIRED = 'Phone number is required'

export const studentUpdateFor = (student: StudentContact, today: string) =>
  isPhoneOptional(student, today)
    ? studentUpdate
    : studentUpdate.refine(
        ({ phone_number }: { phone_number?: unknown }) =>
          phone_number !== '' && phone_number !== null,
        { error: PHONE_REQUIRED, path: ['phone_number'], when: isFormObject },
      )

/** Refuses a birthday in the future. Only the caller knows today's date in the dojo. */
export const withLatestBirthDate = (
  today: string,
  form: typeof newStudent | typeof studentUpdate,
): z.ZodType =>
  (form as z.ZodType<{ date_of_birth: string }>).refine(
    ({ date_of_birth }) => date_of_birth <= today,
    { error: BIRTH_DATE_IN_FUTURE, path: ['date_of_birth'], when: isFormObject },
  )
