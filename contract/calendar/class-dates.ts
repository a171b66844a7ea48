import { daysBetween } from '../lib/calendar-day.ts'
import { z } from 'zod'
import { minutesOf, placesForm } from '../classes/classes.ts'
import type { Api } from '../lib/endpoint.ts'
import {
  calendarDate,
  clearable,
  emptyAsUndefined,
  flag,
  freeName,
  idParams,
  singleLineText,
  success,
  uuid,
} from '../lib/fields.ts'
import { outgoingLine } from '../texting/outgoing-text.ts'
import { classDate } from './timetable.ts'

export const DATES_MAX_DAYS = 92
export const DATES_DAYS = 14
const REASON_MAX = 200
const SUBSTITUTE_MAX = 100
const HOLIDAY_NAME_MAX = 60
const HOLIDAY_MAX_DAYS = 366
export const PLACE_DAYS_AHEAD = 60

const PLACE_STATES = ['expected', 'excused', 'away', 'has_place', 'waiting'] as const
export type PlaceState = (typeof PLACE_STATES)[number]

const studentOnDate = z.object({
  student_id: z.uuid(),
  student_name: z.string(),
  state: z.enum(PLACE_STATES),
  /** On the waitlist, from 1. */
  position: z.number().nullable(),
  asked_at: z.string().nullable(),
})
export type StudentOnDate = z.output<typeof studentOnDate>

const datedClass = classDate.extend({
  places: z.number().nullable(),
  free_places: z.number().nullable(),
  /** For instructors; null to others. Guests of this date are expected, too. */
  expected: z.number().nullable(),
  excused: z.number().nullable(),
  waiting: z.number().nullable(),
  came: z.number().nullable(),
  /** Instructors see guests and the waitlist, others themselves and their children. */
  students: z.array(studentOnDate),
})
export type DatedClass = z.output<typeof datedClass>

const day = calendarDate('Day')
const target = z.object({ class_id: uuid('Class'), day })
export type DateTarget = z.output<typeof target>

const dates = z.object({
  from: day.optional(),
  until: day.optional(),
  class_id: uuid('Class').optional(),
  /** Students and guardians get also the dates where they can ask for a place. */
  with_places: z.enum(['true', 'false'], 'With places must be true or false').optional(),
})
export type DatesQuery = z.output<typeof dates>

const TIME = 'must be a time like 5:30 PM'
const time = (label: string) =>
  singleLineText(label, 8)
    .overwrite((text) => text.replace(/^0(?=\d)/, ''))
    .refine((text) => minutesOf(text) !== null, `${label} ${TIME}`)
const times = { start_time: time('Start time'), end_time: time('End time') }
const endsLater = ({
  start_time,
  end_time,
}: {
  start_time?: string | undefined
  end_time?: string | undefined
}) =>
  (start_time === undefined) === (end_time === undefined) &&
  (minutesOf(start_time ?? null) ?? 0) < (minutesOf(end_time ?? null) ?? 1)
const END_AFTER_START = { error: 'The end must be later than the start', path: ['end_time'] }

export const addedDate = target.extend(times).refine(endsLater, END_AFTER_START)
export type AddedDate = z.output<typeof addedDate>

/** Without times the weekly time is kept. */
export const movedDate = target
  .extend({
    to_day: calendarDate('New day'),
    start_time: emptyAsUndefined(times.start_time),
    end_time: emptyAsUndefined(times.end_time),
  })
  .refine(endsLater, END_AFTER_START)
export type MovedDate = z.output<typeof movedDate>

const cancelledDate = target.extend({
  reason: outgoingLine('Reason', REASON_MAX),
  /** True by default. False if a text follows, which brings a notice. */
  gives_notice: emptyAsUndefined(flag('Gives notice')),
})
export type CancelledDate = z.output<typeof cancelledDate>

const cancellation = z.object({
  date: datedClass,
  text: z.string(),
  student_ids: z.array(z.uuid()),
})

export const substituteForm = target.extend({
  substitute: clearable(freeName('Substitute', SUBSTITUTE_MAX)),
})
export type SubstituteForm = z.output<typeof substituteForm>

/** Without a student it is the caller. */
const placeTarget = target.extend({ student_id: uuid('Student').optional() })
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
    summary:
      'Class dates, also canceled and moved ones, of at most 92 days; 14 by default. Students ' +
      'and guardians get their own classes, without counts',
    query: dates,
    reply: z.array(datedClass),
  },
  add: {
    method: 'POST',
    path: '/class-dates',
    access: 'instructor',
    summary: 'Add a date to a class; on a holiday, let it take place',
    body: addedDate,
    reply: datedClass,
  },
  remove: {
    method: 'DELETE',
    path: '/class-dates',
    access: 'instructor',
    summary: 'Remove a date that was added; where there is none, nothing changes',
    query: target,
    reply: success,
  },
  cancel: {
    method: 'PUT',
    path: '/class-dates/cancelled',
    access: 'instructor',
    summary:
      'Cancel a class date, or change the reason. Students and guardians get a notice unless ' +
      '`gives_notice` is false. Answers a text to send and to whom, and texts nobody',
    body: cancelledDate,
    reply: cancellation,
  },
  restore: {
    method: 'DELETE',
    path: '/class-dates/cancelled',
    access: 'instructor',
    summary: 'Let a canceled date take place after all, with its marks',
    query: target,
    reply: success,
  },
  move: {
    method: 'PUT',
    path: '/class-dates/moved',
    access: 'instructor',
    summary:
      'Move a class date with its places and waitlist; excuses stay with their day. 409 if that ' +
      'day is taken or has marks',
    body: movedDate,
    reply: datedClass,
  },
  moveBack: {
    method: 'DELETE',
    path: '/class-dates/moved',
    access: 'instructor',
    summary: 'Put a moved date, named by the day that it was moved to, back to its own',
    query: target,
    reply: success,
  },
  setSubstitute: {
    method: 'PUT',
    path: '/class-dates/substitute',
    access: 'instructor',
    summary: 'Say who teaches on a date instead',
    body: substituteForm,
    reply: datedClass,
  },
  setPlaces: {
    method: 'PUT',
    path: '/classes/:id/places',
    access: 'instructor',
    summary: 'Limit how many come to each date of a class, or end the limit',
    params: idParams,
    body: placesForm,
    reply: placesForm,
  },
  askForPlace: {
    method: 'POST',
    path: '/class-dates/places',
    access: 'member',
    summary:
      'Take a free place, or join the waitlist, whose first student gets the next free place, ' +
      'up to 60 days ahead. Repeating it changes nothing',
    body: placeTarget,
    reply: studentOnDate,
  },
  givePlace: {
    method: 'PUT',
    path: '/class-dates/places',
    access: 'instructor',
    summary: 'Give a place to a student on the waitlist, also beyond the limit',
    body: placeTarget,
    reply: studentOnDate,
  },
  giveBackPlace: {
    method: 'DELETE',
    path: '/class-dates/places',
    access: 'member',
    summary: 'Give a place back, or leave the waitlist',
    query: placeTarget,
    reply: success,
  },
  holidays: {
    method: 'GET',
    path: '/holidays',
    access: 'member',
    summary: "The dojo's holidays, soonest first",
    reply: z.array(holiday),
  },
  addHoliday: {
    method: 'POST',
    path: '/holidays',
    access: 'instructor',
    summary: 'Add days without classes',
    idempotent: true,
    body: holidayForm,
    reply: holiday,
  },
  changeHoliday: {
    method: 'PUT',
    path: '/holidays/:id',
    access: 'instructor',
    summary: 'Change days without classes',
    params: idParams,
    body: holidayForm,
    reply: holiday,
  },
  removeHoliday: {
    method: 'DELETE',
    path: '/holidays/:id',
    access: 'instructor',
    summary: 'Delete a holiday: classes take place as every week',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
