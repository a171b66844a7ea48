import { yearOf } from '../lib/calendar-day.ts'
import type { ImportField } from './import-fields.ts'
import { hasTimeOfDay, parseDate } from './dates.ts'
import { parseAmount } from './amounts.ts'
import { cellText, isBlankValue, parseBelt, parseGender } from './values.ts'

/** How many values we look at to recognize a column. */
export const SAMPLE_SIZE = 60
const RECOGNIZED_SHARE = 0.7
const EMAIL = /^\S+@\S+\.\S+$/
const EARLIEST_BIRTH = '1920-01-01'

/** A remark in brackets or after a dash: "(inactive)", "- quit". */
const ASIDE = /\([^)]*\)|\s[-–—]\s.*$/g
const isFullName = (text: string) =>
  /^\p{L}[\p{L}\p{M}'’.-]*,? \p{L}[\p{L}\p{M}'’. -]*$/u.test(text)

const FIELD_TESTS: [field: ImportField, test: (text: string, today: string) => boolean][] = [
  ['email', (text) => EMAIL.test(text)],
  ['date_of_birth', (text, today) => isBirthday(text, today)],
  ['phone_number', (text) => isPhone(text)],
  ['gender', (text) => parseGender(text) !== null],
  ['belt_level', (text) => parseBelt(text) !== null],
  [
    'monthly_payment_amount',
    (text) => /[$€£]|[.,]\d{2}$/.test(text) && !Number.isNaN(parseAmount(text)),
  ],
  ['name', (text) => isFullName(text.replaceAll(ASIDE, ' ').trim())],
]

/** At least 7 digits, in the form of a phone number and not of a date. */
export const isPhone = (text: string) =>
  !/^\d{4}-\d{1,2}-\d{1,2}/.test(text) &&
  !/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/.test(text) &&
  /^[+\d][\d\s().+/-]{6,18}$|^\(\d{3}\)[\d\s.-]{7,9}$/.test(text) &&
  text.replaceAll(/\D/g, '').length >= 7

/** Students are at least two years old. A later date more likely belongs to a form or a payment. */
const isOldEnough = (date: string, today: string) => yearOf(date) <= yearOf(today) - 2

/** Excel's number for a day in August 1924. A smaller number is more likely an amount. */
const FIRST_BIRTHDAY_SERIAL = 9000

const isBirthday = (text: string, today: string) => {
  if (/^\d{1,5}$/.test(text) && Number(text) < FIRST_BIRTHDAY_SERIAL) return false
  if (hasTimeOfDay(text)) return false
  const dates = [parseDate(text, 'month-first', today), parseDate(text, 'day-first', today)]
  return dates.some((date) => date !== null && date >= EARLIEST_BIRTH && isOldEnough(date, today))
}

export function guessFieldByValues(
  values: readonly string[],
  today: string,
  takenFields: ReadonlySet<string>,
): ImportField | null {
  const texts = values
    .map(cellText)
    .filter((text) => !isBlankValue(text))
    .slice(0, SAMPLE_SIZE)
  if (texts.length === 0) return null
  const fieldTest = FIELD_TESTS.find(
    ([field, test]) =>
      !takenFields.has(field) &&
      texts.filter((text) => test(text, today)).length >= texts.length * RECOGNIZED_SHARE,
  )
  return fieldTest?.[0] ?? null
}

export const mostTextsMatch = (texts: readonly string[], test: (text: string) => boolean) =>
  texts.filter(test).length >= texts.length * RECOGNIZED_SHARE
