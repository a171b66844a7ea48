import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import { calendarDate, idParams, month, oneOf, uuid, year } from '../lib/fields.ts'

const MAX_STUDENTS = 10_000
const studentIds = z
  .array(uuid('Student'), 'Students must be a list')
  .max(MAX_STUDENTS, `At most ${MAX_STUDENTS} students`)
  .optional()

const fileReply = z.string()
const ZIP_TYPE = 'application/zip'
const CSV_TYPE = 'text/csv; charset=utf-8'

const BOOKKEEPING_FORMATS = ['quickbooks', 'xero'] as const
export type BookkeepingFormat = (typeof BOOKKEEPING_FORMATS)[number]
const bookkeepingForm = z
  .object({
    format: oneOf('Format', BOOKKEEPING_FORMATS),
    from: calendarDate('First day'),
    to: calendarDate('Last day'),
  })
  .refine(({ from, to }) => from <= to, {
    path: ['to'],
    error: 'The last day must not be before the first',
  })

export const exportsApi = {
  everything: {
    method: 'POST',
    path: '/export',
    access: 'instructor',
    right: ['export', 'students.contact', 'medical', 'notes', 'texts.read', 'money.see', 'staff'],
    summary: "All of the dojo's data as CSV and JSON, in one zip",
    file: ZIP_TYPE,
    reply: fileReply,
  },
  students: {
    method: 'POST',
    path: '/export/students',
    access: 'instructor',
    right: ['export', 'students.contact'],
    summary:
      'The students as CSV: all, or only those in the list. Leaves out columns that the caller ' +
      'may not see',
    file: CSV_TYPE,
    body: z.object({ student_ids: studentIds }),
    reply: fileReply,
  },
  attendance: {
    method: 'POST',
    path: '/export/attendance',
    access: 'instructor',
    right: ['export', 'roll'],
    summary:
      'The attendance records as CSV, newest first: all, or only those that match the filter',
    file: CSV_TYPE,
    body: z.object({
      student_id: uuid('Student').optional(),
      class_id: uuid('Class').optional(),
      class_date: calendarDate('Class date').optional(),
    }),
    reply: fileReply,
  },
  payments: {
    method: 'POST',
    path: '/export/payments',
    access: 'instructor',
    right: ['export', 'money.see'],
    summary:
      'Payments as CSV: all records, or one month of all students or of those in the list. A ' +
      'month includes students who have no record',
    file: CSV_TYPE,
    /** `of`: the only month to export. */
    body: z.object({
      of: z.object({ month, year, student_ids: studentIds }, 'The month is not valid').optional(),
    }),
    reply: fileReply,
  },
  bookkeeping: {
    method: 'POST',
    path: '/export/bookkeeping',
    access: 'instructor',
    right: ['export', 'money.see'],
    summary: 'Payments and refunds between two days, as CSV for QuickBooks Online or Xero',
    file: CSV_TYPE,
    body: bookkeepingForm,
    reply: fileReply,
  },
  student: {
    method: 'POST',
    path: '/students/:id/export',
    access: 'instructor',
    right: ['export', 'students.contact', 'medical', 'notes', 'texts.read', 'money.see'],
    summary:
      "One student's data in a zip: everything that the dojo has, or only what the student or " +
      'one of the guardians may see',
    file: ZIP_TYPE,
    params: idParams,
    /** `reader_id`: the student or guardian whose view to export. */
    body: z.object({ reader_id: uuid('Reader').optional() }),
    reply: fileReply,
  },
  ofMyStudent: {
    method: 'POST',
    path: '/family/students/:id/export',
    access: 'member',
    right: 'own',
    summary: 'A zip of the caller’s data as a student, or of the data of a student in their care',
    file: ZIP_TYPE,
    params: idParams,
    reply: fileReply,
  },
} as const satisfies Api
