import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type Contacts = Pick<Student, 'emergency_contact_name' | 'emergency_contact_phone' | 'guardians'>
export type EmergencyContact = { name: string | null; relation: string | null; phone: string }

/** Guardians in the order of their rank, then the student's own contact if it is somebody else. */
export function emergencyContactsOf({
  emergency_contact_name: name,
  emergency_contact_phone,
  guardians,
}: Contacts): EmergencyContact[] {
  const guardianContacts = guardians
    .flatMap(({ name: guardianName, relation, emergency_rank, phone }) =>
      emergency_rank === null || phone === null
        ? []
        : {
            name: guardianName,
            relation: relation === 'other' ? null : relation,
            phone,
            emergency_rank,
          },
    )
    .toSorted((a, b) => a.emergency_rank - b.emergency_rank)
    .map(({ emergency_rank: _, ...contact }) => contact)
  const isKnown = guardianContacts.some(
    ({ phone }) => formatPhone(phone) === formatPhone(emergency_contact_phone ?? ''),
  )
  return emergency_contact_phone && !isKnown
    ? [...guardianContacts, { name, relation: null, phone: emergency_contact_phone }]
    : guardianContacts
}
