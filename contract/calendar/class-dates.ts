import { daysBetween } from '../lib/calendar-day.ts'
import { z } from 'zod'
import { parseMinutes, placesForm } from '../classes/classes.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  emptyAsUndefined,
  flag,
  unrestrictedName,
  idParams,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'
import { outgoingLine } from '../texting/outgoing-text.ts'
import { classDate } from './timetable.ts'
import { studentName } from '../rights.ts'

export const DATES_MAX_DAYS = 92
export const DATES_DEFAULT_DAYS = 14
const REASON_MAX = 200
const SUBSTITUTE_MAX = 100
const HOLIDAY_NAME_MAX = 60
const HOLIDAY_MAX_DAYS = 366
export const PLACE_DAYS_AHEAD = 60

/** `away` means on vacation, `has_place` a guest, and `waiting` on the waitlist. */
const PLACE_STATES = ['expected', 'excused', 'away', 'has_place', 'waiting'] as const
export type PlaceState = (typeof PLACE_STATES)[number]

const studentOnDate = z.object({
  student_id: z.uuid(),
  student_name: studentName(),
  state: z.enum(PLACE_STATES),
  /** 1 for the first student on the waitlist. Null for students who are not on it. */
  position: z.number().nullable(),
  asked_at: z.string().nullable(),
})
export type StudentOnDate = z.output<typeof studentOnDate>

const datedClass = classDate.extend({
  places: z.number().nullable(),
  free_places: z.number().nullable(),
  /** These counts are for instructors and null for others. Guests count as expected. */
  expected: z.number().nullable(),
  excused: z.number().nullable(),
  waiting: z.number().nullable(),
  /** Visitors who booked a trial. They are not expected students. */
  trials: z.number().nullable(),
  came: z.number().nullable(),
  /** Students with a mark, and expected students without a mark. Null if no one is marked. */
  marked: z.number().nullable(),
  unmarked: z.number().nullable(),
  /** Instructors get guests and the waitlist. Others get only themselves and their children. */
  students: z.array(studentOnDate),
})
export type DatedClass = z.output<typeof datedClass>

const day = calendarDate('Day')
const dateTarget = z.object({ class_id: uuid('Class'), day })
export type DateTarget = z.output<typeof dateTarget>

const datesQuery = z.object({
  from: day.optional(),
  until: day.optional(),
  class_id: uuid('Class').optional(),
  /** If true, students and guardians also get classes in which they can ask for a place. */
  with_places: z.enum(['true', 'false'], 'With places must be true or false').optional(),
})
export type DatesQuery = z.output<typeof datesQuery>

const timeOfDay = (label: string) =>
  singleLineText(label, 8)
    // "05:30 PM" becomes "5:30 PM".
    .overwrite((text) => text.replace(/^0(?=\d)/, ''))
    .refine((text) => parseMinutes(text) !== null, `${label} must be a time like 5:30 PM`)
const times = { start_time: timeOfDay('Start time'), end_time: timeOfDay('End time') }
type TimeRange = { start_time?: string | undefined; end_time?: string | undefined }

function isTimeRange({ start_time, end_time }: TimeRange): boolean {
  if (start_time === undefined || end_time === undefined) return start_time === end_time
  return (parseMinutes(start_time) ?? 0) < (parseMinutes(end_time) ?? 0)
}
const END_AFTER_START = { error: 'The end must be later than the start', path: ['end_time'] }

export const addedDate = dateTarget.extend(times).refine(isTimeRange, END_AFTER_START)
export type AddedDate = z.output<typeof addedDate>

/** If there are no times, the class keeps its time. */
export const movedDate = dateTarget
  .extend({
    to_day: calendarDate('New day'),
    start_time: emptyAsUndefined(times.start_time),
    end_time: emptyAsUndefined(times.end_time),
  })
  .refine(isTimeRange, END_AFTER_START)
export type MovedDate = z.output<typeof movedDate>

const cancelledDate = dateTarget.extend({
  reason: outgoingLine('Reason', REASON_MAX),
  /** True by default. Send false if a text follows, because the text comes with a notification. */
  gives_notice: emptyAsUndefined(flag('Gives notice')),
})
export type CancelledDate = z.output<typeof cancelledDate>

const cancellation = z.object({
  date: datedClass,
  text: z.string(),
  student_ids: z.array(z.uuid()),
})

export const substituteForm = dateTarget.extend({
  substitute: clearable(unrestrictedName('Substitute', SUBSTITUTE_MAX)),
  /** A member of staff, who can then see the class on that day. `substitute` becomes their name. */
  substitute_id: emptyAsUndefined(uuid('Substitute')),
})
export type SubstituteForm = z.output<typeof substituteForm>

const placeTarget = dateTarget.extend({ student_id: uuid('Student').optional() })
export type PlaceTarget = z.output<typeof placeTarget>

const holiday = z.object({
  id: z.uuid(),
  name: z.string(),
  first_day: z.string(),
  last_day: z.string(),
})
export type Holiday = z.output<typeof holiday>
export const holidayForm = z
  .object({
    name: singleLineText('Name', HOLIDAY_NAME_MAX),
    first_day: calendarDate('First day'),
    last_day: calendarDate('Last day'),
  })
  .refine(({ first_day, last_day }) => first_day <= last_day, {
    error: 'The last day must not be before the first',
    path: ['last_day'],
  })
  .refine(({ first_day, last_day }) => daysBetween(first_day, last_day) < HOLIDAY_MAX_DAYS, {
    error: `A holiday lasts at most ${HOLIDAY_MAX_DAYS} days`,
    path: ['last_day'],
  })
export type HolidayForm = z.output<typeof holidayForm>

export const classDatesApi = {
  list: {
    method: 'GET',
    path: '/class-dates',
    access: 'member',
    right: 'any',
    summary:
      'Class dates of up to 92 days (14 by default), with canceled and moved ones. Students and ' +
      'guardians get their own classes, without counts',
    query: datesQuery,
    reply: z.array(datedClass),
  },
  add: {
    method: 'POST',
    path: '/class-dates',
    access: 'instructor',
    right: 'schedule',
    summary: 'Add a date to a class, or let a class take place on a holiday',
    body: addedDate,
    reply: datedClass,
  },
  remove: {
    method: 'DELETE',
    path: '/class-dates',
    access: 'instructor',
    right: 'schedule',
    summary: 'Remove a date that was added; if there is none, nothing changes',
    query: dateTarget,
    reply: success,
  },
  cancel: {
    method: 'PUT',
    path: '/class-dates/cancelled',
    access: 'instructor',
    right: 'schedule',
    summary:
      'Cancel a class date, or change the reason. Students and guardians get a notification ' +
      'unless `gives_notice` is false. The reply has a text to send and its recipients; this ' +
      'call sends no text',
    body: cancelledDate,
    reply: cancellation,
  },
  restore: {
    method: 'DELETE',
    path: '/class-dates/cancelled',
    access: 'instructor',
    right: 'schedule',
    summary: 'Restore a canceled date and its marks',
    query: dateTarget,
    reply: success,
  },
  move: {
    method: 'PUT',
    path: '/class-dates/moved',
    access: 'instructor',
    right: 'schedule',
    summary:
      'Move a class date with its places and waitlist, but without its excuses. 409 if the class ' +
      'already meets on the new day, or if students are marked',
    body: movedDate,
    reply: datedClass,
  },
  moveBack: {
    method: 'DELETE',
    path: '/class-dates/moved',
    access: 'instructor',
    right: 'schedule',
    summary: 'Move a date back to its weekly day; `day` is the day to which it was moved',
    query: dateTarget,
    reply: success,
  },
  setSubstitute: {
    method: 'PUT',
    path: '/class-dates/substitute',
    access: 'instructor',
    right: 'schedule',
    summary: 'Set or remove a substitute for a class date',
    body: substituteForm,
    reply: datedClass,
  },
  setPlaces: {
    method: 'PUT',
    path: '/classes/:id/places',
    access: 'instructor',
    right: 'schedule',
    summary: 'Limit the number of students on each date of a class, or remove the limit',
    params: idParams,
    body: placesForm,
    reply: placesForm,
  },
  askForPlace: {
    method: 'POST',
    path: '/class-dates/places',
    access: 'member',
    right: 'roll',
    summary:
      'Take a free place up to 60 days ahead, or join the waitlist. The first student on the ' +
      'waitlist gets the next free place. Repeating the call changes nothing',
    body: placeTarget,
    reply: studentOnDate,
  },
  givePlace: {
    method: 'PUT',
    path: '/class-dates/places',
    access: 'instructor',
    right: 'roll',
    summary: 'Give a place to a student on the waitlist, even beyond the limit',
    body: placeTarget,
    reply: studentOnDate,
  },
  giveBackPlace: {
    method: 'DELETE',
    path: '/class-dates/places',
    access: 'member',
    right: 'roll',
    summary: 'Give a place back, or leave the waitlist',
    query: placeTarget,
    reply: success,
  },
  holidays: {
    method: 'GET',
    path: '/holidays',
    access: 'member',
    right: 'any',
    summary: "The dojo's holidays, soonest first",
    reply: z.array(holiday),
  },
  addHoliday: {
    method: 'POST',
    path: '/holidays',
    access: 'instructor',
    right: 'schedule',
    summary: 'Add days without classes',
    idempotent: true,
    body: holidayForm,
    reply: holiday,
  },
  changeHoliday: {
    method: 'PUT',
    path: '/holidays/:id',
    access: 'instructor',
    right: 'schedule',
    summary: 'Change days without classes',
    params: idParams,
    body: holidayForm,
    reply: holiday,
  },
  removeHoliday: {
    method: 'DELETE',
    path: '/holidays/:id',
    access: 'instructor',
    right: 'schedule',
    summary: 'Delete a holiday; classes take place again',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
