import { addDays, dayFrom, yearOf } from '../lib/calendar-day.ts'
import { isCalendarDate } from '../lib/fields.ts'
import { fold } from './values.ts'
import { regex } from './patterns.ts'

/** 3/12/2015 is March 12 or December 3. */
export const DATE_ORDERS = ['month-first', 'day-first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TWO_NUMBERS = /^(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*(\d{4}|\d{2})\.?$/
/** Excel counts days from here: 42064 is March 1, 2015. */
const EXCEL_EPOCH = '1899-12-30'

const TIME_OF_DAY = regex('i')`
  (?<=\d)[T\s]+(?<hours>\d{1,2}):(?<minutes>\d{2})(:(?<seconds>\d{2}))?(\.\d+)?\s*(?<half>am
  |pm)?\s*((gmt|utc|[a-z]{1,4})?\s*([+-]\d\d:?\d\d)?)?(\s*\([^)]*\))?$`

const withoutTime = (text: string) =>
  text
    .replace(TIME_OF_DAY, '')
    .replace(/(?<=\/)'(?=\d\d$)/, '')
    .trim()

/** A moment rather than a day. Midnight does not count: software writes days so. */
export function hasTimeOfDay(text: string): boolean {
  const { hours, minutes, seconds, half } = TIME_OF_DAY.exec(text)?.groups ?? {}
  if (hours === undefined) return false
  const isMidnight = half?.toLowerCase() === 'am' ? Number(hours) % 12 === 0 : Number(hours) === 0
  return !isMidnight || Number(minutes) > 0 || Number(seconds ?? 0) > 0
}

/** Two digits are a past year: 85 is 1985. */
function fullYear(year: string, today: string): number {
  if (year.length === 4) return Number(year)
  const inThisCentury = Number(today.slice(0, 2)) * 100 + Number(year)
  return inThisCentury <= yearOf(today) ? inThisCentury : inThisCentury - 100
}

const dateOf = (year: number, month: number, day: number): string | null => {
  const date = dayFrom({ month: month - 1, year }, day)
  return isCalendarDate(date) ? date : null
}

/** Reads a date in any common writing, also as a serial number of Excel. Null if it is none. */
export function parseDate(cell: string, order: DateOrder, today: string): string | null {
  const text = withoutTime(cell)
  const [, y, m, d] =
    /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text) ??
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ??
    []
  if (y) return dateOf(Number(y), Number(m), Number(d))
  if (/^\d{4,5}(\.\d+)?$/.test(text)) return dateOfSerial(Math.floor(Number(text)))
  const [, first, second, year] = TWO_NUMBERS.exec(text) ?? []
  if (year) {
    const [month, day] = order === 'month-first' ? [first, second] : [second, first]
    return dateOf(fullYear(year, today), Number(month), Number(day))
  }
  return dateInWords(text, today)
}

const FIRST_SERIAL = 3000
const dateOfSerial = (serial: number) =>
  serial < FIRST_SERIAL ? null : addDays(EXCEL_EPOCH, serial)

function dateInWords(text: string, today: string): string | null {
  const words = fold(text)
    .replaceAll(/(\d)(st|nd|rd|th)\b/g, '$1')
    .split(' ')
  const month = words
    .map((word) => (/^\p{L}{3,}$/u.test(word) ? MONTHS.indexOf(word.slice(0, 3)) : -1))
    .find((index) => index >= 0)
  const numbers = words.filter((word) => /^\d+$/.test(word))
  if (month === undefined || numbers.length !== 2) return null
  const [day = '', year = ''] = numbers[0]!.length === 4 ? numbers.toReversed() : numbers
  return /^(\d{2}|\d{4})$/.test(year) && day.length <= 2
    ? dateOf(fullYear(year, today), month + 1, Number(day))
    : null
}

/**
 * The order of a whole column: one 25/12 decides for all. Otherwise dates with dots have the day
 * first, and others the month, as in the United States.
 */
export function guessDateOrder(cells: readonly string[]): { order: DateOrder; isCertain: boolean } {
  const pairs = cells.flatMap((cell) => {
    const text = withoutTime(cell)
    const [, first, second] = TWO_NUMBERS.exec(text) ?? []
    return first ? [{ one: Number(first), other: Number(second), hasDots: text.includes('.') }] : []
  })
  const dayFirst = pairs.filter(({ one, other }) => one > 12 && other <= 12).length
  const monthFirst = pairs.filter(({ one, other }) => other > 12 && one <= 12).length
  if (dayFirst !== monthFirst)
    return { order: dayFirst > monthFirst ? 'day-first' : 'month-first', isCertain: true }
  const hasDots = pairs.length > 0 && pairs.every((pair) => pair.hasDots)
  return { order: hasDots ? 'day-first' : 'month-first', isCertain: pairs.length === 0 }
}

const OLDEST_AGE = 115

/** What software writes for an unknown date: 1/1/1900, 01/01/0001, 00/00/0000, 12/31/9999. */
export function isPlaceholderDate(cell: string, today: string): boolean {
  const text = withoutTime(cell)
  if (/^11[-/.]11[-/.]1911$|^1911[-/.]?11[-/.]?11$/.test(text)) return true
  if (/^[0\s/.-]*0[0\s/.-]*$/.test(text) || /^[12]$/.test(text)) return true
  // Excel's day 0 where it shows the month: Jan-00.
  if (/^\p{L}{3,9}[- ]0{1,2}$/u.test(text)) return true
  const year = /^(\d{4})(?=[-/.]|\d{4}$)/.exec(text)?.[1] ?? /[-/.\s](\d{4})\.?$/.exec(text)?.[1]
  return year !== undefined && (year === '9999' || Number(year) < yearOf(today) - OLDEST_AGE)
}

/** Computers count from these days. More than a few birthdays on one are no birthdays. */
const COMPUTER_DAYS = ['1969-12-31', '1970-01-01', '1980-01-01', '1999-12-31', '2000-01-01']
const MANY_BORN_THAT_DAY = 3
/** Somebody born before has no parent in a list of students. */
const BEFORE_CHILDREN = '1990'

export const isComputerDay = (date: string, count: number, hasGuardian: boolean): boolean =>
  COMPUTER_DAYS.includes(date) &&
  (count >= MANY_BORN_THAT_DAY || (hasGuardian && date < BEFORE_CHILDREN))
