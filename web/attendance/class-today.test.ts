import type { Weekday } from '@tatami/contract/lib/calendar-day'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { expect, test } from 'vitest'
import { sortForStudent, findOnlyClassToday } from './class-today.ts'

const createClass = (id: string, ...class_days: Weekday[]) =>
  ({ id, class_name: id, class_days, class_start_time: '4:00 PM' }) as unknown as DojoClass
const kids = createClass('kids', 'monday', 'wednesday')
const judo = createClass('judo', 'monday')
const teens = createClass('teens', 'tuesday')
const adults = createClass('adults', 'friday')
const allClasses = [adults, teens, judo, kids]
const createStudent = (...classes: DojoClass[]) => ({
  enrolled_classes: classes.map(({ id }) => id),
})

test('finds the student’s class on a weekday only if there is exactly one', () => {
  expect(findOnlyClassToday('monday', createStudent(kids, teens), allClasses)).toBe(kids)
  expect(findOnlyClassToday('monday', createStudent(kids, judo), allClasses)).toBeUndefined()
  expect(findOnlyClassToday('thursday', createStudent(kids), allClasses)).toBeUndefined()
  expect(findOnlyClassToday('monday', createStudent(), allClasses)).toBeUndefined()
})

test('lists the student’s own classes first, and today’s classes before others', () => {
  const sortClassIds = (weekday: Weekday, ...enrolledClasses: DojoClass[]) =>
    sortForStudent(weekday, createStudent(...enrolledClasses), allClasses).map(({ id }) => id)
  expect(sortClassIds('monday', teens, kids)).toEqual(['kids', 'teens', 'judo', 'adults'])
  expect(sortClassIds('monday')).toEqual(['judo', 'kids', 'adults', 'teens'])
})
