import { z } from 'zod'
import { calendarDate, clearable, multiLineText } from '../lib/fields.ts'
import { heldRank } from '../lib/ranks.ts'
import { hiddenWithout, MONEY_RIGHTS } from '../rights.ts'
import { studentPhone } from '../texting/phones.ts'
import { TEXT_STATES } from '../texting/text-history.ts'

export const PAGE_MONTHS = 12
export const PAGE_MARKS = 20
export const PAGE_TEXTS = 20

export const studentNotes = z.object({
  allergies: clearable(multiLineText('Allergies', 500)),
  medical_note: clearable(multiLineText('Medical note', 2000)),
  private_notes: clearable(multiLineText('Private notes', 5000)),
})
export type StudentNotes = z.output<typeof studentNotes>

const NO_FIRST_DAY = 'Please choose the first day of the vacation.'
const ENDS_BEFORE_IT_BEGINS = 'The vacation must not end before it begins.'
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

const text = z.string().nullable()
const vacationDates = { vacation_from: text, vacation_until: text }
export const vacationReply = z.object({ ...vacationDates, on_vacation: z.boolean() })

const noteTexts = {
  allergies: hiddenWithout('medical', text, null),
  medical_note: hiddenWithout('medical', text, null),
  private_notes: hiddenWithout('notes', text, null),
}
export const notesReply = z.object(noteTexts)

/** A month is given by its first day. Lists of months begin with the oldest. */
const firstDayOfMonth = z.iso.date()
const monthOfAttendance = z.object({
  month: firstDayOfMonth,
  present: z.number(),
  absent: z.number(),
})
/** The marks of a day in all classes. */
const dayOfAttendance = z.object({ day: z.iso.date(), present: z.number(), absent: z.number() })
/** A month without a record is unpaid and has no amount. */
const monthOfPayment = z.object({
  month: firstDayOfMonth,
  payment_status: z.enum(['paid', 'unpaid']),
  monthly_payment_amount: z.number().nullable(),
  marked_at: text,
})
const attendanceMark = z.object({
  id: z.uuid(),
  class_id: z.uuid().nullable(),
  class_name: text,
  class_date: z.iso.date(),
  present: z.boolean(),
})
/** A text that was sent or received `at` a moment. A reply has no state. */
const textMessage = z.object({
  id: z.uuid(),
  is_reply: z.boolean(),
  text,
  state: z.enum(TEXT_STATES).nullable(),
  at: z.string(),
})
const beltChange = z.object({
  id: z.uuid(),
  belt_level: z.string(),
  rank: heldRank.nullable(),
  previous_belt: z.string(),
  changed_at: z.string(),
  changed_by: text,
})

/** What a student's page shows besides the student. Marks, texts and belts are newest first. */
export const studentPageFields = {
  /** The day the student was added to Tatami. */
  enrolled_on: z.iso.date(),
  /** The day the student joined the school, which may be earlier. */
  joined_on: z.iso.date(),
  /** The day since which the student has had the belt that they came with. */
  first_belt_since: z.iso.date(),
  ...vacationDates,
  ...noteTexts,
  notes_changed_at: text,
  notes_changed_by: text,
  left_note: hiddenWithout('notes', text, null),
  /** The classes of a former student, to which they would return. */
  left_classes: z.array(z.uuid()),
  phones: hiddenWithout('students.contact', z.array(studentPhone), []),
  /** Phones of a payer who gets only texts about fees. */
  fee_phones: hiddenWithout('students.contact', z.array(studentPhone), []),
  attendance: z.array(monthOfAttendance),
  /** The days of these months on which the student was marked, the oldest first. */
  attendance_days: z.array(dayOfAttendance),
  recent_marks: z.array(attendanceMark),
  payments: hiddenWithout(MONEY_RIGHTS, z.array(monthOfPayment), []),
  texts: hiddenWithout('texts.read', z.array(textMessage), []),
  belt_changes: z.array(beltChange),
}
