import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type Contacts = Pick<Student, 'emergency_contact_name' | 'emergency_contact_phone' | 'guardians'>
export type EmergencyContact = { name: string | null; relation: string | null; phone: string }

/** Lists guardians by emergency rank, and then the student's emergency contact, unless it has the
 *  phone number of one of these guardians. */
export function listEmergencyContacts({
  emergency_contact_name: name,
  emergency_contact_phone,
  guardians,
}: Contacts): EmergencyContact[] {
  const rankedGuardians = guardians
    .filter(({ emergency_rank }) => emergency_rank !== null)
    .toSorted((a, b) => (a.emergency_rank ?? 0) - (b.emergency_rank ?? 0))
  const guardianContacts: EmergencyContact[] = []
  for (const { name: guardianName, relation, phone } of rankedGuardians) {
    if (phone === null) continue
    const knownRelation = relation === 'other' ? null : relation
    guardianContacts.push({ name: guardianName, relation: knownRelation, phone })
  }
  const isGuardianPhone = guardianContacts.some(
    ({ phone }) => formatPhone(phone) === formatPhone(emergency_contact_phone ?? ''),
  )
  return emergency_contact_phone && !isGuardianPhone
    ? [...guardianContacts, { name, relation: null, phone: emergency_contact_phone }]
    : guardianContacts
}
