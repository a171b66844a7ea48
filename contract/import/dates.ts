import { addDays, dayFrom, yearOf } from '../lib/calendar-day.ts'
import { isCalendarDate } from '../lib/fields.ts'
import { normalizeText } from './values.ts'
import { regex } from './patterns.ts'

/** 3/12/2015 can be March 12 or December 3. */
export const DATE_ORDERS = ['month-first', 'day-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NUMERIC_DATE = /^(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*(\d{4}|\d{2})\.?$/
/** Excel counts days from here: 42064 is March 1, 2015. */
const EXCEL_EPOCH = '1899-12-30'

const TIME_OF_DAY = regex('i')`
  (?<=\d)[T\s]+(?<hours>\d{1,2}):(?<minutes>\d{2})(:(?<seconds>\d{2}))?(\.\d+)?\s*(?<meridiem>am
  |pm)?\s*((gmt|utc|[a-z]{1,4})?\s*([+-]\d\d:?\d\d)?)?(\s*\([^)]*\))?$`

const removeTime = (text: string) =>
  text
    .replace(TIME_OF_DAY, '')
    .replace(/(?<=\/)'(?=\d\d$)/, '')
    .trim()

/** Midnight does not count as a time of day, because software adds it to dates. */
export function hasTimeOfDay(text: string): boolean {
  const { hours, minutes, seconds, meridiem } = TIME_OF_DAY.exec(text)?.groups ?? {}
  if (hours === undefined) return false
  const isMidnight =
    meridiem?.toLowerCase() === 'am' ? Number(hours) % 12 === 0 : Number(hours) === 0
  return !isMidnight || Number(minutes) > 0 || Number(seconds ?? 0) > 0
}

/** A two-digit year is never in the future: 85 is 1985. */
function fullYear(year: string, today: string): number {
  if (year.length === 4) return Number(year)
  const yearThisCentury = Number(today.slice(0, 2)) * 100 + Number(year)
  return yearThisCentury <= yearOf(today) ? yearThisCentury : yearThisCentury - 100
}

const toDate = (year: number, month: number, day: number): string | null => {
  const date = dayFrom({ month: month - 1, year }, day)
  return isCalendarDate(date) ? date : null
}

export function parseDate(cell: string, order: DateOrder, today: string): string | null {
  const text = removeTime(cell)
  const [, isoYear, isoMonth, isoDay] =
    /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text) ??
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ??
    []
  if (isoYear) return toDate(Number(isoYear), Number(isoMonth), Number(isoDay))
  if (/^\d{4,5}(\.\d+)?$/.test(text)) return parseSerial(Math.floor(Number(text)))
  const [, first, second, year] = NUMERIC_DATE.exec(text) ?? []
  if (year) {
    const [month, day] = order === 'month-first' ? [first, second] : [second, first]
    return toDate(fullYear(year, today), Number(month), Number(day))
  }
  return parseDateInWords(text, today)
}

/** Smaller numbers are not read as Excel dates. */
const FIRST_SERIAL = 3000
const parseSerial = (serial: number) =>
  serial < FIRST_SERIAL ? null : addDays(EXCEL_EPOCH, serial)

function parseDateInWords(text: string, today: string): string | null {
  const words = normalizeText(text)
    .replaceAll(/(\d)(st|nd|rd|th)\b/g, '$1')
    .split(' ')
  const month = words
    .map((word) => (/^\p{L}{3,}$/u.test(word) ? MONTHS.indexOf(word.slice(0, 3)) : -1))
    .find((index) => index >= 0)
  const numbers = words.filter((word) => /^\d+$/.test(word))
  if (month === undefined || numbers.length !== 2) return null
  const [day = '', year = ''] = numbers[0]!.length === 4 ? numbers.toReversed() : numbers
  return /^(\d{2}|\d{4})$/.test(year) && day.length <= 2
    ? toDate(fullYear(year, today), month + 1, Number(day))
    : null
}

/** Dates such as 25/12 decide the order. Without any, the month comes first, except in dates with
 *  dots. */
export function guessDateOrder(cells: readonly string[]): { order: DateOrder; isCertain: boolean } {
  const pairs = cells.flatMap((cell) => {
    const text = removeTime(cell)
    const [, first, second] = NUMERIC_DATE.exec(text) ?? []
    return first
      ? [{ first: Number(first), second: Number(second), hasDots: text.includes('.') }]
      : []
  })
  const dayFirst = pairs.filter(({ first, second }) => first > 12 && second <= 12).length
  const monthFirst = pairs.filter(({ first, second }) => second > 12 && first <= 12).length
  if (dayFirst !== monthFirst)
    return { order: dayFirst > monthFirst ? 'day-first' : 'month-first', isCertain: true }
  const hasDots = pairs.length > 0 && pairs.every((pair) => pair.hasDots)
  return { order: hasDots ? 'day-first' : 'month-first', isCertain: pairs.length === 0 }
}

const OLDEST_AGE = 115

/** True for what software writes if a date is unknown: 1/1/1900, 00/00/0000, 12/31/9999. */
export function isPlaceholderDate(cell: string, today: string): boolean {
  const text = removeTime(cell)
  if (/^11[-/.]11[-/.]1911$|^1911[-/.]?11[-/.]?11$/.test(text)) return true
  if (/^[0\s/.-]*0[0\s/.-]*$/.test(text) || /^[12]$/.test(text)) return true
  // Excel shows its day 0 as Jan-00 if the cell shows months.
  if (/^\p{L}{3,9}[- ]0{1,2}$/u.test(text)) return true
  const year = /^(\d{4})(?=[-/.]|\d{4}$)/.exec(text)?.[1] ?? /[-/.\s](\d{4})\.?$/.exec(text)?.[1]
  return year !== undefined && (year === '9999' || Number(year) < yearOf(today) - OLDEST_AGE)
}

/** If several students have one of these birthdays, their software filled it in. */
const SOFTWARE_DEFAULT_DATES = [
  '1969-12-31',
  '1970-01-01',
  '1980-01-01',
  '1999-12-31',
  '2000-01-01',
]
const MIN_REPEATS_OF_DEFAULT = 3
/** A student born earlier is an adult, who rarely has a parent in the sheet. */
const EARLIEST_CHILD_BIRTH_YEAR = '1990'

export const isSoftwareDefaultDate = (date: string, count: number, hasGuardian: boolean): boolean =>
  SOFTWARE_DEFAULT_DATES.includes(date) &&
  (count >= MIN_REPEATS_OF_DEFAULT || (hasGuardian && date < EARLIEST_CHILD_BIRTH_YEAR))
