import { dollars, email, properName, multiLineText, phone, singleLineText } from '../lib/fields.ts'
import type { Relation } from '../guardians/guardians.ts'
import { type BeltCell, type BeltLookup, type BeltMeaning, readBelt } from './belts.ts'
import { type BalanceMeaning, type ImportedHistory, readHistory } from './history.ts'
import type { ImportField } from './import-fields.ts'
import { type DecimalMarks, describeUnclearAmount, readAmountText } from './amounts.ts'
import { readEmail } from './emails.ts'
import { quoteExampleRow } from './hints.ts'
import { readEmergencyContact, readGuardians, type ImportedGuardian } from './guardians.ts'
import { isPlaceholderDate, parseDate } from './dates.ts'
import { readLeavingDay, readLeavingReason } from './leaving-days.ts'
import { findOptOut } from './opt-outs.ts'
import { type Presence, type PresenceOptions, readPresence } from './presence.ts'
import { type OptOut, type PhoneField, type PhoneReader, phoneReader } from './row-phones.ts'
import { parseBareStatus } from './status.ts'
import { holdsTwoPeople, TWO_PEOPLE } from './two-people.ts'
import { type CellRemark, type RowReader, rowReader } from './row-reader.ts'
import {
  cellLines,
  normalizeText,
  parseClasses,
  parseGender,
  cleanStudentName,
  removeInvisible,
} from './values.ts'
import { readStudentName, type StudentNameCells } from './student-names.ts'

export type { ImportedGuardian } from './guardians.ts'
export type { CellRemark } from './row-reader.ts'

export type ImportedPerson = ImportedHistory &
  BeltMeaning & {
    name: string
    email: string | null
    phone_number: string | null
    date_of_birth: string | null
    gender: ReturnType<typeof parseGender>
    emergency_contact_name: string | null
    emergency_contact_phone: string | null
    emergency_relation: Relation | null
    classes: string[]
    /** The plan as written. */
    membership: string | null
    monthly_payment_amount: number | null
    payment_method: string | null
    is_trial: boolean
    on_vacation: boolean
    allergies: string | null
    medical_note: string | null
    private_notes: string | null
    guardians: ImportedGuardian[]
  }

export type ReadRow = {
  person: ImportedPerson
  /** The belt as written, without stripes. */
  belt: string | null
  /** The whole cell. */
  beltText: string | null
  problems: CellRemark[]
  notices: CellRemark[]
  /** Quotes the cell that says the student has left. */
  departure: string | null
  leftOn: string | null
  leftReason: string | null
  /** Quotes the cell that says this is not a student. */
  otherRole: string | null
  /** Phones as typed that must get no texts, each with a quote of the reason. */
  optOuts: OptOut[]
  /** Quotes the cell that opts out every phone of the row. */
  rowOptOut: string | null
  isStatusBlank: boolean
  phones: ReadonlyMap<PhoneField, string>
}

const MAX_CLASSES = 20

/** Built once, because a sheet has thousands of cells. */
const FIELD_RULES = {
  name: properName('Name'),
  email: email(),
  phone_number: phone('Phone number'),
  emergency_contact_name: properName('Emergency contact name'),
  emergency_contact_phone: phone('Emergency contact phone'),
  membership_plan: singleLineText('Membership', 200),
  monthly_payment_amount: dollars('Monthly payment amount'),
  payment_method: singleLineText('Payment method', 100),
  allergies: multiLineText('Allergies', 500),
  medical_note: multiLineText('Medical note', 2000),
  private_notes: multiLineText('Private notes', 5000),
}

type RowOptions = PresenceOptions & {
  headings?: readonly string[] | undefined
  findBelt?: BeltLookup | undefined
  balanceMeaning?: BalanceMeaning | null | undefined
  decimalMarks?: DecimalMarks | undefined
}
const PLACEHOLDER_BIRTHDAY =
  /^(tbd|tba|tbc|pending|later|to come|missing|(not|none) (given|provided|known)|blank|empty)\W*$/i
const DATE_EXAMPLES = { 'month-first': 'month/day/year', 'day-first': 'day/month/year' }

/** Reports cells that it cannot read as problems or notices. */
export function readRow(
  columns: readonly ImportField[],
  cells: readonly string[],
  options: RowOptions,
): ReadRow {
  const headings = options.headings ?? []
  const reader = rowReader(columns, cells, headings, options.checkMarkColumns)
  const phones = phoneReader(reader)
  const nameCells = readStudentName(reader, options.today)
  const name = requireOneName(reader, nameCells)
  const presence = readPresence(reader, options, nameCells.statement)
  const nameOfRow = { ...nameCells, name }
  const { belt, beltText, ...person } = readPerson(reader, phones, nameOfRow, presence, options)
  return {
    person,
    belt,
    beltText,
    problems: reader.problems,
    notices: reader.notices,
    departure: presence.departure,
    leftOn: readLeavingDay(reader, options),
    leftReason: readLeavingReason(reader),
    otherRole: presence.otherRole ?? quoteExampleRow(cells, headings),
    isStatusBlank: presence.isStatusBlank,
    phones: phones.acceptedNumbers,
    ...readOptOuts(reader, phones, nameCells.optOut, options.today),
  }
}

/** Adds a problem if the cells hold no name, or the names of two people. */
function requireOneName(reader: RowReader, { field, name: nameText }: StudentNameCells): string {
  if (holdsTwoPeople(reader)) {
    reader.problems.push({ field, message: TWO_PEOPLE })
    return ''
  }
  const name = cleanName(reader, field, nameText)
  if (name === '') reader.problems.push({ field, message: 'Name is required' })
  return name
}

type BeltInRow = Pick<BeltCell, 'belt' | 'beltText'>

type TextField = 'emergency_contact_name' | 'payment_method' | 'allergies' | 'medical_note'

function readPerson(
  reader: RowReader,
  phones: PhoneReader,
  { field: nameField, name, warnings }: StudentNameCells,
  { is_trial, on_vacation }: Presence,
  options: RowOptions,
): ImportedPerson & BeltInRow {
  const { problems, text, raw, checkValue, parseCell } = reader
  const checkText = (field: TextField, value: string) =>
    checkValue<string>(field, value, FIELD_RULES[field])
  const guardians = readGuardians(reader, phones, [
    ...warnings,
    raw('emergency_contact_name'),
    raw('private_notes'),
  ])
  const emergency = readEmergencyContact(reader, phones)
  const { birthday, birthdayNote } = readBirthday(reader, options)
  const { stripesInBelt, ...beltCell } = readBelt(reader, birthday, options.findBelt)
  const person: ImportedPerson & BeltInRow = {
    name: checkValue(nameField, name, FIELD_RULES.name) ?? '',
    email: readEmail(reader, 'email', FIELD_RULES.email),
    phone_number: phones.readPhone('phone_number', FIELD_RULES.phone_number),
    ...beltCell,
    date_of_birth: birthday,
    gender: parseCell('gender', parseGender, 'Please enter male, female or other'),
    emergency_contact_name: checkText(
      'emergency_contact_name',
      cleanName(reader, 'emergency_contact_name', emergency.name),
    ),
    emergency_contact_phone: emergency.isReachable
      ? phones.readPhone(
          'emergency_contact_phone',
          FIELD_RULES.emergency_contact_phone,
          emergency.phone,
        )
      : null,
    emergency_relation: emergency.relation,
    classes: parseClasses(raw('classes')).filter(
      (className) => parseBareStatus(className, options.today) !== 'left',
    ),
    membership: checkValue('membership_plan', text('membership_plan'), FIELD_RULES.membership_plan),
    monthly_payment_amount: checkValue(
      'monthly_payment_amount',
      readFee(reader, options),
      FIELD_RULES.monthly_payment_amount,
    ),
    payment_method: checkText('payment_method', text('payment_method')),
    is_trial,
    on_vacation,
    allergies: checkText('allergies', removeNo(cellLines(raw('allergies')))),
    medical_note: checkText('medical_note', removeNo(cellLines(raw('medical_note')))),
    ...readHistory(reader, options, birthday, stripesInBelt),
    private_notes: null,
    guardians,
  }
  // This comes last because reading the other fields adds lines to the notes.
  person.private_notes = readNotes(reader, birthdayNote)
  if (person.classes.length > MAX_CLASSES)
    problems.push({ field: 'classes', message: `At most ${MAX_CLASSES} classes` })
  return person
}

function readNotes(reader: RowReader, birthdayNote: string): string | null {
  const lines = [cellLines(reader.raw('private_notes')), birthdayNote, ...reader.notes]
  const notes = lines.filter(Boolean).join('\n')
  return reader.checkValue('private_notes', notes, FIELD_RULES.private_notes)
}

/** A student's opt-out applies to the whole row, a guardian's only to their own numbers. */
function readOptOuts(
  reader: RowReader,
  { numbers, refusals, otherOptOuts }: PhoneReader,
  optOutInName: string | null,
  today: string,
): Pick<ReadRow, 'optOuts' | 'rowOptOut'> {
  const ownRefusal = refusals.get('phone_number') ?? null
  // A refusal in a phone cell without a number is about the whole row.
  const isAboutRow = ownRefusal !== null && !numbers.has('phone_number')
  const rowOptOut =
    findOptOut(reader, '', today) ?? optOutInName ?? (isAboutRow ? ownRefusal : null)
  const toRefusal = (field: PhoneField, optOut: string | null) =>
    [field, optOut ?? refusals.get(field) ?? rowOptOut] as const
  const refusalByField = [
    toRefusal('phone_number', null),
    ['emergency_contact_phone', refusals.get('emergency_contact_phone') ?? null] as const,
    toRefusal('guardian_phone', findOptOut(reader, 'guardian_', today)),
    toRefusal('guardian_2_phone', findOptOut(reader, 'guardian_2_', today)),
  ]
  const optOuts = refusalByField.flatMap(([field, quote]) =>
    quote === null
      ? []
      : (numbers.get(field) ?? []).map((phoneText) => ({ phone: phoneText, quote })),
  )
  return { optOuts: [...optOuts, ...otherOptOuts], rowOptOut }
}

/** Removes characters that are never part of a name, and adds a notice. */
function cleanName({ notices }: RowReader, field: ImportField, parsedName: string): string {
  const name = cleanStudentName(parsedName)
  if (name !== removeInvisible(parsedName) && name !== '')
    notices.push({
      field,
      message: `Becomes “${name}”, without the other characters`,
      becomes: name,
    })
  return name
}

/** Reports a problem only for a cell that may be a date, not for "TBD" or "call first". */
function readBirthday(reader: RowReader, { order, today }: RowOptions) {
  const { parseCell, notices, filledCells } = reader
  const [cell] = filledCells('date_of_birth')
  const birthdayText = cell?.text ?? ''
  if (birthdayText !== '' && isPlaceholderDate(birthdayText, today)) {
    notices.push(placeholderBirthdayNotice(birthdayText))
    return { birthday: null, birthdayNote: '' }
  }
  if (birthdayText !== '' && !/\d/.test(birthdayText)) {
    const isPlaceholder = PLACEHOLDER_BIRTHDAY.test(birthdayText)
    const outcome = isPlaceholder ? 'left empty' : 'saved in notes'
    notices.push({
      field: 'date_of_birth',
      message: `“${birthdayText}” is not a birthday: ${outcome}`,
      kind: 'no_birthday',
    })
    return {
      birthday: null,
      birthdayNote: isPlaceholder ? '' : `${cell?.heading || 'Birthday'}: ${birthdayText}`,
    }
  }
  const birthday = parseCell(
    'date_of_birth',
    (text) => parseDate(text, order, today),
    `We couldn’t read this date. Please write it as ${DATE_EXAMPLES[order]}`,
  )
  return { birthday, birthdayNote: '' }
}
export const placeholderBirthdayNotice = (placeholder: string): CellRemark => ({
  field: 'date_of_birth',
  message: `“${placeholder}” is a placeholder: left empty`,
  kind: 'no_birthday',
})

/** Empties a cell that only says that the student has no allergies or conditions. */
const removeNo = (text: string): string =>
  /^(no|nope|nothing|none known|nka|nkda|no (known )?(allergies|conditions)|not applicable)\W*$/i.test(
    text,
  )
    ? ''
    : text

const MONTHLY = /^(every |each |per |1 |once a )?(mo|months?|monthly)$/

/** Returns NaN for a cell that is not an amount. The field's rule then reports it. */
function readFee(reader: RowReader, { decimalMarks }: RowOptions): number | '' {
  const { text, notices, notes } = reader
  const field = 'monthly_payment_amount'
  const cell = text(field)
  const period = text('fee_period')
  if (cell === '') return ''
  if (period !== '' && !MONTHLY.test(normalizeText(period))) {
    const line = `${reader.filledCells(field)[0]?.heading || 'Fee'}: ${cell}, ${period}`
    notes.push(line)
    notices.push({ field, message: `Not a monthly fee. Saved in notes: “${line}”` })
    return ''
  }
  const { amount, isUnclear } = readAmountText(cell, decimalMarks?.get(field))
  if (isUnclear) notices.push({ field, message: describeUnclearAmount(cell, amount) })
  return amount
}
