import { utcDay } from '../lib/calendar-day.ts'
import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, success, flag, uuid, pageQuery } from '../lib/fields.ts'
import { hiddenWithout, studentName } from '../rights.ts'

/** How many classes the Quick Actions of the dashboard show. */
export const QUICK_ACTION_CLASSES = 3
export const ATTENDANCE_PAGE_SIZE = 500

/** In the API a class date is a date-time. Its UTC day is the day of the class. */
export const toClassDay = (classDate: string): string => utcDay(new Date(classDate))
export const toClassDate = (day: string): string => `${day}T00:00:00.000Z`

const attendanceRecord = z.object({
  id: z.uuid(),
  student_id: z.uuid(),
  student_name: studentName(),
  class_id: z.uuid().nullable(),
  class_name: z.string().nullable(),
  class_time: z.string().nullable(),
  class_location: z.string().nullable(),
  class_date: z.string(),
  present: z.boolean(),
})
export type AttendanceRecord = z.output<typeof attendanceRecord>
const listedRecord = attendanceRecord.extend({
  /** The name of the person who last changed the mark, for people who may manage staff. Null for
   *  check-ins at a kiosk, for older marks, and in a school whose only staff is the owner. */
  marked_by: hiddenWithout('staff', z.string().nullable(), null),
})
export type ListedRecord = z.output<typeof listedRecord>
const markReply = attendanceRecord.extend({
  /** True if a mark was kept because the student had checked in at a kiosk. */
  is_check_in: z.boolean(),
})
export type MarkReply = z.output<typeof markReply>
/** Present or absent. Null means that there is no mark. */
export type MarkValue = boolean | null

/** The marks that this one may replace, by default all. Any other mark is kept and returned. */
const replaces = z
  .array(flag('Replaces').nullable(), 'Replaces must be a list')
  .max(3, 'A mark replaces at most 3 values')
  .optional()

const markTarget = z.object({
  student_id: uuid('Student'),
  class_id: uuid('Class'),
  class_date: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'Class date must be an ISO date-time',
    })
    .transform(toClassDay)
    .pipe(calendarDate('Class date')),
})
export type MarkTarget = z.output<typeof markTarget>
export const attendanceMark = markTarget.extend({ present: flag('Present'), replaces })
export type AttendanceMark = z.output<typeof attendanceMark>

const ROLL_MAX = 1000

/** Students who are not listed keep their marks. Null removes a mark. */
const rollMarks = markTarget.omit({ student_id: true }).extend({
  marks: z
    .array(
      z.object(
        { student_id: uuid('Student'), present: flag('Present').nullable(), replaces },
        'A mark must be an object',
      ),
      'Marks must be a list',
    )
    .max(ROLL_MAX, `One call marks at most ${ROLL_MAX} students`)
    .refine(
      (marks) => new Set(marks.map(({ student_id }) => student_id)).size === marks.length,
      'Each student can be marked once',
    ),
})
export type RollMarks = z.output<typeof rollMarks>

const attendanceFilter = pageQuery.extend({
  student_id: uuid('Student').optional(),
  class_id: uuid('Class').optional(),
  class_date: calendarDate('Class date').optional(),
})
export type AttendanceFilter = z.output<typeof attendanceFilter>

export const attendanceApi = {
  list: {
    method: 'GET',
    path: '/attendance',
    access: 'member',
    right: 'roll',
    summary: 'Attendance, newest first. Students and guardians get only their own records',
    query: attendanceFilter,
    reply: z.array(listedRecord),
  },
  mark: {
    method: 'POST',
    path: '/attendance',
    access: 'instructor',
    right: 'roll',
    summary: 'Mark a student on the UTC day of `class_date`; 409 if the class is canceled then',
    body: attendanceMark,
    reply: markReply.nullable(),
  },
  markRoll: {
    method: 'PUT',
    path: '/attendance/roll',
    access: 'instructor',
    right: 'roll',
    summary: 'Mark up to 1,000 students of a class on one day, all or none; null removes a mark',
    body: rollMarks,
    reply: z.array(markReply),
  },
  unmark: {
    method: 'DELETE',
    path: '/attendance',
    access: 'instructor',
    right: 'roll',
    summary: 'Remove a mark',
    query: markTarget,
    reply: success,
  },
} as const satisfies Api
