import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type StudentContacts = Pick<
  Student,
  'id' | 'name' | 'phone_number' | 'guardians' | 'awaits_approval'
>

const textedGuardianIds = ({ guardians }: StudentContacts) =>
  guardians.filter(({ gets_texts }) => gets_texts).map(({ id }) => id)

const phoneOf = ({ phone_number }: StudentContacts) => phone_number && formatPhone(phone_number)

/** The other students with the same phone number, or with a guardian who gets texts for both. */
export function familyOf<S extends StudentContacts>(
  student: StudentContacts,
  students: readonly S[],
): S[] {
  const guardianIds = new Set(textedGuardianIds(student))
  const phone = phoneOf(student)
  const isRelated = (otherStudent: S) =>
    textedGuardianIds(otherStudent).some((id) => guardianIds.has(id)) ||
    (Boolean(phone) && phoneOf(otherStudent) === phone)
  return students.filter(
    (otherStudent) =>
      otherStudent.id !== student.id && !otherStudent.awaits_approval && isRelated(otherStudent),
  )
}
