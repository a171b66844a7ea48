import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { expect, test } from 'vitest'
import { classNames, firstOf, groupByClass } from './class-groups.ts'

const aClass = (id: string, class_name: string) => ({ id, class_name, class_start_time: '4:00 PM', class_end_time: '5:00 PM' }) as DojoClass
const aStudent = (name: string, enrolled_classes: string[]) => ({ name, enrolled_classes }) as Student
const classes = [aClass('1', 'Little Dragons'), aClass('2', 'Teens'), aClass('3', 'Adults')]

const shown = (...students: Student[]) =>
  groupByClass(students, classes).map(({ name, time, students: members }) => [name, time, members.map((s) => s.name)])

test('students stand in each of their classes, in the order of the classes, and last those without one', () => {
  expect(shown(aStudent('Ben', []), aStudent('Ann', ['2', '1']), aStudent('Cy', ['1']))).toEqual([
    ['Little Dragons', '4:00 PM - 5:00 PM', ['Ann', 'Cy']],
    ['Teens', '4:00 PM - 5:00 PM', ['Ann']],
    ['Unassigned', null, ['Ben']],
  ])
})

test('nobody is called unassigned because the list of classes is missing', () => {
  expect(shown(aStudent('Ann', ['9']))).toEqual([['Class not known', null, ['Ann']]])
})

test('the first few stand under the counts of all', () => {
  const groups = groupByClass([aStudent('Ann', ['1']), aStudent('Ben', ['1', '2']), aStudent('Cy', ['2']), aStudent('Di', [])], classes)
  expect(firstOf(groups, 3).map(({ count, students }) => [count, students.map((s) => s.name)])).toEqual([
    [2, ['Ann', 'Ben']],
    [2, ['Ben']],
  ])
  expect(firstOf(groups, Infinity)).toEqual(groups)
})

test('the names of one’s classes, in the order of the classes', () => {
  expect(classNames(aStudent('Ann', ['3', '9', '1']), classes)).toBe('Little Dragons, Adults')
  expect(classNames(aStudent('Ben', []), classes)).toBe('')
})
