import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { expect, test } from 'vitest'
import {
  describeStudent,
  enrolledClassNames,
  groupByClass,
  limitStudents,
  listStudentsOnce,
  otherClassNames,
} from './class-groups.ts'

const createClass = (id: string, class_name: string) =>
  ({ id, class_name, class_start_time: '4:00 PM', class_end_time: '5:00 PM' }) as DojoClass
const createStudent = (name: string, enrolled_classes: string[]) =>
  ({ id: name, name, enrolled_classes }) as Student
const classes = [
  createClass('1', 'Little Dragons'),
  createClass('2', 'Teens'),
  createClass('3', 'Adults'),
]

const namesOf = (students: readonly Student[]) => students.map(({ name }) => name)
const summarizeGroups = (...students: Student[]) =>
  groupByClass(students, classes).map((group) => [group.name, group.time, namesOf(group.students)])

test('groups students by class, with unassigned students last', () => {
  expect(
    summarizeGroups(
      createStudent('Ben', []),
      createStudent('Ann', ['2', '1']),
      createStudent('Cy', ['1']),
    ),
  ).toEqual([
    ['Little Dragons', '4:00 PM - 5:00 PM', ['Ann', 'Cy']],
    ['Teens', '4:00 PM - 5:00 PM', ['Ann']],
    ['Unassigned', null, ['Ben']],
  ])
})

test('does not call a student unassigned if their class is not in the list', () => {
  expect(summarizeGroups(createStudent('Ann', ['9']))).toEqual([['Unknown class', null, ['Ann']]])
})

test('limits the number of students, but keeps each group’s full count', () => {
  const groups = groupByClass(
    [
      createStudent('Ann', ['1']),
      createStudent('Ben', ['1', '2']),
      createStudent('Cy', ['2']),
      createStudent('Di', []),
    ],
    classes,
  )
  expect(limitStudents(groups, 3).map(({ count, students }) => [count, namesOf(students)])).toEqual(
    [
      [2, ['Ann', 'Ben']],
      [2, ['Ben']],
    ],
  )
  expect(limitStudents(groups, Infinity)).toEqual(groups)
})

test('lists a student in the first of several groups, and as "listed above" in the others', () => {
  const groups = groupByClass(
    [
      createStudent('Ann', ['2', '1']),
      createStudent('Ben', ['2']),
      createStudent('Cy', ['3', '2']),
    ],
    classes,
  )
  expect(
    listStudentsOnce(groups).map(({ name, count, students, listedAbove }) => [
      name,
      count,
      namesOf(students),
      namesOf(listedAbove),
    ]),
  ).toEqual([
    ['Little Dragons', 1, ['Ann'], []],
    ['Teens', 3, ['Ben', 'Cy'], ['Ann']],
    ['Adults', 1, [], ['Cy']],
  ])
})

test('leaves out the groups that come after the last student within the limit', () => {
  const groups = listStudentsOnce(
    groupByClass([createStudent('Ann', ['1', '2']), createStudent('Ben', ['3'])], classes),
  )
  const groupNames = (maxStudents: number) =>
    limitStudents(groups, maxStudents).map(({ name }) => name)
  expect(groupNames(1)).toEqual(['Little Dragons'])
  expect(groupNames(2)).toEqual(['Little Dragons', 'Teens', 'Adults'])
})

test('names a student’s other classes', () => {
  const ann = createStudent('Ann', ['1', '2', '3'])
  expect(otherClassNames(ann, classes, '2')).toBe('Little Dragons, Adults')
  expect(otherClassNames(createStudent('Ben', ['1']), classes, '1')).toBe('')
})

test('names a student’s classes in the order of the class list', () => {
  expect(enrolledClassNames(createStudent('Ann', ['3', '9', '1']), classes)).toBe(
    'Little Dragons, Adults',
  )
  expect(enrolledClassNames(createStudent('Ben', []), classes)).toBe('')
})

test('tells students with the same name apart by belt, classes and email', () => {
  const ann = {
    ...createStudent('Ann', ['1']),
    belt_level: 'green',
    email: 'ann@example.com',
  } as Student
  expect(describeStudent(ann, classes)).toBe('Green belt · Little Dragons · ann@example.com')
  expect(describeStudent({ ...ann, email: null }, classes)).toBe('Green belt · Little Dragons')
  expect(describeStudent({ ...ann, enrolled_classes: [] }, classes)).toBe(
    'Green belt · No classes · ann@example.com',
  )
  expect(describeStudent(ann, undefined)).toBe('Green belt · ann@example.com')
})
