import { type Weekday, WEEKDAYS } from '../lib/calendar-day.ts'
import { z } from 'zod'
import type { Api } from '../lib/endpoint.ts'
import {
  oneOf,
  success,
  idParams,
  LETTERS_AND_SPACES,
  singleLineText,
  multiLineText,
} from '../lib/fields.ts'
import { normalize } from '../lib/name-search.ts'

const hourlyTimes = (firstHour: number, lastHour: number) =>
  Array.from({ length: lastHour - firstHour + 1 }, (_, step) => formatHour(firstHour + step))
const formatHour = (hour: number) => `${((hour + 11) % 12) + 1}:00 ${hour < 12 ? 'AM' : 'PM'}`

/** The form offers full hours (specification, section 9). */
export const START_TIMES = hourlyTimes(6, 21)
export const END_TIMES = hourlyTimes(7, 22)

export const CLASS_NAME_HINT = 'Only alphabetical characters allowed'
export const CLASS_DAYS_HINT = 'Select at least one day for the class'
/** The class name field removes these while a person types (specification, section 5). */
const NOT_A_LETTER = /[^\p{L}\p{M}\s]/gu
export const lettersOnly = (text: string) => text.replace(NOT_A_LETTER, '')
export const findNonLetters = (text: string): string[] => [
  ...new Set(
    (text.match(NOT_A_LETTER) ?? []).map((character) =>
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? character : 'an invisible character',
    ),
  ),
]

/** Minutes since midnight of a time like "5:00 PM"; null for any other text. */
export function parseMinutes(time: string | null): number | null {
  const [, hour, minute, period] = /^(1[0-2]|0?[1-9]):([0-5]\d) (AM|PM)$/.exec(time ?? '') ?? []
  if (!hour) return null
  const hourOfDay = (Number(hour) % 12) + (period === 'PM' ? 12 : 0)
  return hourOfDay * 60 + Number(minute)
}

export const DAY_MINUTES = 24 * 60
const MAX_OVERNIGHT_MINUTES = 6 * 60

/** Minutes since midnight of the first day. An end before the start is on the next day. Returns
 *  null if the class would last more than six hours. */
export function findEndMinutes(start: number | null, end: number | null): number | null {
  if (start === null || end === null || end > start) return end
  return end + DAY_MINUTES - start <= MAX_OVERNIGHT_MINUTES ? end + DAY_MINUTES : null
}

export const isClassTime = (time: string): boolean =>
  /^(1[0-2]|[1-9]):[0-5][05] (AM|PM)$/.test(time)
const classTime = (label: string) =>
  singleLineText(label).refine(isClassTime, 'Use five-minute steps, such as 5:30 PM')

export const classForm = z.object({
  class_name: singleLineText('Class name', 100).regex(LETTERS_AND_SPACES, CLASS_NAME_HINT),
  description: multiLineText('Description', 1000),
  class_days: z
    .array(oneOf('Day', WEEKDAYS), { error: CLASS_DAYS_HINT })
    .min(1, CLASS_DAYS_HINT)
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day))),
  class_start_time: classTime('Start time'),
  class_end_time: classTime('End time'),
})
export type ClassForm = z.output<typeof classForm>

const PLACES_MAX = 500
const PLACES_ERROR = `Places must be a whole number from 1 to ${PLACES_MAX}`
export const placesForm = z.object({
  places: z
    .number(PLACES_ERROR)
    .int(PLACES_ERROR)
    .min(1, PLACES_ERROR)
    .max(PLACES_MAX, PLACES_ERROR)
    .nullable(),
})

const nullableText = z.string().nullable()
export const dojoClass = z.object({
  id: z.uuid(),
  /** `_id` and `name` repeat `id` and `class_name`. */
  _id: z.uuid(),
  class_name: z.string(),
  name: z.string(),
  description: nullableText,
  class_days: z.array(z.enum(WEEKDAYS)),
  class_start_time: nullableText,
  class_end_time: nullableText,
  created_at: z.string(),
  /** Free text in older records, instead of `class_days` and the start and end times */
  class_day: nullableText,
  location: nullableText,
  class_time: nullableText,
  time: nullableText,
  day: nullableText,
  days: nullableText,
  start_time: nullableText,
  end_time: nullableText,
  places: z.number().nullable(),
})
export type DojoClass = z.output<typeof dojoClass>

const NO_TIME = 'Time not specified'

/** "6:00 AM - 7:00 AM", the time of an older record, or "Time not specified". */
export function timeRange(classRecord: Partial<DojoClass>): string {
  const start = classRecord.class_start_time ?? classRecord.start_time
  const end = classRecord.class_end_time ?? classRecord.end_time
  if (start && end) return `${start} - ${end}`
  return classRecord.class_time ?? classRecord.time ?? start ?? NO_TIME
}

const NO_DAYS = 'Days not specified'

const capitalizeWords = (text: string) =>
  text.replaceAll('_', ' ').replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())

/** "Monday, Wednesday", the days of an older record, or "Days not specified". */
export function daysText(classRecord: Partial<DojoClass>): string {
  const { class_days, class_day, days, day, location } = classRecord
  if (class_days?.length) return class_days.map(capitalizeWords).join(', ')
  return capitalizeWords(class_day ?? days ?? day ?? location ?? '') || NO_DAYS
}

/** Returns false for a class that a student import created with only a name. */
export const hasDayAndTime = (classRecord: DojoClass): boolean =>
  daysText(classRecord) !== NO_DAYS && timeRange(classRecord) !== NO_TIME

const startMinute = (classRecord: DojoClass) =>
  parseMinutes(classRecord.class_start_time ?? classRecord.start_time) ?? DAY_MINUTES

export const classesOn = (weekday: Weekday, classes: readonly DojoClass[]): DojoClass[] =>
  classes
    .filter((classRecord) => daysText(classRecord).toLowerCase().includes(weekday))
    .toSorted((a, b) => startMinute(a) - startMinute(b))

/** Searches name, description and days, ignoring case (specification, section 2) and accents. */
export function classMatches(classRecord: DojoClass, query: string): boolean {
  const days = [daysText(classRecord), classRecord.class_day, classRecord.day, classRecord.days]
  const searchedTexts = [
    classRecord.class_name,
    classRecord.description,
    classRecord.location,
    ...days,
  ]
  const normalizedQuery = normalize(query.trim())
  return searchedTexts.some((text) => normalize(text ?? '').includes(normalizedQuery))
}

export const classDeletionImpact = z.object({
  enrolled_students: z.number(),
  attendance_records: z.number(),
})

export const classesApi = {
  list: {
    method: 'GET',
    path: '/classes',
    access: 'member',
    right: 'any',
    summary: "The dojo's classes",
    reply: z.array(dojoClass),
  },
  create: {
    method: 'POST',
    path: '/classes',
    access: 'instructor',
    right: 'schedule',
    summary: 'Add a class',
    idempotent: true,
    body: classForm,
    reply: dojoClass,
  },
  update: {
    method: 'PUT',
    path: '/classes/:id',
    access: 'instructor',
    right: 'schedule',
    summary: 'Change a class',
    params: idParams,
    body: classForm,
    reply: dojoClass,
  },
  remove: {
    method: 'DELETE',
    path: '/classes/:id',
    access: 'instructor',
    right: 'schedule',
    summary: 'Delete a class; its attendance is kept',
    params: idParams,
    reply: success,
  },
  deletionImpact: {
    method: 'GET',
    path: '/classes/:id/deletion-impact',
    access: 'instructor',
    right: 'schedule',
    summary: 'Count the students and attendance records of a class',
    params: idParams,
    reply: classDeletionImpact,
  },
} as const satisfies Api
