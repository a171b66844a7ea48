import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type Member = Pick<Student, 'id' | 'name' | 'phone_number' | 'guardians' | 'awaits_approval'>

const textedGuardianIds = ({ guardians }: Member) =>
  guardians.filter(({ gets_texts }) => gets_texts).map(({ id }) => id)

const phoneOf = ({ phone_number }: Member) => phone_number && formatPhone(phone_number)

/** The other students with the same phone number, or with a guardian who gets texts for both. */
export function familyOf<S extends Member>(student: Member, students: readonly S[]): S[] {
  const guardianIds = new Set(textedGuardianIds(student))
  const phone = phoneOf(student)
  const isRelated = (candidate: S) =>
    textedGuardianIds(candidate).some((id) => guardianIds.has(id)) ||
    (Boolean(phone) && phoneOf(candidate) === phone)
  return students.filter(
    (candidate) =>
      candidate.id !== student.id && !candidate.awaits_approval && isRelated(candidate),
  )
}
