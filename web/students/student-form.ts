import { parseMoney, formatDecimal } from '@tatami/contract/lib/money'
import { ENROLLMENT_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import type { Input } from '@tatami/contract/lib/endpoint'
import type { Belt } from '@tatami/contract/lib/ranks'
import type { Guardian, Relation } from '@tatami/contract/guardians/guardians'
import { type Student, type studentsApi } from '@tatami/contract/students/students'
import { type FeeStart, isFallbackClass } from '@tatami/contract/students/student-form'

const unique = (ids: string[]) => [...new Set(ids)]

/** Fields that are the same in the student, the form and the request. */
const TEXT_FIELDS = [
  'name',
  'date_of_birth',
  'email',
  'phone_number',
  'emergency_contact_name',
  'emergency_contact_phone',
  'belt_size',
  'payment_method',
  'price_note',
] as const satisfies readonly (keyof StudentUpdateBody)[]
type TextField = (typeof TEXT_FIELDS)[number]

const pickTextFields = (values: Record<TextField, string | null | undefined>) =>
  Object.fromEntries(TEXT_FIELDS.map((field) => [field, values[field] ?? ''])) as Record<
    TextField,
    string
  >

export type StudentForm = Record<TextField, string> & {
  gender: string
  password: string
  /** The student has no login. A guardian logs in and pays. */
  is_child: boolean
  /** An existing guardian's id, or '' for a new guardian. */
  guardian_id: string
  guardian: { name: string; phone: string; email: string; relation: Relation }
  /** True if the guardian is the emergency contact, so the form does not ask for one. */
  guardian_is_emergency_contact: boolean
  /** Ids of the dojo's classes, and fallback names. */
  class_preferences: string[]
  belt_level: Belt
  /** A rank of the dojo's ladders, or '' for the rank that fits the belt level and age. */
  rank_id: string
  is_trial: boolean
  on_vacation: boolean
  monthly_payment_amount: string
  /** The plan that a new student has instead of a monthly fee, or ''. */
  plan_id: string
  /** When a higher fee starts, or '' until the user chooses. */
  fee_from: FeeStart | ''
  sibling_exempt: boolean
  app_returned: boolean
  current_month_paid: boolean
  text_consent: { is_given: boolean; given_by: string }
}

/** In the same order as on screen, because the first invalid field gets the focus. */
export const EMPTY_STUDENT_FORM: StudentForm = {
  name: '',
  date_of_birth: '',
  gender: 'male',
  email: '',
  password: '',
  is_child: false,
  guardian_id: '',
  guardian: { name: '', phone: '', email: '', relation: 'mother' },
  phone_number: '',
  guardian_is_emergency_contact: true,
  emergency_contact_name: '',
  emergency_contact_phone: '',
  class_preferences: [],
  belt_level: 'white',
  rank_id: '',
  belt_size: '',
  is_trial: false,
  on_vacation: false,
  monthly_payment_amount: '',
  plan_id: '',
  fee_from: '',
  payment_method: '',
  price_note: '',
  sibling_exempt: false,
  app_returned: false,
  current_month_paid: false,
  text_consent: { is_given: false, given_by: '' },
}

/** The form for the next student, with what is probably the same as for the previous one. */
export const createNextForm = (
  {
    is_child,
    class_preferences,
    belt_level,
    rank_id,
    is_trial,
    monthly_payment_amount,
    plan_id,
  }: StudentForm,
  guardian?: GuardianContact,
): StudentForm => ({
  ...EMPTY_STUDENT_FORM,
  is_child,
  class_preferences,
  belt_level,
  rank_id,
  is_trial,
  monthly_payment_amount,
  plan_id,
  ...(guardian && toGuardianFields(guardian)),
})

export type GuardianContact = Pick<Guardian, 'id' | 'name' | 'phone' | 'email'>

/** Without a phone, the guardian can't be the emergency contact. */
export const toGuardianFields = ({ id, name, phone, email }: GuardianContact) => ({
  guardian_id: id,
  guardian: { ...EMPTY_STUDENT_FORM.guardian, name, phone: phone ?? '', email: email ?? '' },
  guardian_is_emergency_contact: phone !== null,
})

/** Until a student is approved, the form selects the classes that the student asked for. */
export const studentToForm = (student: Student): StudentForm => ({
  ...EMPTY_STUDENT_FORM,
  ...pickTextFields(student),
  gender: student.gender ?? '',
  class_preferences: unique([
    ...student.enrolled_classes,
    ...student.class_preferences.filter((id) => student.awaits_approval || isFallbackClass(id)),
  ]),
  belt_level: student.belt_level,
  rank_id: student.rank?.id ?? '',
  is_trial: student.is_trial,
  on_vacation: student.on_vacation,
  monthly_payment_amount: formatFee(student),
  sibling_exempt: student.sibling_exempt,
  app_returned: student.app_returned ?? false,
  current_month_paid: student.current_month_paid ?? false,
})

/** Blank for a trial without a fee, so that the form requires a fee when the trial ends. */
const formatFee = ({ is_trial, monthly_payment_amount }: Student) =>
  is_trial && monthly_payment_amount === 0 ? '' : formatDecimal(monthly_payment_amount)

/** Fallback classes are only preferences. Students can't be enrolled in them. */
export const omitFallbackClasses = (classIds: string[]) =>
  classIds.filter((id) => !isFallbackClass(id))

// The schema checks the values before they are sent with these types.
export type NewStudentBody = Input<typeof studentsApi.create>['body']
type StudentUpdateBody = Input<typeof studentsApi.update>['body']

const toCommonFields = (form: StudentForm) => ({
  ...pickTextFields(form),
  gender: form.gender || undefined,
  class_preferences: form.class_preferences,
  belt_level: form.belt_level,
  rank_id: form.rank_id,
  is_trial: form.is_trial,
  monthly_payment_amount:
    parseMoney(form.monthly_payment_amount) ?? (form.is_trial ? 0 : undefined),
  sibling_exempt: form.sibling_exempt,
  app_returned: form.app_returned,
  current_month_paid: form.current_month_paid,
})

/** True if the student starts with a plan. Its price replaces the monthly fee. */
export const hasStartingPlan = ({ plan_id, is_trial }: StudentForm): boolean =>
  plan_id !== '' && !is_trial

/** `enrolled_classes` is empty, because enrolling is a separate request (specification, section
 *  4). */
export const toCreateBody = (form: StudentForm) =>
  ({
    ...toCommonFields(form),
    ...(hasStartingPlan(form) && { monthly_payment_amount: 0 }),
    ...(form.is_child ? toChildFields(form) : { email: form.email, password: form.password }),
    ...toConsentFields(form),
    enrolled_classes: [] as string[],
  }) as NewStudentBody

/** The form asks for consent only if it contains a new phone. */
export const hasNewPhone = ({ is_child, guardian_id, phone_number }: StudentForm): boolean =>
  !is_child || guardian_id === '' || phone_number !== ''

function toConsentFields(form: StudentForm) {
  const { is_given, given_by } = form.text_consent
  if (!is_given || !hasNewPhone(form)) return {}
  return { text_consent: { given_by, wording_version: ENROLLMENT_WORDING_VERSION } }
}

const toChildFields = ({ guardian_id, guardian, guardian_is_emergency_contact }: StudentForm) => ({
  ...(guardian_id === '' ? { guardian } : { guardian_ids: [guardian_id] }),
  email: undefined,
  ...(guardian_is_emergency_contact && {
    emergency_contact_name: undefined,
    emergency_contact_phone: undefined,
  }),
})

type PayingStudent = Pick<Student, 'monthly_payment_amount' | 'is_trial' | 'awaits_approval'>

export function isFeeRaised(form: StudentForm, student: PayingStudent): boolean {
  if (student.is_trial || student.awaits_approval) return false
  const oldFee = student.monthly_payment_amount ?? 0
  const newFee = parseMoney(form.monthly_payment_amount) ?? 0
  return newFee > oldFee
}

/** Before the approval, an edit can only remove classes. The approval enrolls the student. */
export function toUpdateBody(
  form: StudentForm,
  student: PayingStudent & Pick<Student, 'enrolled_classes'>,
) {
  const { awaits_approval, enrolled_classes } = student
  const classIds = omitFallbackClasses(form.class_preferences)
  return {
    ...toCommonFields(form),
    on_vacation: form.on_vacation,
    fee_from: isFeeRaised(form, student) ? form.fee_from || 'next_month' : undefined,
    enrolled_classes: awaits_approval
      ? classIds.filter((id) => enrolled_classes.includes(id))
      : classIds,
  } as StudentUpdateBody
}
