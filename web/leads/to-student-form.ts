import type { LeadDetails } from '@tatami/contract/leads/leads'
import { EMPTY_STUDENT_FORM, type StudentForm } from '../students/student-form.ts'

const ADULT_AGE = 18

/** Fills the enrollment form with what is known about a visitor. A child’s contact is the parent. */
export function toStudentForm(lead: LeadDetails, visitorName: string): StudentForm {
  const visitor = lead.visitors.find(({ name }) => name === visitorName)
  const phone = lead.phone ?? ''
  const email = lead.email ?? ''
  const isChild = visitorName !== lead.name && (visitor?.age ?? 0) < ADULT_AGE
  if (!isChild) return { ...EMPTY_STUDENT_FORM, name: visitorName, phone_number: phone, email }
  return {
    ...EMPTY_STUDENT_FORM,
    name: visitorName,
    is_child: true,
    guardian: { ...EMPTY_STUDENT_FORM.guardian, name: lead.name, phone, email },
  }
}
