import type { Weekday } from '@tatami/contract/lib/calendar-day'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { expect, test } from 'vitest'
import { classesByLikelihood, onlyClassToday } from './class-today.ts'

const classOnDays = (id: string, ...class_days: Weekday[]) =>
  ({ id, class_name: id, class_days, class_start_time: '4:00 PM' }) as unknown as DojoClass
const kids = classOnDays('kids', 'monday', 'wednesday')
const judo = classOnDays('judo', 'monday')
const teens = classOnDays('teens', 'tuesday')
const adults = classOnDays('adults', 'friday')
const allClasses = [adults, teens, judo, kids]
const studentIn = (...classes: DojoClass[]) => ({ enrolled_classes: classes.map(({ id }) => id) })

test('finds the student’s class today only if there is exactly one', () => {
  expect(onlyClassToday('monday', studentIn(kids, teens), allClasses)).toBe(kids)
  expect(onlyClassToday('monday', studentIn(kids, judo), allClasses)).toBeUndefined()
  expect(onlyClassToday('thursday', studentIn(kids), allClasses)).toBeUndefined()
  expect(onlyClassToday('monday', studentIn(), allClasses)).toBeUndefined()
})

test('lists the student’s classes first, then the others, each starting with today’s', () => {
  const sortedIds = (weekday: Weekday, ...enrolledClasses: DojoClass[]) =>
    classesByLikelihood(weekday, studentIn(...enrolledClasses), allClasses).map(({ id }) => id)
  expect(sortedIds('monday', teens, kids)).toEqual(['kids', 'teens', 'judo', 'adults'])
  expect(sortedIds('monday')).toEqual(['judo', 'kids', 'adults', 'teens'])
})
