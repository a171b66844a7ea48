import type { Student } from '@tatami/contract/students/students'

/** A student as stored on a device, with only the fields that taking attendance needs. */
export type StoredStudent = Student & { isStored: true }

export const toStoredStudent = (student: Student): StoredStudent => ({
  isStored: true,
  id: student.id,
  name: student.name,
  belt_level: student.belt_level,
  rank: student.rank,
  enrolled_classes: student.enrolled_classes,
  is_trial: student.is_trial,
  on_vacation: student.on_vacation,
  awaits_approval: student.awaits_approval,
  has_medical_note: student.has_medical_note,
  // All other fields are blank, so that the device stores no personal details.
  is_instructor: false,
  is_super_admin: false,
  dojo_name: null,
  email: null,
  phone_number: '',
  contact_number: null,
  city: null,
  state: null,
  date_of_birth: null,
  gender: null,
  emergency_contact_name: null,
  emergency_contact_phone: null,
  monthly_payment_amount: null,
  payment_method: null,
  app_returned: null,
  current_month_paid: false,
  price_note: null,
  sibling_exempt: false,
  belt_size: null,
  left_on: null,
  left_reason: null,
  photo: null,
  class_preferences: [],
  guardians: [],
})

export const isStoredStudent = (student: Student | StoredStudent): student is StoredStudent =>
  'isStored' in student
