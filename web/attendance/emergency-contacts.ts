import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type Contacts = Pick<Student, 'emergency_contact_name' | 'emergency_contact_phone' | 'guardians'>
export type EmergencyContact = { name: string | null; relation: string | null; phone: string }

/** Guardians by emergency rank, then the student's own contact unless it is one of them. */
export function emergencyContactsOf({
  emergency_contact_name: name,
  emergency_contact_phone,
  guardians,
}: Contacts): EmergencyContact[] {
  const rankedGuardians = guardians
    .flatMap((guardian) =>
      guardian.emergency_rank === null ? [] : { ...guardian, rank: guardian.emergency_rank },
    )
    .toSorted((a, b) => a.rank - b.rank)
  const guardianContacts = rankedGuardians.flatMap(({ name: guardianName, relation, phone }) => {
    const knownRelation = relation === 'other' ? null : relation
    return phone === null ? [] : { name: guardianName, relation: knownRelation, phone }
  })
  const isGuardianPhone = guardianContacts.some(
    ({ phone }) => formatPhone(phone) === formatPhone(emergency_contact_phone ?? ''),
  )
  return emergency_contact_phone && !isGuardianPhone
    ? [...guardianContacts, { name, relation: null, phone: emergency_contact_phone }]
    : guardianContacts
}
