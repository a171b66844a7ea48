import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type Member = Pick<Student, 'id' | 'name' | 'phone_number' | 'guardians' | 'awaits_approval'>

export function familyOf<S extends Member>(student: Member, students: readonly S[]): S[] {
  const guardians = new Set(
    student.guardians.flatMap(({ id, gets_texts }) => (gets_texts ? [id] : [])),
  )
  const phone = student.phone_number && formatPhone(student.phone_number)
  return students.filter(
    (candidate) =>
      candidate.id !== student.id &&
      !candidate.awaits_approval &&
      (candidate.guardians.some(({ id, gets_texts }) => gets_texts && guardians.has(id)) ||
        (Boolean(phone) &&
          candidate.phone_number !== null &&
          formatPhone(candidate.phone_number) === phone)),
  )
}
