import type { Weekday } from '@tatami/contract/lib/calendar-day'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { expect, test } from 'vitest'
import { classesByLikelihood, onlyClassToday } from './class-today.ts'

const onDays = (id: string, ...class_days: Weekday[]) =>
  ({ id, class_name: id, class_days, class_start_time: '4:00 PM' }) as unknown as DojoClass
const kids = onDays('kids', 'monday', 'wednesday'),
  judo = onDays('judo', 'monday'),
  teens = onDays('teens', 'tuesday'),
  adults = onDays('adults', 'friday'),
  allClasses = [adults, teens, judo, kids]
const studentIn = (...classes: DojoClass[]) => ({ enrolled_classes: classes.map(({ id }) => id) })

test('knows the class of today only where there is exactly one', () => {
  expect(onlyClassToday('monday', studentIn(kids, teens), allClasses)).toBe(kids)
  expect(onlyClassToday('monday', studentIn(kids, judo), allClasses)).toBeUndefined()
  expect(onlyClassToday('thursday', studentIn(kids), allClasses)).toBeUndefined()
  expect(onlyClassToday('monday', studentIn(), allClasses)).toBeUndefined()
})

test('offers the student’s classes of today first, then their others, then today’s, then the rest, each once', () => {
  const names = (weekday: Weekday, ...enrolledClasses: DojoClass[]) =>
    classesByLikelihood(weekday, studentIn(...enrolledClasses), allClasses).map(({ id }) => id)
  expect(names('monday', teens, kids)).toEqual(['kids', 'teens', 'judo', 'adults'])
  expect(names('monday')).toEqual(['judo', 'kids', 'adults', 'teens'])
})
