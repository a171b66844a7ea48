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

const hourly = (firstHour: number, lastHour: number) =>
  Array.from(
    { length: lastHour - firstHour + 1 },
    (_, step) => `${((firstHour + step + 11) % 12) + 1}:00 ${firstHour + step < 12 ? 'AM' : 'PM'}`,
  )
export const START_TIMES = hourly(6, 21)
/** Both lists are hourly (specification, section 9). */
export const END_TIMES = hourly(7, 22)

export const CLASS_NAME_HINT = 'Only alphabetical characters allowed'
export const CLASS_DAYS_HINT = 'Select at least one day for the class'
/** The class name field strips these while typing (specification, section 5). */
const NO_LETTER = /[^\p{L}\p{M}\s]/gu
export const lettersOnly = (text: string) => text.replace(NO_LETTER, '')
/** The characters that `lettersOnly` removes, each once. */
export const leftOutOfClassName = (text: string): string[] => [
  ...new Set(
    (text.match(NO_LETTER) ?? []).map((sign) =>
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(sign) ? sign : 'an invisible character',
    ),
  ),
]

/** Minutes since midnight of "5:00 PM"; null for other words. */
export function minutesOf(time: string | null): number | null {
  const [, hour, minute, half] = /^(1[0-2]|0?[1-9]):([0-5]\d) (AM|PM)$/.exec(time ?? '') ?? []
  return hour ? ((Number(hour) % 12) + (half === 'PM' ? 12 : 0)) * 60 + Number(minute) : null
}

export const DAY_MINUTES = 24 * 60
const LONGEST_PAST_MIDNIGHT = 6 * 60

/** Minutes from the class's midnight to its end. An end before the start is on the next day.
 *  Null if that is impossible. */
export function endMinutesOf(start: number | null, end: number | null): number | null {
  if (start === null || end === null || end > start) return end
  return end + DAY_MINUTES - start <= LONGEST_PAST_MIDNIGHT ? end + DAY_MINUTES : null
}

/** The times in the lists, and any five minutes between them. */
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
const PLACES = `Places must be a whole number from 1 to ${PLACES_MAX}`
export const placesForm = z.object({
  places: z.number(PLACES).int(PLACES).min(1, PLACES).max(PLACES_MAX, PLACES).nullable(),
})

const nullableText = z.string().nullable()
export const dojoClass = z.object({
  id: z.uuid(),
  _id: z.uuid(),
  class_name: z.string(),
  name: z.string(),
  description: nullableText,
  class_days: z.array(z.enum(WEEKDAYS)),
  class_start_time: nullableText,
  class_end_time: nullableText,
  created_at: z.string(),
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

/** "6:00 AM - 7:00 AM", an older record's time, or the specification's fallback. */
export const timeRange = (c: Partial<DojoClass>): string => {
  const start = c.class_start_time ?? c.start_time,
    end = c.class_end_time ?? c.end_time
  return start && end
    ? `${start} - ${end}`
    : (c.class_time ?? c.time ?? start ?? 'Time not specified')
}

const capitalize = (words: string) =>
  words.replaceAll('_', ' ').replace(/(^|\s)\p{L}/gu, (first) => first.toUpperCase())

export const daysText = (c: Partial<DojoClass>): string =>
  c.class_days?.length
    ? c.class_days.map(capitalize).join(', ')
    : capitalize(c.class_day ?? c.days ?? c.day ?? c.location ?? '') || 'Days not specified'

const startOrder = (c: DojoClass) => minutesOf(c.class_start_time ?? c.start_time) ?? 24 * 60

export const classesOn = (weekday: Weekday, classes: readonly DojoClass[]): DojoClass[] =>
  classes
    .filter((c) => daysText(c).toLowerCase().includes(weekday))
    .toSorted((a, b) => startOrder(a) - startOrder(b))

/** Searches name, description and days, ignoring case (specification, section 2) and accents. */
export const classMatches = (c: DojoClass, query: string): boolean =>
  [c.class_name, c.description, daysText(c), c.class_day, c.day, c.days, c.location].some((words) =>
    normalize(words ?? '').includes(normalize(query.trim())),
  )

export const classDeletionImpact = z.object({
  enrolled_students: z.number(),
  attendance_records: z.number(),
})

export const classesApi = {
  list: {
    method: 'GET',
    path: '/classes',
    access: 'member',
    summary: "The dojo's classes",
    reply: z.array(dojoClass),
  },
  create: {
    method: 'POST',
    path: '/classes',
    access: 'instructor',
    summary: 'Add a class',
    idempotent: true,
    body: classForm,
    reply: dojoClass,
  },
  update: {
    method: 'PUT',
    path: '/classes/:id',
    access: 'instructor',
    summary: 'Change a class',
    params: idParams,
    body: classForm,
    reply: dojoClass,
  },
  remove: {
    method: 'DELETE',
    path: '/classes/:id',
    access: 'instructor',
    summary: 'Delete a class; past attendance stays',
    params: idParams,
    reply: success,
  },
  deletionImpact: {
    method: 'GET',
    path: '/classes/:id/deletion-impact',
    access: 'instructor',
    summary: 'How many students and records belong to a class',
    params: idParams,
    reply: classDeletionImpact,
  },
} as const satisfies Api
