import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  emptyAsUndefined,
  idParams,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'

/** Tasks that every school has. Staff can also enter other tasks. */
export const CLASS_TASK = 'Class'
export const DESK_TASK = 'Desk'
export const TASKS = [CLASS_TASK, DESK_TASK] as const

/** Where hours come from: typed by the person, a shift at the kiosk, or a suggested class. */
export const HOURS_SOURCES = ['own', 'kiosk', 'class'] as const

/** The longest entry. A longer shift was probably never ended. */
export const MAX_SHIFT_MINUTES = 16 * 60
export const MAX_SHIFT_ERROR = 'Enter at most 16 hours at once'
/** Classes are suggested for this many days, including today. */
export const SUGGESTED_DAYS = 31

const clockTime = (label: string) =>
  z
    .string({ error: `${label} is required` })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label} must be a time such as 18:30`)

const MINUTES_ERROR = `Minutes must be a whole number from 1 to ${MAX_SHIFT_MINUTES}`
const minutes = z
  .number(MINUTES_ERROR)
  .int(MINUTES_ERROR)
  .min(1, MINUTES_ERROR)
  .max(MAX_SHIFT_MINUTES, MINUTES_ERROR)

const task = singleLineText('Task', 60)

const timeFields = {
  /** The first day, if the work went past midnight. */
  day: calendarDate('Day'),
  from: emptyAsUndefined(clockTime('Start')),
  /** An end that is not after the start is on the next day. */
  until: emptyAsUndefined(clockTime('End')),
  /** Instead of the start and the end. */
  minutes: emptyAsUndefined(minutes),
  task,
}
type TimeFields = z.output<z.ZodObject<typeof timeFields>>

/** Either both times or the minutes. */
const hasOneDuration = ({ from, until, minutes: minuteCount }: TimeFields) =>
  minuteCount === undefined
    ? from !== undefined && until !== undefined
    : from === undefined && until === undefined

export const hoursForm = z.object(timeFields).refine(hasOneDuration, {
  error: 'Enter the start and the end, or only the minutes',
  path: ['until'],
})
export type HoursForm = z.output<typeof hoursForm>

export const shiftForm = z.object({
  day: calendarDate('Day'),
  from: clockTime('Start'),
  until: clockTime('End'),
  task,
})
export type ShiftForm = z.output<typeof shiftForm>

export const hoursEntry = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  day: z.string(),
  /** Such as 18:30, in the time zone of the school. Null if only the minutes were entered. */
  from: z.string().nullable(),
  until: z.string().nullable(),
  /** Real minutes, even on a day when the clocks change. */
  minutes: z.number(),
  task: z.string(),
  class_name: z.string().nullable(),
  source: z.enum(HOURS_SOURCES),
  is_approved: z.boolean(),
  /** Null before approval, and if the person who approved was deleted. */
  approved_by: z.string().nullable(),
})
export type HoursEntry = z.output<typeof hoursEntry>

/** A shift at the kiosk that has not become hours yet. */
export const shift = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  person_name: z.string(),
  day: z.string(),
  from: z.string(),
  /** Set if the shift was ended but overlaps other hours. */
  until: z.string().nullable(),
  /** False while the person may still be working. If true, somebody has to enter the times. */
  needs_times: z.boolean(),
})
export type Shift = z.output<typeof shift>

const suggestedClass = z.object({
  class_id: z.uuid(),
  class_name: z.string(),
  day: z.string(),
  /** Null if the class has no times, so that the person has to enter the hours. */
  from: z.string().nullable(),
  until: z.string().nullable(),
})
export type SuggestedClass = z.output<typeof suggestedClass>

const ownHours = z.object({
  today: z.string(),
  from: z.string(),
  until: z.string(),
  /** Newest first. */
  entries: z.array(hoursEntry),
  shifts: z.array(shift),
  /** Classes for which the person took the roll or was the substitute. Newest first. */
  suggested_classes: z.array(suggestedClass),
  has_pin: z.boolean(),
  has_kiosk: z.boolean(),
})
export type OwnHours = z.output<typeof ownHours>

const classDay = z.object({ class_id: uuid('Class'), day: calendarDate('Day') })
const taughtClassForm = classDay.extend({
  from: timeFields.from,
  until: timeFields.until,
})
export type TaughtClassForm = z.output<typeof taughtClassForm>
const newEntries = z.object({ entries: z.array(hoursEntry) })
const MAX_APPROVED_AT_ONCE = 1000

export const hoursApi = {
  own: {
    method: 'GET',
    path: '/my/hours',
    access: 'instructor',
    right: 'own',
    summary: 'The caller’s hours in a month, open shifts, and classes that they probably taught',
    query: z.object({ day: emptyAsUndefined(calendarDate('Day')) }),
    reply: ownHours,
  },
  add: {
    method: 'POST',
    path: '/my/hours',
    access: 'instructor',
    right: 'own',
    summary: 'Enter hours. Hours past midnight become two entries. 409 if they overlap others',
    idempotent: true,
    body: hoursForm,
    reply: newEntries,
  },
  addClass: {
    method: 'POST',
    path: '/my/hours/classes',
    access: 'instructor',
    right: 'own',
    summary:
      'Enter a suggested class, with its usual times or different ones. 409 if it overlaps other ' +
      'hours, and 404 if it was already entered',
    body: taughtClassForm,
    reply: newEntries,
  },
  declineClass: {
    method: 'DELETE',
    path: '/my/hours/classes',
    access: 'instructor',
    right: 'own',
    summary: 'Stop suggesting a class that the caller did not teach',
    query: classDay,
    reply: success,
  },
  change: {
    method: 'PUT',
    path: '/staff-hours/:id',
    access: 'instructor',
    right: 'own',
    summary:
      'Change hours. People can change their own hours until these are approved. Staff managers ' +
      'can change all hours, which approves them',
    params: idParams,
    body: hoursForm,
    reply: newEntries,
  },
  remove: {
    method: 'DELETE',
    path: '/staff-hours/:id',
    access: 'instructor',
    right: 'own',
    summary: 'Delete hours, with the same rules as for a change',
    params: idParams,
    reply: success,
  },
  approve: {
    method: 'POST',
    path: '/approved-staff-hours',
    access: 'instructor',
    right: 'staff',
    summary: 'Approve hours. Only owners can approve their own',
    body: z.object({
      hours_ids: z
        .array(uuid('Hours'), 'Hours must be a list')
        .min(1, 'Choose hours to approve')
        .max(MAX_APPROVED_AT_ONCE, `At most ${MAX_APPROVED_AT_ONCE} entries at once`),
    }),
    reply: success,
  },
  settleShift: {
    method: 'PUT',
    path: '/staff-shifts/:id',
    access: 'instructor',
    right: 'own',
    summary: 'Enter the times of a shift that was never ended, or that overlaps other hours',
    params: idParams,
    body: shiftForm,
    reply: newEntries,
  },
  dropShift: {
    method: 'DELETE',
    path: '/staff-shifts/:id',
    access: 'instructor',
    right: 'own',
    summary: 'Delete a shift without entering hours',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
