import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type StudentContacts = Pick<
  Student,
  'id' | 'name' | 'phone_number' | 'guardians' | 'awaits_approval'
>

const listTextedGuardianIds = ({ guardians }: StudentContacts) =>
  guardians.filter(({ gets_texts }) => gets_texts).map(({ id }) => id)

const formatOwnPhone = ({ phone_number }: StudentContacts) =>
  phone_number && formatPhone(phone_number)

/** Finds the other students with the same phone number, or with a guardian who gets texts for
 *  both. */
export function findFamily<AnyStudent extends StudentContacts>(
  student: StudentContacts,
  students: readonly AnyStudent[],
): AnyStudent[] {
  const guardianIds = new Set(listTextedGuardianIds(student))
  const phone = formatOwnPhone(student)
  const isRelated = (otherStudent: AnyStudent) =>
    listTextedGuardianIds(otherStudent).some((id) => guardianIds.has(id)) ||
    (Boolean(phone) && formatOwnPhone(otherStudent) === phone)
  return students.filter(
    (otherStudent) =>
      otherStudent.id !== student.id && !otherStudent.awaits_approval && isRelated(otherStudent),
  )
}
