import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import { type Destination, findAnything } from './find.ts'
import { listActions } from './find-actions.ts'

const createStudent = (name: string, overrides: Partial<Student> = {}) =>
  ({
    id: name,
    name,
    email: `${name.split(' ')[0]!.toLowerCase()}@home.org`,
    phone_number: '512 555 0100',
    is_trial: false,
    on_vacation: false,
    ...overrides,
  }) as Student
const students = [
  createStudent('Zoë Müller', { phone_number: '(737) 555-0199' }),
  createStudent('Joann Smith'),
  createStudent('Ann Lee'),
  createStudent('Mia Chen', { email: 'chens@family.net' }),
]
const classes = [
  { id: 'kids', class_name: 'Kids Judo', description: 'Small ones', class_days: ['monday'] },
] as unknown as DojoClass[]
const screens: Destination[] = [
  { path: '/dashboard', title: 'Dashboard' },
  { path: '/payment-center', title: 'Payment Center' },
]
const formerStudents = [
  createStudent('Leo Chen', { left_on: '2026-11-03', left_reason: 'moved_away' }),
]
const search = (text: string) =>
  findAnything(text, { students, formerStudents, classes, screens, actions: listActions() })
const findNames = (text: string) => search(text).students.map(({ name }) => name)

test.each([
  ['muller zoe', ['Zoë Müller']],
  ['Müller, Zoë', ['Zoë Müller']],
  ['737 555', ['Zoë Müller']],
  ['chens@', ['Mia Chen']],
  ['unknown name', []],
])('finds students by their name, phone or email: %s', (text, expectedNames) => {
  expect(findNames(text)).toEqual(expectedNames)
})

test('lists names that start with the text before those that contain it', () => {
  expect(findNames('ann')).toEqual(['Ann Lee', 'Joann Smith'])
})

test('finds classes and screens, and lists all screens for an empty search', () => {
  expect(search('judo')).toMatchObject({ students: [], classes: [{ id: 'kids' }], screens: [] })
  expect(search('pay')).toMatchObject({ screens: [{ path: '/payment-center' }] })
  expect(search('  ')).toMatchObject({ students: [], classes: [], screens })
})

test('returns the first eight students and the number of the others', () => {
  const manyStudents = Array.from({ length: 30 }, (_, index) => createStudent(`Student ${index}`))
  const results = findAnything('student', {
    students: manyStudents,
    formerStudents: [],
    classes,
    screens,
    actions: [],
  })
  expect([results.students.length, results.hiddenStudentCount]).toEqual([8, 22])
})

test.each([
  ['promote', 'Promote students'],
  ['refund', 'Refund a payment'],
  ['belt test', 'Plan a belt test'],
  ['test', 'Plan a belt test'],
  ['backup', 'Download everything'],
  ['invite', 'Invite link'],
  ['snow', 'Cancel or move a class'],
  ['excel', 'Import a list of students'],
  ['roll', 'Mark attendance'],
  ['mom', 'Create a family'],
  ['left', 'Students who left'],
  ['former', 'Students who left'],
])('finds an action by the words that people use: %s', (text, title) => {
  expect(search(text).actions[0]?.title).toBe(title)
})

test('lists former students separately, and finds the list of them by "quit"', () => {
  expect(search('chen')).toMatchObject({
    students: [{ name: 'Mia Chen' }],
    formerStudents: [{ name: 'Leo Chen' }],
  })
  expect(search('quit').actions.map(({ title }) => title)).toContain('Students who left')
})

test('lists actions whose title matches before those with a matching word', () => {
  expect(search('holiday').actions.map(({ title }) => title)).toEqual(['Add a holiday'])
  expect(search('text').actions[0]?.title).toBe('Text a student')
})
