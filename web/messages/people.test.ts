import { expect, test } from 'vitest'
import { phoneConversationPath } from '../lib/paths.ts'
import { joinHolderNames, labelPhone, listPhones } from './people.ts'

const createHolder = (name: string, holder_name: string | null = null) => ({
  student_id: name,
  name,
  holder: 'student' as const,
  holder_name,
})
const labelPeople = (...people: ReturnType<typeof createHolder>[]) =>
  labelPhone({ phone_number: '+15125550142', people })

test('labels a phone with its students, its holder or its number', () => {
  expect([
    labelPeople(createHolder('Leo Chen')),
    labelPeople(createHolder('Leo Chen'), createHolder('Mia Chen')),
  ]).toEqual(['Leo Chen', 'Leo Chen, Mia Chen'])
  expect(
    labelPeople(createHolder('Leo Chen', 'Ana Chen'), createHolder('Mia Chen', 'Ana Chen')),
  ).toBe('Ana Chen (Leo Chen, Mia Chen)')
  expect(labelPeople()).toBe('(512) 555-0142')
  expect(joinHolderNames([createHolder('Leo Chen', 'Ana Chen'), createHolder('Mia Chen')])).toBe(
    'Ana Chen',
  )
})

test('escapes the plus of a phone number in the URL', () => {
  expect(phoneConversationPath('+15125550142')).toBe('/messages?phone=%2B15125550142')
})

test('lists each phone once, with its holder and students', () => {
  const ana = { phone_number: '+15125550143', holder_name: 'Ana Chen' }
  const people = [
    { student_id: 'leo', name: 'Leo Chen', phone_number: '+15125550142', other_phones: [ana] },
    { student_id: 'mia', name: 'Mia Chen', phone_number: '+15125550142', other_phones: [ana] },
    { student_id: 'tom', name: 'Tom Diaz', phone_number: null, other_phones: [] },
  ]
  expect(listPhones(people)).toEqual([
    { phone: '+15125550143', label: 'Ana Chen for Leo and Mia, (512) 555-0143' },
    { phone: '+15125550142', label: 'Leo Chen and Mia Chen, (512) 555-0142' },
  ])
})
