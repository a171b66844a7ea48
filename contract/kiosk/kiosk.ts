import { z } from 'zod'
import { DAY_MINUTES, endMinutesOf, minutesOf } from '../classes/classes.ts'
import { cleanText } from '../lib/clean-text.ts'
import { missingRule } from '../belts/eligibility.ts'
import type { Api } from '../lib/endpoint.ts'
import { idParams, success, uuid } from '../lib/fields.ts'
import { pin } from './kiosks.ts'
import { BELTS, heldRank, shownRank } from '../lib/ranks.ts'
import { type ClassDate, type DojoMinute, minutesSince } from '../calendar/timetable.ts'

/** A kiosk offers a class so long before it begins, and until it ends. */
const OPENS_MINUTES_BEFORE = 30
/** A search for a name begins with so many letters, and finds so many students at most. */
const SEARCH_MIN = 2
export const SEARCH_HITS = 5
export const SEARCH_HINT = `Type at least ${SEARCH_MIN} letters`
/** Scripts in which a whole name may be one letter. */
const WHOLE_NAME = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Whether enough of a name is typed to search for it. */
export const isSearchable = (text: string): boolean =>
  WHOLE_NAME.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) >= SEARCH_MIN
/** How long a greeting stands, and with it the way to take the check-in back. */
export const GREETING_SECONDS = 10
/** For how many days a kiosk may send what was tapped without a network. */
export const LATE_DAYS = 7
/** How many people one code may stand for. */
const FAMILY_MAX = 30

/** What the QR code of a student, or of a family, says. Digits and the letters A to F stand in the same place on most keyboards, which a
 *  scanner is to the tablet. */
export const CHECK_IN_CODE = /^[0-9A-F]{48}$/
const checkInCode = z
  .string({ error: 'Code is required' })
  .max(48, 'This is no check-in code')
  .toUpperCase()
  .regex(CHECK_IN_CODE, 'This is no check-in code')

/** A student as a kiosk knows them: good at this kiosk, on one day. */
const pass = z
  .string({ error: 'Please start again' })
  .max(55, 'Please start again')
  .regex(/^[\w-]{55}$/, 'Please start again')

/** A class of today. `starts` and `ends` are minutes from its midnight, of an end on the next day more than a day has; null where an older record has words instead, or none. */
const kioskClass = z.object({
  id: z.uuid(),
  name: z.string(),
  time: z.string(),
  starts: z.number().nullable(),
  ends: z.number().nullable(),
})
export type KioskClass = z.output<typeof kioskClass>

/** The classes of a day, in the order of the dates: those that take place, neither cancelled nor moved away, and none on a holiday; or those that
 *  were cancelled. */
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

/**
 * The minute of the day of these classes. It goes on past midnight while a class does; null once, or
 * before, the day is another.
 */
export function kioskMinute(
  day: string,
  classes: readonly KioskClass[],
  dojoTime: DojoMinute,
): number | null {
  const minute = minutesSince(day, dojoTime)
  if (minute < DAY_MINUTES) return minute < 0 ? null : minute
  return classes.some(({ ends }) => ends !== null && ends > minute) ? minute : null
}

/** Whether a class takes check-ins at this minute of the day. */
export const isOpenAt = ({ starts, ends }: KioskClass, minute: number): boolean =>
  minute >= (starts ?? 0) - OPENS_MINUTES_BEFORE && minute < (ends ?? DAY_MINUTES)

/** The class that most come for at this minute: of those that are open the one that begins next to it, else the next of the day, else the
 *  last. Undefined on a day without classes. */
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
  /** The dojo's calendar date, of which the classes are. */
  today: z.string(),
  /** Whoever is found by name enters the PIN as well. */
  asks_pin: z.boolean(),
  classes: z.array(kioskClass),
  /** Those that would be today, for whoever has come all the same. */
  cancelled: z.array(kioskClass),
})
export type KioskState = z.output<typeof kioskState>

const hit = z.object({ pass: z.string(), name: z.string(), belt_level: z.enum(BELTS) })
export type KioskHit = z.output<typeof hit>
/** `has_more`: others match as well, and more letters are needed. */
const hits = z.object({ students: z.array(hit), has_more: z.boolean() })
export type KioskHits = z.output<typeof hits>

/** Of a code: everybody whom it stands for, and the class of today for which they come. */
const codePeople = z.object({
  people: z.array(
    z.object({
      pass: z.string(),
      name: z.string(),
      class_name: z.string(),
      class_time: z.string(),
      /** Enrolled in a class of today that is not over. */
      has_class: z.boolean(),
      /** Marked present in it already. */
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
  /** Present already, before this check-in. */
  was_here: z.boolean(),
  /** What was attended since the belt was given; null where that is not known. */
  progress: z
    .object({ classes: z.number(), rank: heldRank.nullable(), belt_level: z.enum(BELTS) })
    .nullable(),
  next: shownRank.nullable(),
  /** For the next rank, without what concerns fees. */
  missing: z.array(missingRule),
  /** Nothing at all is missing. */
  is_ready: z.boolean(),
  /** The next rank has no requirements. */
  instructor_decides: z.boolean(),
})
export type Greeting = z.output<typeof greeting>

/** How many students of today's classes a kiosk can know without a network. */
export const OFFLINE_MAX = 500
const offlinePerson = z.object({
  name: z.string(),
  pass: z.string(),
  class_name: z.string(),
  class_time: z.string(),
})
export type OfflinePerson = z.output<typeof offlinePerson>
/**
 * Whom PINs and codes stand for today. The key of an entry is PBKDF2-SHA256 of the PIN, with this salt and so many rounds, or SHA-256 of the code. `tag`
 * is HMAC-SHA256 of "tag" under it; `sealed` is, after a nonce of 12 bytes, the people as JSON in AES-256-GCM under HMAC-SHA256 of "seal".
 * All base64url.
 */
const offlinePeople = z.object({
  day: z.string(),
  salt: z.string(),
  rounds: z.number(),
  entries: z.array(z.object({ tag: z.string(), sealed: z.string() })),
})
export type OfflinePeople = z.output<typeof offlinePeople>

const newCheckIn = z
  .object({
    /** Made by the kiosk: the same check-in sent again is one. */
    id: uuid('Check-in'),
    /** The class that the kiosk shows; who is enrolled in another that is open is marked there. */
    class_id: uuid('Class'),
    pin: pin.optional(),
    passes: z
      .array(pass, 'Please start again')
      .min(1, 'Please start again')
      .max(FAMILY_MAX, 'Please start again')
      .optional(),
    /** When it was tapped, if there was no network then. The kiosk has found out itself whose PIN or code it was, and sends passes. */
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
    summary: `Students by the beginnings of their names, from ${SEARCH_MIN} letters on, ${SEARCH_HITS} at most`,
    body: z.object({
      text: z
        .string({ error: 'Name is required' })
        .overwrite(cleanText)
        .trim()
        .max(60, 'Name must be at most 60 characters')
        .refine(isSearchable, SEARCH_HINT),
    }),
    reply: hits,
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
    summary: 'Take a check-in of the last minutes back',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
