import type { Weekday } from '@tatami/contract/lib/calendar-day'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { expect, test } from 'vitest'
import { classesByLikelihood, onlyClassToday } from './class-today.ts'

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

test('finds the student’s class today only if there is exactly one', () => {
  expect(onlyClassToday('monday', createStudent(kids, teens), allClasses)).toBe(kids)
  expect(onlyClassToday('monday', createStudent(kids, judo), allClasses)).toBeUndefined()
  expect(onlyClassToday('thursday', createStudent(kids), allClasses)).toBeUndefined()
  expect(onlyClassToday('monday', createStudent(), allClasses)).toBeUndefined()
})

test('lists the student’s classes, then others, each group starting with today’s', () => {
  const classIds = (weekday: Weekday, ...enrolledClasses: DojoClass[]) =>
    classesByLikelihood(weekday, createStudent(...enrolledClasses), allClasses).map(({ id }) => id)
  expect(classIds('monday', teens, kids)).toEqual(['kids', 'teens', 'judo', 'adults'])
  expect(classIds('monday')).toEqual(['judo', 'kids', 'adults', 'teens'])
})
