import { z } from 'zod'
import { DAY_MINUTES, findEndMinutes, parseMinutes } from '../classes/classes.ts'
import { cleanText } from '../lib/clean-text.ts'
import { missingRule } from '../belts/eligibility.ts'
import type { Api } from '../lib/endpoint.ts'
import { flag, idParams, success, uuid } from '../lib/fields.ts'
import { dojoBranding, studentPhoto } from '../pictures/pictures.ts'
import { pin } from './kiosks.ts'
import { BELTS, heldRank, shownRank } from '../lib/ranks.ts'
import { type ClassDate, type DojoTime, minutesSince } from '../calendar/timetable.ts'

/** Check-in for a class opens this long before it starts, and closes when it ends. */
const OPENS_MINUTES_BEFORE = 30
const MIN_SEARCH_LETTERS = 2
export const MAX_SEARCH_HITS = 5
export const SEARCH_HINT = `Type at least ${MIN_SEARCH_LETTERS} letters`
/** Chinese, Japanese and Korean characters. One of them can be a whole name. */
const ONE_LETTER_NAME_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
export const isSearchable = (text: string): boolean =>
  ONE_LETTER_NAME_SCRIPTS.test(text) || (text.match(/\p{L}/gu)?.length ?? 0) >= MIN_SEARCH_LETTERS
export const GREETING_SECONDS = 10
/** An offline check-in that reaches the server later than this does not count. */
export const MAX_LATE_DAYS = 7
/** More than enough for the students of one family */
const MAX_PASSES = 30

/** 24 bytes. Scanners type like keyboards, and most layouts agree on hexadecimal digits. */
export const CHECK_IN_CODE = /^[0-9A-F]{48}$/
export const checkInCode = z
  .string({ error: 'Code is required' })
  .max(48, 'This is not a check-in code')
  .toUpperCase()
  .regex(CHECK_IN_CODE, 'This is not a check-in code')

/** A student's id of 32 digits, one letter and a signature (server/kiosk/passes.ts). */
const pass = z
  .string({ error: 'Please start again' })
  .max(55, 'Please start again')
  .regex(/^[\w-]{55}$/, 'Please start again')

const kioskClass = z.object({
  id: z.uuid(),
  name: z.string(),
  time: z.string(),
  /** Minutes since midnight, like `ends` */
  starts: z.number().nullable(),
  ends: z.number().nullable(),
})
export type KioskClass = z.output<typeof kioskClass>

export const classesOfDay = (
  dates: readonly ClassDate[],
  classStatus: 'on' | 'cancelled',
): KioskClass[] =>
  dates
    .filter(({ status }) => status === classStatus)
    .map(({ class_id, class_name, time, start_time, end_time }) => ({
      id: class_id,
      name: class_name,
      time,
      starts: parseMinutes(start_time),
      ends: findEndMinutes(parseMinutes(start_time), parseMinutes(end_time)),
    }))

/** Minutes since midnight of `day`. Returns null on any other day, unless a class of `day` is not
 *  over. */
export function findKioskMinute(
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

export const hasEnded = ({ ends }: KioskClass, minute: number): boolean =>
  ends !== null && minute >= ends

/** The open class whose start is closest to now. If none is open, the next class. */
export function currentClass(
  classes: readonly KioskClass[],
  minute: number,
): KioskClass | undefined {
  const minutesFromStart = ({ starts }: KioskClass) =>
    starts === null ? Infinity : Math.abs(starts - minute)
  const [closestOpenClass] = classes
    .filter((dayClass) => isOpenAt(dayClass, minute))
    .toSorted((a, b) => minutesFromStart(a) - minutesFromStart(b))
  const nextClass = classes.find(({ starts }) => starts !== null && starts > minute)
  return closestOpenClass ?? nextClass
}

const kioskState = z.object({
  kiosk_name: z.string(),
  dojo_name: z.string(),
  ...dojoBranding,
  time_zone: z.string(),
  today: z.string(),
  /** Students who are found by name must also enter their PIN. */
  asks_pin: z.boolean(),
  classes: z.array(kioskClass),
  cancelled: z.array(kioskClass),
})
export type KioskState = z.output<typeof kioskState>

const searchHit = z.object({ pass: z.string(), name: z.string(), belt_level: z.enum(BELTS) })
export type SearchHit = z.output<typeof searchHit>
const searchHits = z.object({ students: z.array(searchHit), has_more: z.boolean() })
export type SearchHits = z.output<typeof searchHits>

const codePeople = z.object({
  people: z.array(
    z.object({
      pass: z.string(),
      name: z.string(),
      class_name: z.string(),
      class_time: z.string(),
      /** False if the student has no class today. The names are then of the class on the screen. */
      has_class: z.boolean(),
      /** The student is already marked present. */
      is_here: z.boolean(),
    }),
  ),
})
export type CodePeople = z.output<typeof codePeople>

const greeting = z.object({
  first_name: z.string(),
  ...studentPhoto,
  class_name: z.string(),
  class_time: z.string(),
  is_birthday: z.boolean(),
  /** The student was already marked present before this check-in. */
  was_here: z.boolean(),
  /** What remains of the student's plan, such as "3 visits left" */
  entry_words: z.string().nullable(),
  /** What the student still has to sign, and a QR code for the parent’s phone, as an image. */
  papers: z.object({ names: z.array(z.string()), qr: z.string() }).nullable(),
  /** True if the school requires a plan or a signature that is missing. The student was not
   *  marked. */
  sees_instructor: z.boolean(),
  /** How many classes the student came to since the last belt. Null if that is not known. */
  progress: z
    .object({ classes: z.number(), rank: heldRank.nullable(), belt_level: z.enum(BELTS) })
    .nullable(),
  /** The student's next rank */
  next: shownRank.nullable(),
  /** Unmet requirements of the next rank, without the fee: others can read the kiosk's screen. */
  missing: z.array(missingRule),
  /** From 0 to 1: how much of the next rank's requirements, apart from the fee, is met */
  completion: z.number().nullable(),
  is_ready: z.boolean(),
  /** The next rank has no requirements. */
  instructor_decides: z.boolean(),
})
export type Greeting = z.output<typeof greeting>

export const MAX_OFFLINE_STUDENTS = 500
const offlinePerson = z.object({
  name: z.string(),
  pass: z.string(),
  class_name: z.string(),
  class_time: z.string(),
  /** As in a greeting, when the kiosk last had a network. */
  entry_words: z.string().nullable(),
})
export type OfflinePerson = z.output<typeof offlinePerson>

/**
 * The people who can check in offline today. Each entry is encrypted with a key that is derived
 * from a PIN or check-in code: PBKDF2-SHA256 of the PIN with this salt and number of rounds, or
 * SHA-256 of the code.
 * - `tag` says which entry a key opens. It is the HMAC-SHA256 of "tag" with the key.
 * - `sealed` is a nonce of 12 bytes, followed by the people as JSON, encrypted by AES-256-GCM with
 *   the HMAC-SHA256 of "seal" with the key.
 * All bytes are written in base64url.
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
    id: uuid('Check-in'),
    /** The class on the kiosk's screen. Students of another class are marked present in theirs. */
    class_id: uuid('Class'),
    pin: pin.optional(),
    passes: z
      .array(pass, 'Please start again')
      .min(1, 'Please start again')
      .max(MAX_PASSES, 'Please start again')
      .optional(),
    /** Set if the check-in was made offline. It then needs passes, which the kiosk had stored. */
    came_at: z.iso.datetime({ offset: true, error: 'Time is not valid' }).optional(),
    /** If true, students who have no more classes today are refused, so that the kiosk can ask them
     *  whether to join the class on its screen. The error names this field. */
    asks_first: flag('Asks first').optional(),
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
    summary: 'The dojo and today’s classes',
    reply: kioskState,
  },
  offline: {
    method: 'GET',
    path: '/kiosk/offline',
    access: 'kiosk',
    summary: 'The people who can check in offline today, each encrypted with their PIN or code',
    reply: offlinePeople,
  },
  search: {
    method: 'POST',
    path: '/kiosk/search',
    access: 'kiosk',
    summary:
      `Find up to ${MAX_SEARCH_HITS} students by at least ${MIN_SEARCH_LETTERS} letters of ` +
      'their name',
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
    summary: "The students who can check in with a student's or guardian's QR code",
    body: z.object({ code: checkInCode, class_id: uuid('Class') }),
    reply: codePeople,
  },
  checkIn: {
    method: 'POST',
    path: '/kiosk/check-ins',
    access: 'kiosk',
    summary:
      'Mark students present by their PIN, or by the passes that a search or a code returned',
    body: newCheckIn,
    reply: z.object({ greetings: z.array(greeting) }),
  },
  undo: {
    method: 'DELETE',
    path: '/kiosk/check-ins/:id',
    access: 'kiosk',
    summary: 'Undo a check-in within two minutes',
    params: idParams,
    reply: success,
  },
} as const satisfies Api
