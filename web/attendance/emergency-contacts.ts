import type { Student } from '@tatami/contract/students/students'
import { formatPhone } from '../lib/text.ts'

type ContactFields = Pick<
  Student,
  'emergency_contact_name' | 'emergency_contact_phone' | 'guardians'
>
export type EmergencyContact = { name: string | null; relation: string | null; phone: string }

/** Lists the guardians by emergency rank, then the student's emergency contact. A contact who has
 *  the phone number of a listed guardian is left out. */
export function listEmergencyContacts({
  emergency_contact_name: name,
  emergency_contact_phone,
  guardians,
}: ContactFields): EmergencyContact[] {
  const rankedGuardians = guardians
    .filter(({ emergency_rank }) => emergency_rank !== null)
    .toSorted((a, b) => (a.emergency_rank ?? 0) - (b.emergency_rank ?? 0))
  const guardianContacts: EmergencyContact[] = []
  for (const guardian of rankedGuardians) {
    if (guardian.phone === null) continue
    const relation = guardian.relation === 'other' ? null : guardian.relation
    guardianContacts.push({ name: guardian.name, relation, phone: guardian.phone })
  }
  const isGuardianPhone = guardianContacts.some(
    ({ phone }) => formatPhone(phone) === formatPhone(emergency_contact_phone ?? ''),
  )
  return emergency_contact_phone && !isGuardianPhone
    ? [...guardianContacts, { name, relation: null, phone: emergency_contact_phone }]
    : guardianContacts
}
