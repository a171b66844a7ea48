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
import { type Presence, type PresenceReading, readPresence } from './presence.ts'
import { type OptOut, type PhoneField, type PhoneReader, phoneReader } from './row-phones.ts'
import { parseBareStatus } from './status.ts'
import { holdsTwoPeople, TWO_PEOPLE } from './two-people.ts'
import { type CellRemark, type RowReader, rowReader } from './row-reader.ts'
import { cellLines, fold, parseClasses, parseGender, studentName, withoutUnseen } from './values.ts'
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
  /** The belt as written, without stripes, and the whole cell. */
  belt: string | null
  beltText: string | null
  problems: CellRemark[]
  notices: CellRemark[]
  departure: string | null
  /** The day and the reason, if the sheet has them. */
  leftOn: string | null
  leftReason: string | null
  otherRole: string | null
  /** Phones as typed that must get no texts, each with the cell that says so. */
  optOuts: OptOut[]
  /** The cell that opts out every phone of the row, or null. */
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

type RowReading = PresenceReading & {
  headings?: readonly string[] | undefined
  findBelt?: BeltLookup | undefined
  balanceMeaning?: BalanceMeaning | null | undefined
  decimalMarks?: DecimalMarks | undefined
}
const PLACEHOLDER_BIRTHDAY =
  /^(tbd|tba|tbc|pending|later|to come|missing|(not|none) (given|provided|known)|blank|empty)\W*$/i
const DATE_EXAMPLES = { 'month-first': 'month/day/year', 'day-first': 'day/month/year' }

/** Adds a problem or a notice for each cell that it cannot read. */
export function readRow(
  columns: readonly ImportField[],
  cells: readonly string[],
  reading: RowReading,
): ReadRow {
  const headings = reading.headings ?? []
  const reader = rowReader(columns, cells, headings, reading.checkMarkColumns)
  const phones = phoneReader(reader)
  const nameCells = readStudentName(reader, reading.today)
  const name = requireOneName(reader, nameCells)
  const presence = readPresence(reader, reading, nameCells.statement)
  const nameOfRow = { ...nameCells, name }
  const { belt, beltText, ...person } = readPerson(reader, phones, nameOfRow, presence, reading)
  return {
    person,
    belt,
    beltText,
    problems: reader.problems,
    notices: reader.notices,
    departure: presence.departure,
    leftOn: readLeavingDay(reader, reading),
    leftReason: readLeavingReason(reader),
    otherRole: presence.otherRole ?? quoteExampleRow(cells, headings),
    isStatusBlank: presence.isStatusBlank,
    phones: phones.acceptedNumbers,
    ...readOptOuts(reader, phones, nameCells.optOut, reading.today),
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
  reading: RowReading,
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
  const { birthday, birthdayNote } = readBirthday(reader, reading)
  const { stripesInBelt, ...beltCell } = readBelt(reader, birthday, reading.findBelt)
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
      (className) => parseBareStatus(className, reading.today) !== 'left',
    ),
    membership: checkValue('membership_plan', text('membership_plan'), FIELD_RULES.membership_plan),
    monthly_payment_amount: checkValue(
      'monthly_payment_amount',
      readFee(reader, reading),
      FIELD_RULES.monthly_payment_amount,
    ),
    payment_method: checkText('payment_method', text('payment_method')),
    is_trial,
    on_vacation,
    allergies: checkText('allergies', withoutNo(cellLines(raw('allergies')))),
    medical_note: checkText('medical_note', withoutNo(cellLines(raw('medical_note')))),
    ...readHistory(reader, reading, birthday, stripesInBelt),
    private_notes: null,
    guardians,
  }
  // Last, because reading the other fields adds lines to the notes.
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
  // A refusal without a number is about the whole row.
  const isAboutRow = ownRefusal !== null && !numbers.has('phone_number')
  const rowOptOut =
    findOptOut(reader, '', today) ?? optOutInName ?? (isAboutRow ? ownRefusal : null)
  const refusalOf = (field: PhoneField, optOut: string | null) =>
    [field, optOut ?? refusals.get(field) ?? rowOptOut] as const
  const refusalByField = [
    refusalOf('phone_number', null),
    ['emergency_contact_phone', refusals.get('emergency_contact_phone') ?? null] as const,
    refusalOf('guardian_phone', findOptOut(reader, 'guardian_', today)),
    refusalOf('guardian_2_phone', findOptOut(reader, 'guardian_2_', today)),
  ]
  const optOuts = refusalByField.flatMap(([field, quote]) =>
    quote === null
      ? []
      : (numbers.get(field) ?? []).map((phoneText) => ({ phone: phoneText, quote })),
  )
  return { optOuts: [...optOuts, ...otherOptOuts], rowOptOut }
}

/** Removes characters that no name has, and adds a notice. */
function cleanName({ notices }: RowReader, field: ImportField, parsedName: string): string {
  const name = studentName(parsedName)
  if (name !== withoutUnseen(parsedName) && name !== '')
    notices.push({
      field,
      message: `Becomes “${name}”, without the other characters`,
      becomes: name,
    })
  return name
}

/** Reports a problem only for what may be a date, not for "TBD" or "call first". */
function readBirthday(reader: RowReader, { order, today }: RowReading) {
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

/** What people answer if they have no allergies. */
const withoutNo = (text: string): string =>
  /^(no|nope|nothing|none known|nka|nkda|no (known )?(allergies|conditions)|not applicable)\W*$/i.test(
    text,
  )
    ? ''
    : text

const MONTHLY = /^(every |each |per |1 |once a )?(mo|months?|monthly)$/

/** Returns NaN for anything but an amount, because the rule of the field refuses NaN. */
function readFee(reader: RowReader, { decimalMarks }: RowReading): number | '' {
  const { text, notices, notes } = reader
  const field = 'monthly_payment_amount'
  const cell = text(field)
  const period = text('fee_period')
  if (cell === '') return ''
  if (period !== '' && !MONTHLY.test(fold(period))) {
    const line = `${reader.filledCells(field)[0]?.heading || 'Fee'}: ${cell}, ${period}`
    notes.push(line)
    notices.push({ field, message: `Not a monthly fee. Saved in notes: “${line}”` })
    return ''
  }
  const { amount, isUnclear } = readAmountText(cell, decimalMarks?.get(field))
  if (isUnclear) notices.push({ field, message: describeUnclearAmount(cell, amount) })
  return amount
}
