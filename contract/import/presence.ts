import type { ImportField } from './import-fields.ts'
import { DATE_ORDERS, type DateOrder, isPlaceholderDate, parseDate } from './dates.ts'
import { type FilledCell, quoteCell, type RowReader } from './row-reader.ts'
import { isOtherRole } from './roles.ts'
import { parseBareStatus, parseStatus, type Status } from './status.ts'
import { normalizeText, parseFlag } from './values.ts'
import { regex } from './patterns.ts'

export type Presence = {
  is_trial: boolean
  on_vacation: boolean
  /** Quotes the cell that says the student has left: "Cancel Date: 3/4/2020". */
  departure: string | null
  /** Quotes the cell that says this is not a student: "Type: Parent". */
  otherRole: string | null
  /** True if the row has no status, and it is unclear what a blank means in this sheet. */
  isStatusBlank: boolean
}

export type PresenceOptions = {
  order: DateOrder
  today: string
  statuses?: ReadonlyMap<string, Status> | undefined
  /** Columns in which a blank means no, because other rows have a check mark. */
  checkMarkColumns?: ReadonlySet<number> | undefined
  /** The field in which it is unclear what a blank means, so we ask. */
  unclearBlankField?: BlankStatusField | null | undefined
}

export const statusKey = (text: string): string => text.toLowerCase()
export const BLANK_STATUS = ''

const PRESENCE_FIELDS = ['status', 'is_active', 'has_left', 'left_on', 'left_reason'] as const
export const BLANK_STATUS_FIELDS = ['status', 'is_active', 'has_left'] as const
export type BlankStatusField = (typeof BLANK_STATUS_FIELDS)[number]

const YES_OR_NO = 'Please enter yes or no'
const LEFT_REASON_HEADING = 'Reason for leaving'
const DEFAULT_HEADINGS: Partial<Record<ImportField, string>> = {
  status: 'Status',
  is_active: 'Active',
  has_left: 'Left',
  left_on: 'Left on',
  left_reason: LEFT_REASON_HEADING,
  member_type: 'Type',
  private_notes: 'Notes',
  classes: 'Class',
}

export type StatusStatement = { status: Status; quote: string }

export function readPresence(
  reader: RowReader,
  options: PresenceOptions,
  nameStatement: StatusStatement | null = null,
): Presence {
  const statements = [
    ...(nameStatement === null ? [] : [nameStatement]),
    ...readStatements(
      reader,
      'status',
      ({ text }) => parseStatusCell(text, options),
      (text) => `Choose what “${text}” means`,
    ),
    ...readStatements(
      reader,
      'is_active',
      ({ text }) => parseActiveCell(text, options.today),
      () => YES_OR_NO,
    ),
    ...readStatements(
      reader,
      'has_left',
      ({ text }) => parseLeftCell(text, options),
      () => YES_OR_NO,
    ),
    ...readStatements(
      reader,
      'left_on',
      ({ text }) => parseLeavingDate(text, options),
      () => 'We couldn’t read this date',
    ),
    ...readLeavingReasons(reader, options),
    ...readBareStatuses(reader, options.today),
  ]
  const blankHeading = reader.blankCheckMark('is_active')
  const blankQuote =
    blankHeading === null ? null : `${blankHeading || DEFAULT_HEADINGS.is_active}: blank`
  const flag = (field: ImportField) => reader.parseCell(field, parseFlag, YES_OR_NO) ?? false
  const isOnTrial = flag('is_trial')
  const isOnVacation = flag('on_vacation')
  const saysNothing = PRESENCE_FIELDS.every((field) => reader.filledCells(field).length === 0)
  const { unclearBlankField } = options
  const isStatusBlank =
    !!unclearBlankField &&
    saysNothing &&
    nameStatement === null &&
    blankHeading === null &&
    !isOnTrial &&
    !isOnVacation
  if (isStatusBlank) statements.push(...readBlankStatus(reader, unclearBlankField, options))
  const hasStatus = (status: Status) => statements.some((statement) => statement.status === status)
  return {
    is_trial: isOnTrial || hasStatus('trial'),
    on_vacation: isOnVacation || hasStatus('vacation'),
    departure: statements.find(({ status }) => status === 'left')?.quote ?? blankQuote,
    otherRole: readOtherRole(reader),
    isStatusBlank,
  }
}

/** If the leaving date is in the future, the reason is only saved in the notes. */
function readLeavingReasons(reader: RowReader, options: PresenceOptions): StatusStatement[] {
  const days = reader.filledCells('left_on')
  const isInFuture =
    days.some(({ text }) => isFutureDay(text, options)) &&
    days.every(({ text }) => parseLeavingDate(text, options) === 'active')
  const reasons = reader.filledCells('left_reason')
  if (isInFuture && reasons.length > 0) {
    for (const { heading, text } of [...days, ...reasons])
      reader.notes.push(quoteCell(heading || LEFT_REASON_HEADING, text))
    return []
  }
  return readStatements(
    reader,
    'left_reason',
    ({ text }) => (parseFlag(text) === false || /^active$/i.test(text) ? 'active' : 'left'),
    () => YES_OR_NO,
  )
}

/** Words that mean leaving even in a note. "Retired" is not one, because it may be about work. */
const LEFT_IN_NOTE = regex()`
  \b(inactive|cancel+(ed|ation)|quit|left|deceased|died|passed away|archived|withdr(ew|awn)
  |dropped|terminated|no longer|not (active|training)|former)\b`

function readBareStatuses(reader: RowReader, today: string): StatusStatement[] {
  const statement = (field: ImportField, { heading, text }: FilledCell, status: Status) => ({
    status,
    quote: `${heading || DEFAULT_HEADINGS[field]}: ${text}`,
  })
  const types = reader.filledCells('member_type').flatMap((cell) => {
    const status = isOtherRole(cell.text) ? null : parseBareStatus(cell.text, today)
    return status === null ? [] : [statement('member_type', cell, status)]
  })
  const departures = (['classes', 'private_notes'] as const).flatMap((field) =>
    reader
      .filledCells(field)
      .filter(({ text }) => field === 'classes' || LEFT_IN_NOTE.test(normalizeText(text)))
      .filter(({ text }) => parseBareStatus(text, today) === 'left')
      .map((cell) => statement(field, cell, 'left')),
  )
  return [...types, ...departures]
}

function readOtherRole(reader: RowReader): string | null {
  const cell = reader.filledCells('member_type').find(({ text }) => isOtherRole(text))
  return cell ? `${cell.heading || DEFAULT_HEADINGS.member_type}: ${cell.text}` : null
}

function readBlankStatus(
  { problems }: RowReader,
  field: BlankStatusField,
  { statuses }: PresenceOptions,
): StatusStatement[] {
  const status = statuses?.get(BLANK_STATUS)
  if (status) return [{ status, quote: `${DEFAULT_HEADINGS[field]}: blank` }]
  problems.push({ field, message: 'Choose what a blank status means' })
  return []
}

function readStatements(
  { filledCells, problems }: RowReader,
  field: ImportField,
  statusOf: (cell: FilledCell) => Status | null,
  problem: (text: string) => string,
): StatusStatement[] {
  return filledCells(field).flatMap((cell) => {
    const status = statusOf(cell)
    if (status === null) problems.push({ field, message: problem(cell.text) })
    const heading = cell.heading || DEFAULT_HEADINGS[field]
    return status ? [{ status, quote: `${heading}: ${cell.text}` }] : []
  })
}

const parseStatusCell = (text: string, { statuses, today }: PresenceOptions) =>
  statuses?.get(statusKey(text)) ?? parseStatus(text, today)

function parseActiveCell(text: string, today: string): Status | null {
  const flag = parseFlag(text)
  if (flag === null) return parseStatus(text, today)
  return flag ? 'active' : 'left'
}

/** Reads a column such as Inactive or Canceled, which holds yes, a date, or a status. */
function parseLeftCell(text: string, options: PresenceOptions): Status | null {
  if (/^(in)?active$/i.test(text)) return parseStatus(text, options.today)
  const flag = parseFlag(text)
  if (flag === null) return parseLeavingDate(text, options)
  return flag ? 'left' : 'active'
}

const NO_END = regex()`
  ^(ongoing|never|present|current|open|auto ?renew(s|al|ing)?|month to month|monthly|recurring
  |lifetime|indefinite|tbd)$`

function parseDayInEitherOrder(text: string, { order, today }: PresenceOptions): string | null {
  const otherOrder = DATE_ORDERS.find((dateOrder) => dateOrder !== order) ?? order
  return parseDate(text, order, today) ?? parseDate(text, otherOrder, today)
}

const isFutureDay = (text: string, options: PresenceOptions) =>
  (parseDayInEitherOrder(text, options) ?? '') > options.today &&
  !isPlaceholderDate(text, options.today)

/** A student whose leaving date is in the future is still active. */
function parseLeavingDate(text: string, options: PresenceOptions): Status | null {
  const { today } = options
  if (NO_END.test(normalizeText(text)) || isPlaceholderDate(text, today)) return 'active'
  const date = parseDayInEitherOrder(text, options)
  if (date) return date <= today ? 'left' : 'active'
  // A yes in a column of dates is unclear.
  return parseFlag(text) === true && !/^active$/i.test(text) ? null : parseStatus(text, today)
}
