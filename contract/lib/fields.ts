import { toCents, toDollars } from './money.ts'
import { isDay } from './calendar-day.ts'
import { z } from 'zod'
import { cleanContactText, cleanName, cleanText } from './clean-text.ts'
import { hasInvisibleCharacters, isName } from './names.ts'

const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u
const NO_CONTROL_CHARACTERS_BUT_LINE_BREAKS = /^(\P{Cc}|[\n\r\t])*$/u
export const LETTERS_AND_SPACES = /^[\p{L}\p{M}\s]+$/u
const PHONE_CHARACTERS = /^(?=.*\d)[0-9+\-() ]+$/

const isMissing = (value: unknown) => value === undefined || value === null || value === ''
const requiredOrInvalid = (label: string) => (issue: { input?: unknown }) =>
  isMissing(issue.input) ? `${label} is required` : `${label} is not valid`

const textField = (
  allowedCharacters: RegExp,
  label: string,
  max: number,
  requiredMessage = `${label} is required`,
  clean = cleanText,
) =>
  z
    .string({ error: requiredOrInvalid(label) })
    .overwrite(clean)
    .trim()
    .min(1, requiredMessage)
    .max(max, `${label} must be at most ${max} characters`)
    .regex(allowedCharacters, `${label} must not contain control characters`)
    .refine((text) => text.isWellFormed(), `${label} is not valid`)

export const singleLineText = (label: string, max = 200, requiredMessage?: string) =>
  textField(NO_CONTROL_CHARACTERS, label, max, requiredMessage)

export const multiLineText = (label: string, max = 2000, requiredMessage?: string) =>
  textField(NO_CONTROL_CHARACTERS_BUT_LINE_BREAKS, label, max, requiredMessage)

const nameText = (label: string, max: number) =>
  textField(NO_CONTROL_CHARACTERS, label, max, undefined, cleanName)

/** Letters and spaces (specification, section 5), and the punctuation of names (names.ts). */
export const properName = (label: string, max = 100) =>
  nameText(label, max).refine(isName, `${label} may contain letters and spaces only`)

export const unrestrictedName = (label: string, max = 100) =>
  nameText(label, max).refine(
    (name) => !hasInvisibleCharacters(name),
    `${label} must not contain invisible characters`,
  )

const contactText = (label: string, max: number) =>
  textField(NO_CONTROL_CHARACTERS, label, max, undefined, cleanContactText)

/** Digits, +, -, spaces, parentheses (specification, section 5). */
export const phone = (label: string) =>
  contactText(label, 30).regex(
    PHONE_CHARACTERS,
    `${label} may contain digits, +, -, spaces and parentheses only`,
  )

export const email = (label = 'Email') =>
  contactText(label, 254)
    .toLowerCase()
    .pipe(z.email({ error: `${label} must be a valid email address` }))

export const MIN_DATE = '1900-01-01'
export const MAX_DATE = '2199-12-31'
export const isCalendarDate = (text: string): boolean =>
  isDay(text) && text >= MIN_DATE && text <= MAX_DATE

export const calendarDate = (label: string) =>
  z.iso
    .date({
      error: (issue) =>
        isMissing(issue.input) ? `${label} is required` : `${label} must be a date (YYYY-MM-DD)`,
    })
    .refine(
      (date) => date >= MIN_DATE && date <= MAX_DATE,
      `${label} must be between 1900 and 2199`,
    )

const MONTH_RULE = 'Month must be 0 (January) to 11 (December)'
/** Zero-based: 0 is January. */
export const month = z.number(MONTH_RULE).int(MONTH_RULE).min(0, MONTH_RULE).max(11, MONTH_RULE)
export const MIN_YEAR = 2000
export const MAX_YEAR = 2199
const YEAR_RANGE = `Year must be between ${MIN_YEAR} and ${MAX_YEAR}`
export const year = z
  .number(YEAR_RANGE)
  .int(YEAR_RANGE)
  .min(MIN_YEAR, YEAR_RANGE)
  .max(MAX_YEAR, YEAR_RANGE)

const MAX_AMOUNT = 1_000_000
const MAX_SUM = 1_000_000_000_000

/** Tolerates rounding errors of floating-point numbers. */
const hasTwoDecimals = (amount: number) =>
  Math.abs(amount - toDollars(toCents(amount))) < Math.max(1e-8, amount * 1e-15)

const dollarsUpTo = (max: number, label: string) =>
  z
    .number({ error: requiredOrInvalid(label) })
    .min(0, `${label} must be 0 or more`)
    .max(max, `${label} must be at most ${max.toLocaleString('en-US')}`)
    .refine(hasTwoDecimals, `${label} must have at most two decimal places`)

export const dollars = (label: string) => dollarsUpTo(MAX_AMOUNT, label)
/** Like `dollars`, for totals of many amounts. */
export const totalInDollars = (label: string) => dollarsUpTo(MAX_SUM, label)

export const flag = (label: string) => z.boolean({ error: requiredOrInvalid(label) })

export const oneOf = <const Values extends readonly [string, ...string[]]>(
  label: string,
  values: Values,
) => z.enum(values, { error: requiredOrInvalid(label) })

const isBlank = (value: unknown) => typeof value === 'string' && cleanText(value).trim() === ''

export const clearable = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value) => (isBlank(value) ? null : value), schema.nullable())
    .optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<Schema> | null, z.input<Schema> | '' | null>
  >

export const emptyAsNull = (schema: z.ZodType<string>) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()) as unknown as z.ZodType<
    string | null,
    string | null
  >

/** Ids are in lower case, because they are also compared as text. */
export const uuid = (label: string) => z.uuid({ error: `${label} is not valid` }).toLowerCase()

export const emptyAsUndefined = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())
    .optional() as unknown as z.ZodOptional<
    z.ZodType<z.output<Schema>, z.input<Schema> | '' | null>
  >

export const searchText = (label = 'Search') =>
  z
    .preprocess(
      (value) => (isBlank(value) ? undefined : value),
      singleLineText(label, 100).optional(),
    )
    .optional() as unknown as z.ZodOptional<z.ZodType<string, string>>

export const idParams = z.object({ id: uuid('Id') })

const pageLimit = z.coerce
  .number({ error: 'Limit must be a number' })
  .int('Limit must be a whole number')
  .min(1, 'Limit must be 1 or more')
  .max(1000, 'Limit must be at most 1,000')
/** Newest first. `before` is the id of the last record that the caller already has. */
export const pageQuery = z.object({
  limit: pageLimit.optional(),
  before: z.uuid({ error: 'Before must be the id of a record' }).toLowerCase().optional(),
})
export type Page = z.output<typeof pageQuery>
export const DEFAULT_PAGE_SIZE = 200

export const success = z.object({ success: z.literal(true) })
export const successWithMessage = success.extend({ message: z.string() })
