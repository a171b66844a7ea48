import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type Contacts = Pick<Student, 'emergency_contact_name' | 'emergency_contact_phone' | 'guardians'>
export type EmergencyContact = { name: string | null; relation: string | null; phone: string }

/** Whom to call in an emergency, in this order: guardians with a rank, then the student's emergency contact where that is somebody else. */
export function emergencyContactsOf({
  emergency_contact_name: name,
  emergency_contact_phone,
  guardians,
}: Contacts): EmergencyContact[] {
  const guardianContacts = guardians
    .filter(({ emergency_rank, phone }) => emergency_rank !== null && phone !== null)
    .toSorted((guardianA, guardianB) => guardianA.emergency_rank! - guardianB.emergency_rank!)
    .map((guardian) => ({
      name: guardian.name,
      relation: guardian.relation === 'other' ? null : guardian.relation,
      phone: guardian.phone!,
    }))
  const isKnown = guardianContacts.some(
    ({ phone }) => formatPhone(phone) === formatPhone(emergency_contact_phone ?? ''),
  )
  return emergency_contact_phone && !isKnown
    ? [...guardianContacts, { name, relation: null, phone: emergency_contact_phone }]
    : guardianContacts
}
