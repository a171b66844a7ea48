import { z } from 'zod'

/** Any Unicode but control characters; line breaks only where `multiline`. */
const PLAIN = /^\P{Cc}*$/u
const PLAIN_LINES = /^(\P{Cc}|[\n\r\t])*$/u
export const LETTERS_AND_SPACES = /^[\p{L}\p{M}\s]+$/u
const PHONE = /^(?=.*\d)[0-9+\-() ]+$/

const isAbsent = (value: unknown) => value === undefined || value === null || value === ''
const complaint = (label: string) => (issue: { input?: unknown }) =>
  isAbsent(issue.input) ? `${label} is required` : `${label} is not valid`

const written = (plain: RegExp, label: string, max: number, required = `${label} is required`) =>
  z
    .string({ error: complaint(label) })
    .trim()
    .min(1, required)
    .max(max, `${label} must be at most ${max} characters`)
    .regex(plain, `${label} must not contain control characters`)
    .refine((text) => text.isWellFormed(), `${label} is not valid`)

/** Trimmed text of one line that must say something. `required` replaces "{label} is required" where the specification has words of its own. */
export const line = (label: string, max = 200, required?: string) => written(PLAIN, label, max, required)

/** Trimmed text that may have line breaks. */
export const paragraph = (label: string, max = 2000, required?: string) => written(PLAIN_LINES, label, max, required)

/** Letters of any alphabet and spaces (specification, section 5). */
export const lettersAndSpaces = (label: string, max = 100) =>
  line(label, max).regex(LETTERS_AND_SPACES, `${label} may contain letters and spaces only`)

/** Digits, +, -, spaces, parentheses (specification, section 5). */
export const phone = (label: string) => line(label, 30).regex(PHONE, `${label} may contain digits, +, -, spaces and parentheses only`)

export const email = (label = 'Email') =>
  line(label, 254)
    .toLowerCase()
    .pipe(z.email({ error: `${label} must be a valid email address` }))

export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2199-12-31'
export const calendarDate = (label: string) =>
  z.iso
    .date({ error: (issue) => (isAbsent(issue.input) ? `${label} is required` : `${label} must be a date (YYYY-MM-DD)`) })
    .refine((date) => date >= FIRST_DAY && date <= LAST_DAY, `${label} must be between 1900 and 2199`)

const MONTH = 'Month must be 0 (January) to 11 (December)'
/** Of a calendar, counted from 0 as the specification has it. */
export const month = z.number(MONTH).int(MONTH).min(0, MONTH).max(11, MONTH)
export const FIRST_YEAR = 2000
export const LAST_YEAR = 2199
const YEAR = `Year must be between ${FIRST_YEAR} and ${LAST_YEAR}`
export const year = z.number(YEAR).int(YEAR).min(FIRST_YEAR, YEAR).max(LAST_YEAR, YEAR)

/** Whole and hundredth dollars, as a number. */
export const dollars = (label: string) =>
  z
    .number({ error: complaint(label) })
    .min(0, `${label} must be 0 or more`)
    .max(1_000_000, `${label} must be at most 1,000,000`)
    .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, `${label} must have at most two decimals`)

export const flag = (label: string) => z.boolean({ error: complaint(label) })

export const choice = <const T extends readonly [string, ...string[]]>(label: string, values: T) =>
  z.enum(values, { error: complaint(label) })

/** What may be left out: '' and null clear it, undefined leaves it as it is. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<S> | null, z.input<S> | '' | null>
  >

/** An id as it is sent, in small letters or capitals; taken as everyone writes it, since ids are compared as text, too. */
export const idOf = (label: string) => z.uuid({ error: `${label} is not valid` }).toLowerCase()

/** What has a value from the start: '', null and undefined all leave it as it is. */
export const unsetAsLeftOut = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional()).optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<S>, z.input<S> | '' | null>
  >

/** An id in a path; one that is no id at all is simply not there. */
export const idParams = z.object({ id: idOf('Id') })

const count = z.coerce
  .number({ error: 'Limit must be a number' })
  .int('Limit must be a whole number')
  .min(1, 'Limit must be 1 or more')
  .max(1000, 'Limit must be at most 1,000')
/** A page of a growing list, newest first; `before` is the id of the last one had, those older than it follow. */
export const pageQuery = z.object({
  limit: count.optional(),
  before: z.uuid({ error: 'Before must be the id of a record' }).toLowerCase().optional(),
})
export type Page = z.output<typeof pageQuery>
/** How many a growing list holds when no limit is asked for. */
export const PAGE = 200

export const done = z.object({ success: z.literal(true) })
export const doneWithMessage = done.extend({ message: z.string() })
