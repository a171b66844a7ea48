import type { ImportField } from './import-fields.ts'
import { DATE_ORDERS, type DateOrder, isPlaceholderDate, parseDate } from './dates.ts'
import type { FilledCell, RowReader } from './row-reader.ts'
import { isOtherRole } from './roles.ts'
import { parseBareStatus, parseStatus, type Status } from './status.ts'
import { fold, parseFlag } from './values.ts'
import { regex } from './patterns.ts'

type Presence = {
  is_trial: boolean
  on_vacation: boolean
  /** The words that say they left: "Cancel Date: 3/4/2020". */
  departure: string | null
  /** The words that say they are no student: "Type: Parent". */
  otherRole: string | null
  /** The row does not say whether they train, and in this sheet that is unclear. */
  isStatusBlank: boolean
}

export type PresenceReading = {
  order: DateOrder
  today: string
  statuses?: ReadonlyMap<string, Status> | undefined
  ticks?: ReadonlySet<number> | undefined
  unclearBlank?: BlankStatusField | null | undefined
}

export const statusKey = (text: string): string => text.toLowerCase()
export const BLANK_STATUS = ''

const FIELDS = ['status', 'is_active', 'has_left', 'left_on', 'left_reason'] as const
export const BLANK_STATUS_FIELDS = ['status', 'is_active', 'has_left'] as const
export type BlankStatusField = (typeof BLANK_STATUS_FIELDS)[number]

const YES_OR_NO = 'Please enter yes or no'
const HEADINGS: Partial<Record<ImportField, string>> = {
  status: 'Status',
  is_active: 'Active',
  has_left: 'Left',
  left_on: 'Left on',
  left_reason: 'Reason for leaving',
  member_type: 'Type',
  private_notes: 'Notes',
  classes: 'Class',
}

export type Statement = { status: Status; words: string }

/** `inName` comes from words beside the name. */
export function readPresence(
  reader: RowReader,
  reading: PresenceReading,
  inName: Statement | null = null,
): Presence {
  const statements = [
    ...(inName === null ? [] : [inName]),
    ...statementsIn(
      reader,
      'status',
      ({ text }) => statusIn(text, reading),
      (text) => `Choose what “${text}” means`,
    ),
    ...statementsIn(
      reader,
      'is_active',
      ({ text }) => activeIn(text, reading.today),
      () => YES_OR_NO,
    ),
    ...statementsIn(
      reader,
      'has_left',
      ({ text }) => leftIn(text, reading),
      () => YES_OR_NO,
    ),
    ...statementsIn(
      reader,
      'left_on',
      ({ text }) => leftOn(text, reading),
      () => 'We couldn’t read this date',
    ),
    ...reasonsIn(reader, reading),
    ...bareStatusesIn(reader, reading.today),
  ]
  const blank = reader.blankTick('is_active')
  const blankWords = blank === null ? null : `${blank || HEADINGS.is_active}: blank`
  const flag = (field: ImportField) => reader.understood(field, parseFlag, YES_OR_NO) ?? false
  const isOnTrial = flag('is_trial')
  const isOnVacation = flag('on_vacation')
  const isSilent = FIELDS.every((field) => reader.filled(field).length === 0)
  const { unclearBlank } = reading
  const isStatusBlank =
    !!unclearBlank && isSilent && inName === null && blank === null && !isOnTrial && !isOnVacation
  if (isStatusBlank) statements.push(...blankStatusIn(reader, unclearBlank, reading))
  const says = (status: Status) => statements.some((statement) => statement.status === status)
  return {
    is_trial: isOnTrial || says('trial'),
    on_vacation: isOnVacation || says('vacation'),
    departure: statements.find(({ status }) => status === 'left')?.words ?? blankWords,
    otherRole: otherRoleIn(reader),
    isStatusBlank,
  }
}

/** If the day of leaving is still to come, the reason only goes into the notes. */
function reasonsIn(reader: RowReader, reading: PresenceReading): Statement[] {
  const days = reader.filled('left_on')
  const isToCome =
    days.some(({ text }) => isDayToCome(text, reading)) &&
    days.every(({ text }) => leftOn(text, reading) === 'active')
  const reasons = reader.filled('left_reason')
  if (isToCome && reasons.length > 0) {
    for (const { heading, text } of [...days, ...reasons])
      reader.notes.push(`${heading || HEADINGS.left_reason}: ${text}`.slice(0, 200))
    return []
  }
  return statementsIn(
    reader,
    'left_reason',
    ({ text }) => (parseFlag(text) === false || /^active$/i.test(text) ? 'active' : 'left'),
    () => YES_OR_NO,
  )
}

/** Clear even in a note, where "retired" may be about work. */
const LEFT_IN_NOTE = regex()`
  \b(inactive|cancel+(ed|ation)|quit|left|deceased|died|passed away|archived|withdr(ew|awn)
  |dropped|terminated|no longer|not (active|training)|former)\b`

/** Statuses in other columns, if the cell says nothing else: "quit" in the notes. */
function bareStatusesIn(reader: RowReader, today: string): Statement[] {
  const statement = (field: ImportField, { heading, text }: FilledCell, status: Status) => ({
    status,
    words: `${heading || HEADINGS[field]}: ${text}`,
  })
  const types = reader.filled('member_type').flatMap((cell) => {
    const status = isOtherRole(cell.text) ? null : parseBareStatus(cell.text, today)
    return status === null ? [] : [statement('member_type', cell, status)]
  })
  const departures = (['classes', 'private_notes'] as const).flatMap((field) =>
    reader
      .filled(field)
      .filter(({ text }) => field === 'classes' || LEFT_IN_NOTE.test(fold(text)))
      .filter(({ text }) => parseBareStatus(text, today) === 'left')
      .map((cell) => statement(field, cell, 'left')),
  )
  return [...types, ...departures]
}

function otherRoleIn(reader: RowReader): string | null {
  const cell = reader.filled('member_type').find(({ text }) => isOtherRole(text))
  return cell ? `${cell.heading || HEADINGS.member_type}: ${cell.text}` : null
}

/** A problem until the instructor says what blanks mean. */
function blankStatusIn(
  { problems }: RowReader,
  field: BlankStatusField,
  { statuses }: PresenceReading,
): Statement[] {
  const status = statuses?.get(BLANK_STATUS)
  if (status) return [{ status, words: `${HEADINGS[field]}: blank` }]
  problems.push({ field, message: 'Choose what a blank status means' })
  return []
}

function statementsIn(
  { filled, problems }: RowReader,
  field: ImportField,
  statusOf: (cell: FilledCell) => Status | null,
  problem: (text: string) => string,
): Statement[] {
  return filled(field).flatMap((cell) => {
    const status = statusOf(cell)
    if (status === null) problems.push({ field, message: problem(cell.text) })
    const heading = cell.heading || HEADINGS[field]
    return status ? [{ status, words: `${heading}: ${cell.text}` }] : []
  })
}

const statusIn = (text: string, { statuses, today }: PresenceReading) =>
  statuses?.get(statusKey(text)) ?? parseStatus(text, today)

function activeIn(text: string, today: string): Status | null {
  const flag = parseFlag(text)
  if (flag === null) return parseStatus(text, today)
  return flag ? 'active' : 'left'
}

/** For a column such as Inactive or Canceled: yes, a date, or words. */
function leftIn(text: string, reading: PresenceReading): Status | null {
  if (/^(in)?active$/i.test(text)) return parseStatus(text, reading.today)
  const flag = parseFlag(text)
  if (flag === null) return leftOn(text, reading)
  return flag ? 'left' : 'active'
}

const NO_END = regex()`
  ^(ongoing|never|present|current|open|auto ?renew(s|al|ing)?|month to month|monthly|recurring
  |lifetime|indefinite|tbd)$`

function dayOf(text: string, { order, today }: PresenceReading): string | null {
  const otherOrder = DATE_ORDERS.find((dateOrder) => dateOrder !== order) ?? order
  return parseDate(text, order, today) ?? parseDate(text, otherOrder, today)
}

const isDayToCome = (text: string, reading: PresenceReading) =>
  (dayOf(text, reading) ?? '') > reading.today && !isPlaceholderDate(text, reading.today)

/** A future day is no departure yet. */
function leftOn(text: string, reading: PresenceReading): Status | null {
  const { today } = reading
  if (NO_END.test(fold(text)) || isPlaceholderDate(text, today)) return 'active'
  const date = dayOf(text, reading)
  if (date) return date <= today ? 'left' : 'active'
  // In a column of dates a yes is unclear.
  return parseFlag(text) === true && !/^active$/i.test(text) ? null : parseStatus(text, today)
}
