import { expect, test } from 'vitest'
import { phoneConversationPath } from '../lib/paths.ts'
import { holderNames, peopleLabel, phonesOfPeople } from './people.ts'

const holder = (name: string, holder_name: string | null = null) => ({
  student_id: name,
  name,
  holder: 'student' as const,
  holder_name,
})
const label = (...people: ReturnType<typeof holder>[]) =>
  peopleLabel({ phone_number: '+15125550142', people })

test('names a phone by its students, by who answers it, or by its number', () => {
  expect([label(holder('Leo Chen')), label(holder('Leo Chen'), holder('Mia Chen'))]).toEqual([
    'Leo Chen',
    'Leo Chen, Mia Chen',
  ])
  expect(label(holder('Leo Chen', 'Ana Chen'), holder('Mia Chen', 'Ana Chen'))).toBe(
    'Ana Chen (Leo Chen, Mia Chen)',
  )
  expect(label()).toBe('(512) 555-0142')
  expect(holderNames([holder('Leo Chen', 'Ana Chen'), holder('Mia Chen')])).toBe('Ana Chen')
})

test('escapes the plus of a phone number in the URL', () => {
  expect(phoneConversationPath('+15125550142')).toBe('/messages?phone=%2B15125550142')
})

test('lists each phone once, with who answers it and for whom', () => {
  const ana = { phone_number: '+15125550143', holder_name: 'Ana Chen' }
  const people = [
    { student_id: 'leo', name: 'Leo Chen', phone_number: '+15125550142', other_phones: [ana] },
    { student_id: 'mia', name: 'Mia Chen', phone_number: '+15125550142', other_phones: [ana] },
    { student_id: 'tom', name: 'Tom Diaz', phone_number: null, other_phones: [] },
  ]
  expect(phonesOfPeople(people)).toEqual([
    { phone: '+15125550143', label: 'Ana Chen for Leo and Mia, (512) 555-0143' },
    { phone: '+15125550142', label: 'Leo Chen and Mia Chen, (512) 555-0142' },
  ])
})
