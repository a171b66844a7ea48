import type { Input } from '@tatami/contract/endpoint'
import { isFallback, type Student, type studentsApi } from '@tatami/contract/students'
import { parseMoney } from '../lib/money.ts'

/** The initial values of both forms, in the order of the fields on the screen. */
export const EMPTY_STUDENT_FORM = {
  name: '',
  date_of_birth: '',
  gender: 'male',
  email: '',
  password: '',
  phone_number: '',
  emergency_contact_name: '',
  emergency_contact_phone: '',
  /** Ids of the dojo's classes, and fallback names. */
  class_preferences: [] as string[],
  belt_level: 'white',
  is_trial: false,
  on_vacation: false,
  monthly_payment_amount: '',
  payment_method: '',
  app_returned: false,
  current_month_paid: false,
}
export type StudentForm = typeof EMPTY_STUDENT_FORM

/** Keeps what consecutive students often share; everything personal is empty. */
export const formForNextStudent = ({ class_preferences, belt_level, is_trial, monthly_payment_amount }: StudentForm): StudentForm => ({
  ...EMPTY_STUDENT_FORM,
  class_preferences,
  belt_level,
  is_trial,
  monthly_payment_amount,
})

/** A student who joined by invitation lacks most values; those fields are empty. */
export const studentToForm = (student: Student): StudentForm => ({
  ...EMPTY_STUDENT_FORM,
  name: student.name,
  date_of_birth: student.date_of_birth ?? '',
  gender: student.gender ?? '',
  email: student.email ?? '',
  phone_number: student.phone_number ?? '',
  emergency_contact_name: student.emergency_contact_name ?? '',
  emergency_contact_phone: student.emergency_contact_phone ?? '',
  class_preferences: [...student.enrolled_classes, ...student.class_preferences.filter(isFallback)],
  belt_level: student.belt_level,
  is_trial: student.is_trial,
  on_vacation: student.on_vacation,
  monthly_payment_amount: student.monthly_payment_amount?.toFixed(2) ?? '',
  payment_method: student.payment_method ?? '',
  app_returned: student.app_returned ?? false,
  current_month_paid: student.current_month_paid,
})

/** The ids of the dojo's classes; a fallback is only a preference and cannot be enrolled in. */
export const withoutFallbacks = (chosen: string[]) => chosen.filter((id) => !isFallback(id))

// The schema validates the form before the values are sent as these types.
export type NewStudentBody = Input<typeof studentsApi.create>['body']
type StudentUpdateBody = Input<typeof studentsApi.update>['body']

const commonBody = ({ password: _, on_vacation: __, gender, monthly_payment_amount, ...form }: StudentForm) => ({
  ...form,
  gender: gender === '' ? undefined : gender,
  monthly_payment_amount: parseMoney(monthly_payment_amount),
})

/** The student is created with preferences only; the enrolments follow one by one (specification, section 4). */
export const toCreateBody = (form: StudentForm) =>
  ({ ...commonBody(form), password: form.password, enrolled_classes: [] as string[] }) as NewStudentBody

export const toUpdateBody = (form: StudentForm) =>
  ({ ...commonBody(form), on_vacation: form.on_vacation, enrolled_classes: withoutFallbacks(form.class_preferences) }) as StudentUpdateBody
