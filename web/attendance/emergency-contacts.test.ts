import { expect, test } from 'vitest'
import { emergencyContactsOf } from './emergency-contacts.ts'

const guardian = (name: string, emergency_rank: number | null, phone: string | null) =>
  ({ name, emergency_rank, phone, relation: 'mother' }) as Parameters<
    typeof emergencyContactsOf
  >[0]['guardians'][number]
const calls = (
  emergency_contact_phone: string | null,
  ...guardians: ReturnType<typeof guardian>[]
) =>
  emergencyContactsOf({ emergency_contact_name: 'Bea', emergency_contact_phone, guardians }).map(
    ({ name }) => name,
  )

test('guardians are called by their rank, then the emergency contact', () => {
  const [rosa, ben] = [guardian('Rosa', 2, '512 555 0142'), guardian('Ben', 1, '512 555 0143')]
  expect(calls('512 555 0199', rosa, ben)).toEqual(['Ben', 'Rosa', 'Bea'])
  // The emergency contact is Rosa, however her number is typed.
  expect(calls('+1 (512) 555-0142', rosa, ben)).toEqual(['Ben', 'Rosa'])
})

test('a guardian without a rank or a phone is not called', () => {
  expect(
    calls('512 555 0199', guardian('Rosa', null, '512 555 0142'), guardian('Ben', 1, null)),
  ).toEqual(['Bea'])
  expect(calls(null)).toEqual([])
})
