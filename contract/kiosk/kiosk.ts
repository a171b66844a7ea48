import { z } from 'zod'
import { DAY_MINUTES, endMinutesOf, minutesOf } from '../classes/classes.ts'
import { cleanText } from '../lib/clean-text.ts'
import { missingRule } from '../belts/eligibility.ts'
import type { Api } from '../lib/endpoint.ts'
import { idParams, success, uuid } from '../lib/fields.ts'
import { pin } from './kiosks.ts'
import { BELTS, heldRank, shownRank } from '../lib/ranks.ts'
import { type ClassDate, type DojoTime, minutesSince } from '../calendar/timetable.ts'

/** A kiosk offers a class from then until it ends. */
const OPENS_MINUTES_BEFORE = 30
const SEARCH_MIN = 2
export const SEARCH_HITS = 5
export const SEARCH_HINT = `Type at least ${SEARCH_MIN} letters`
/** A whole name may be one letter in these scripts. */
const WHOLE_NAME = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
export const isSearchable = (text: string): boolean =>
  WHOLE_NAME.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) >= SEARCH_MIN
export const GREETING_SECONDS = 10
export const LATE_DAYS = 7
const FAMILY_MAX = 30

/** Hexadecimal, because these keys are in the same place on most keyboards, and a scanner types. */
export const CHECK_IN_CODE = /^[0-9A-F]{48}$/
const checkInCode = z
  .string({ error: 'Code is required' })
  .max(48, 'This is not a check-in code')
  .toUpperCase()
  .regex(CHECK_IN_CODE, 'This is not a check-in code')

const pass = z
  .string({ error: 'Please start again' })
  .max(55, 'Please start again')
  .regex(/^[\w-]{55}$/, 'Please start again')

/** `starts` and `ends` are minutes since midnight, more than a day's if it ends on the next day. */
const kioskClass = z.object({
  id: z.uuid(),
  name: z.string(),
  time: z.string(),
  starts: z.number().nullable(),
  ends: z.number().nullable(),
})
export type KioskClass = z.output<typeof kioskClass>

export const classesOfDay = (
  dates: readonly ClassDate[],
  wantedStatus: 'on' | 'cancelled',
): KioskClass[] =>
  dates
    .filter(({ status }) => status === wantedStatus)
    .map(({ class_id, class_name, time, start_time, end_time }) => ({
      id: class_id,
      name: class_name,
      time,
      starts: minutesOf(start_time),
      ends: endMinutesOf(minutesOf(start_time), minutesOf(end_time)),
    }))

/** Minutes since midnight of `day`. They go on past midnight while a class does; then null. */
export function kioskMinute(
  day: string,
  classes: readonly KioskClass[],
  dojoTime: DojoTime,
): number | null {
  const minute = minutesSince(day, dojoTime)
  if (minute < DAY_MINUTES) return minute < 0 ? null : minute
  return classes.some(({ ends }) => ends !== null && ends > minute) ? minute : null
}

export const isOpenAt = ({ starts, ends }: KioskClass, minute: number): boolean =>
  minute >= (starts ?? 0) - OPENS_MINUTES_BEFORE && minute < (ends ?? DAY_MINUTES)

/** The class that most students come for at this minute: the open one that starts closest to it,
 *  or else the next one, or else the last. */
export function currentClass(
  classes: readonly KioskClass[],
  minute: number,
): KioskClass | undefined {
  const distance = ({ starts }: KioskClass) =>
    starts === null ? Infinity : Math.abs(starts - minute)
  const open = classes
    .filter((candidate) => isOpenAt(candidate, minute))
    .toSorted((a, b) => distance(a) - distance(b))
  return (
    open[0] ?? classes.find(({ starts }) => starts !== null && starts > minute) ?? classes.at(-1)
  )
}

const kioskState = z.object({
  kiosk_name: z.string(),
  dojo_name: z.string(),
  time_zone: z.string(),
  today: z.string(),
  asks_pin: z.boolean(),
  classes: z.array(kioskClass),
  cancelled: z.array(kioskClass),
})
export type KioskState = z.output<typeof kioskState>

const searchHit = z.object({ pass: z.string(), name: z.string(), belt_level: z.enum(BELTS) })
export type KioskHit = z.output<typeof searchHit>
const searchHits = z.object({ students: z.array(searchHit), has_more: z.boolean() })
export type KioskHits = z.output<typeof searchHits>

const codePeople = z.object({
  people: z.array(
    z.object({
      pass: z.string(),
      name: z.string(),
      class_name: z.string(),
      class_time: z.string(),
      has_class: z.boolean(),
      is_here: z.boolean(),
    }),
  ),
})
export type CodePeople = z.output<typeof codePeople>

const greeting = z.object({
  first_name: z.string(),
  class_name: z.string(),
  class_time: z.string(),
  is_birthday: z.boolean(),
  was_here: z.boolean(),
  /** Classes in this belt; null if that is not known. */
  progress: z
    .object({ classes: z.number(), rank: heldRank.nullable(), belt_level: z.enum(BELTS) })
    .nullable(),
  next: shownRank.nullable(),
  /** Without the fee, which is nobody else's business at the door. */
  missing: z.array(missingRule),
  is_ready: z.boolean(),
  instructor_decides: z.boolean(),
})
export type Greeting = z.output<typeof greeting>

export const OFFLINE_MAX = 500
const offlinePerson = z.object({
  name: z.string(),
  pass: z.string(),
  class_name: z.string(),
  class_time: z.string(),
})
export type OfflinePerson = z.output<typeof offlinePerson>
/** Who the PINs and codes of today stand for. The key of an entry is PBKDF2-SHA256 of the PIN,
 *  with this salt and number of rounds, or SHA-256 of the code. `tag` is HMAC-SHA256 of "tag"
 *  under it. `sealed` is a nonce of 12 bytes and the people as JSON, in AES-256-GCM under
 *  HMAC-SHA256 of "seal". Everything is base64url. */
const offlinePeople = z.object({
  day: z.string(),
  salt: z.string(),
  rounds: z.number(),
  entries: z.array(z.object({ tag: z.string(), sealed: z.string() })),
})
export type OfflinePeople = z.output<typeof offlinePeople>

const newCheckIn = z
  .object({
    id: uuid('Check-in'),
    /** The class on the kiosk's screen. Students of another open class are marked there. */
    class_id: uuid('Class'),
    pin: pin.optional(),
    passes: z
      .array(pass, 'Please start again')
      .min(1, 'Please start again')
      .max(FAMILY_MAX, 'Please start again')
      .optional(),
    /** Of a check-in made offline, which has passes: the kiosk itself checked the PIN or code. */
    came_at: z.iso.datetime({ offset: true, error: 'Time is not valid' }).optional(),
  })
  .refine(({ pin: typedPin, passes }) => typedPin !== undefined || passes !== undefined, {
    message: 'PIN is required',
    path: ['pin'],
  })
  .refine(({ passes, came_at }) => passes !== undefined || came_at === undefined, {
    message: 'Please start again',
    path: ['passes'],
  })
export type NewCheckIn = z.output<typeof newCheckIn>

export const kioskApi = {
  show: {
    method: 'GET',
    path: '/kiosk',
    access: 'kiosk',
    summary: 'The dojo and its classes of today',
    reply: kioskState,
  },
  offline: {
    method: 'GET',
    path: '/kiosk/offline',
    access: 'kiosk',
    summary:
      'Whom the PINs and codes of today stand for, each readable with that PIN or code alone',
    reply: offlinePeople,
  },
  search: {
    method: 'POST',
    path: '/kiosk/search',
    access: 'kiosk',
    summary: `Find up to ${SEARCH_HITS} students by at least ${SEARCH_MIN} letters of a name`,
    body: z.object({
      text: z
        .string({ error: 'Name is required' })
        .overwrite(cleanText)
        .trim()
        .max(60, 'Name must be at most 60 characters')
        .refine(isSearchable, SEARCH_HINT),
    }),
    reply: searchHits,
  },
  code: {
    method: 'POST',
    path: '/kiosk/code',
    access: 'kiosk',
    summary: 'Whom the QR code of a student or a family stands for',
    body: z.object({ code: checkInCode, class_id: uuid('Class') }),
    reply: codePeople,
  },
  checkIn: {
    method: 'POST',
    path: '/kiosk/check-ins',
    access: 'kiosk',
    summary:
      'Mark those present who were identified, by PIN or by what a search or a code has answered',
    body: newCheckIn,
    reply: z.object({ greetings: z.array(greeting) }),
  },
  undo: {
    method: 'DELETE',
    path: '/kiosk/check-ins/:id',
    access: 'kiosk',
    summary: 'Undo a check-in of the last minutes',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
