import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, success, uuid } from '../lib/fields.ts'
import { hiddenWithout, studentName } from '../rights.ts'

export const EXCUSE_SOURCES = ['guardian', 'student', 'text', 'instructor'] as const
export type ExcuseSource = (typeof EXCUSE_SOURCES)[number]

export const EXCUSE_DAYS_AHEAD = 60

const excuse = z.object({
  student_id: z.uuid(),
  student_name: studentName(),
  class_id: z.uuid(),
  class_name: z.string(),
  class_date: z.string(),
  /** Only instructors see who excused the student. Others get `instructor` or `family`. */
  source: z.enum([...EXCUSE_SOURCES, 'family']),
  created_by_name: hiddenWithout('students.contact', z.string().nullable(), null),
  created_at: z.string(),
})
export type Excuse = z.output<typeof excuse>

const classDate = calendarDate('Class date')

const excuseTarget = z.object({
  student_id: uuid('Student').optional(),
  class_id: uuid('Class'),
  class_date: classDate,
})
export type ExcuseRequest = z.output<typeof excuseTarget>

const excuseFilter = z.object({
  student_id: uuid('Student').optional(),
  class_id: uuid('Class').optional(),
  class_date: classDate.optional(),
})
export type ExcuseFilter = z.output<typeof excuseFilter>

export const excusesApi = {
  list: {
    method: 'GET',
    path: '/excuses',
    access: 'member',
    right: 'roll',
    summary: 'Excuses from today on, or for one day',
    query: excuseFilter,
    reply: z.array(excuse),
  },
  add: {
    method: 'POST',
    path: '/excuses',
    access: 'member',
    right: 'roll',
    summary: 'Excuse a student from a class; families up to 60 days ahead, instructors for any day',
    body: excuseTarget,
    reply: excuse,
  },
  remove: {
    method: 'DELETE',
    path: '/excuses',
    access: 'member',
    right: 'roll',
    summary: 'Remove an excuse',
    query: excuseTarget,
    reply: success,
  },
} as const satisfies Api
