import { z } from 'zod'
import { calendarDate, clearable, multiLineText } from '../lib/fields.ts'
import { heldRank } from '../lib/ranks.ts'
import { hiddenWithout, MONEY_RIGHTS } from '../rights.ts'
import { studentPhone } from '../texting/phones.ts'
import { TEXT_STATES } from '../texting/text-history.ts'

/** How many months, marks and texts a student's page shows. */
export const PAGE_MONTHS = 12
export const PAGE_MARKS = 20
export const PAGE_TEXTS = 20

export const MAX_MEDICAL_NOTE = 2000

export const studentNotes = z.object({
  allergies: clearable(multiLineText('Allergies', 500)),
  medical_note: clearable(multiLineText('Medical note', MAX_MEDICAL_NOTE)),
  private_notes: clearable(multiLineText('Private notes', 5000)),
})
export type StudentNotes = z.output<typeof studentNotes>

const NO_FIRST_DAY = 'Please choose the first day of the vacation.'
const ENDS_BEFORE_IT_BEGINS = 'The vacation must not end before it starts.'
export const VACATION_IS_OVER = 'The last day of the vacation must not be before today.'

/** Both days are included. Without a last day, the vacation is open-ended. Two nulls end it now. */
export const vacation = z
  .object({
    vacation_from: calendarDate('First day').nullable(),
    vacation_until: calendarDate('Last day').nullable(),
  })
  .refine(
    ({ vacation_from, vacation_until }) => vacation_from !== null || vacation_until === null,
    { error: NO_FIRST_DAY, path: ['vacation_from'] },
  )
  .refine(
    ({ vacation_from, vacation_until }) =>
      vacation_from === null || vacation_until === null || vacation_from <= vacation_until,
    { error: ENDS_BEFORE_IT_BEGINS, path: ['vacation_until'] },
  )
export type Vacation = z.output<typeof vacation>

export const isVacationOn = (day: string, { vacation_from, vacation_until }: Vacation): boolean =>
  vacation_from !== null &&
  vacation_from <= day &&
  (vacation_until === null || day <= vacation_until)

const nullableText = z.string().nullable()
const vacationDates = { vacation_from: nullableText, vacation_until: nullableText }
export const vacationReply = z.object({ ...vacationDates, on_vacation: z.boolean() })

const noteTexts = {
  allergies: hiddenWithout('medical', nullableText, null),
  medical_note: hiddenWithout('medical', nullableText, null),
  private_notes: hiddenWithout('notes', nullableText, null),
}
export const notesReply = z.object(noteTexts)

/** Months are sent as their first day. Lists of months are oldest first. */
const firstDayOfMonth = z.iso.date()
const monthlyAttendance = z.object({
  month: firstDayOfMonth,
  present: z.number(),
  absent: z.number(),
})
/** The marks of one day, in all classes together. */
const dailyAttendance = z.object({ day: z.iso.date(), present: z.number(), absent: z.number() })
/** A month without a record is unpaid and has no amount. */
const monthlyPayment = z.object({
  month: firstDayOfMonth,
  payment_status: z.enum(['paid', 'unpaid']),
  monthly_payment_amount: z.number().nullable(),
  marked_at: nullableText,
})
const attendanceMark = z.object({
  id: z.uuid(),
  class_id: z.uuid().nullable(),
  class_name: nullableText,
  class_date: z.iso.date(),
  present: z.boolean(),
})
/** `at` is when the text was sent or received. A reply has no state. */
const textMessage = z.object({
  id: z.uuid(),
  is_reply: z.boolean(),
  text: nullableText,
  state: z.enum(TEXT_STATES).nullable(),
  at: z.string(),
})
const beltChange = z.object({
  id: z.uuid(),
  belt_level: z.string(),
  rank: heldRank.nullable(),
  previous_belt: z.string(),
  changed_at: z.string(),
  changed_by: nullableText,
})

/** What a student's page shows besides the student. Marks, texts and belts are newest first. */
export const studentPageFields = {
  /** The day the student was added to Tatami. */
  enrolled_on: z.iso.date(),
  /** The day the student joined the school, which may be earlier. */
  joined_on: z.iso.date(),
  /** The day the student got the belt that they joined with, or joined Tatami. */
  first_belt_since: z.iso.date(),
  ...vacationDates,
  ...noteTexts,
  notes_changed_at: nullableText,
  notes_changed_by: nullableText,
  left_note: hiddenWithout('notes', nullableText, null),
  /** The classes that a former student would be enrolled in again. */
  left_classes: z.array(z.uuid()),
  phones: hiddenWithout('students.contact', z.array(studentPhone), []),
  /** Phones of a payer who gets only texts about fees. */
  fee_phones: hiddenWithout('students.contact', z.array(studentPhone), []),
  attendance: z.array(monthlyAttendance),
  /** The days with marks in these months, oldest first. */
  attendance_days: z.array(dailyAttendance),
  recent_marks: z.array(attendanceMark),
  /** The day of the plan for the first 90 days, or null if it is off or over. */
  plan_day: z.number().nullable(),
  payments: hiddenWithout(MONEY_RIGHTS, z.array(monthlyPayment), []),
  texts: hiddenWithout('texts.read', z.array(textMessage), []),
  belt_changes: z.array(beltChange),
}
