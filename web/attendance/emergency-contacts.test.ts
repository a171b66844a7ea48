import { expect, test } from 'vitest'
import { listEmergencyContacts } from './emergency-contacts.ts'

const createGuardian = (name: string, emergency_rank: number | null, phone: string | null) =>
  ({ name, emergency_rank, phone, relation: 'mother' }) as Parameters<
    typeof listEmergencyContacts
  >[0]['guardians'][number]
const listContactNames = (
  emergency_contact_phone: string | null,
  ...guardians: ReturnType<typeof createGuardian>[]
) =>
  listEmergencyContacts({ emergency_contact_name: 'Bea', emergency_contact_phone, guardians }).map(
    ({ name }) => name,
  )

test('lists guardians by rank, then an emergency contact with another number', () => {
  const rosa = createGuardian('Rosa', 2, '512 555 0142')
  const ben = createGuardian('Ben', 1, '512 555 0143')
  expect(listContactNames('512 555 0199', rosa, ben)).toEqual(['Ben', 'Rosa', 'Bea'])
  // Rosa's number in another format
  expect(listContactNames('+1 (512) 555-0142', rosa, ben)).toEqual(['Ben', 'Rosa'])
})

test('leaves out guardians without an emergency rank or a phone', () => {
  const withoutRank = createGuardian('Rosa', null, '512 555 0142')
  const withoutPhone = createGuardian('Ben', 1, null)
  expect(listContactNames('512 555 0199', withoutRank, withoutPhone)).toEqual(['Bea'])
  expect(listContactNames(null)).toEqual([])
})
