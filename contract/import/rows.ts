import { dollars, email, properName, multiLineText, phone, singleLineText } from '../lib/fields.ts'
import type { Relation } from '../guardians/guardians.ts'
import type { ImportField } from './import-fields.ts'
import { addressIn } from './emails.ts'
import { exampleWords } from './hints.ts'
import { emergencyContactIn, guardiansIn, type ImportedGuardian } from './guardians.ts'
import { isPlaceholderDate, parseDate } from './dates.ts'
import { optOutWords } from './opt-outs.ts'
import { type PresenceReading, readPresence } from './presence.ts'
import { type OptOut, type PhoneField, type PhoneReader, phoneReader } from './row-phones.ts'
import { parseBareStatus } from './status.ts'
import { hasTwoPeople, TWO_PEOPLE } from './two-people.ts'
import { type CellRemark, type RowReader, rowReader } from './row-reader.ts'
import {
  cellLines,
  isNoBelt,
  parseAmount,
  parseBelt,
  parseClasses,
  parseGender,
  studentName,
  withoutUnseen,
} from './values.ts'
import { writtenNameIn } from './student-names.ts'

export type { ImportedGuardian } from './guardians.ts'
export type { CellRemark } from './row-reader.ts'

/** What a row says of a student; null is what it does not say. */
export type ImportedPerson = {
  name: string
  email: string | null
  phone_number: string | null
  belt_level: ReturnType<typeof parseBelt>
  date_of_birth: string | null
  gender: ReturnType<typeof parseGender>
  emergency_contact_name: string | null
  emergency_contact_phone: string | null
  emergency_relation: Relation | null
  classes: string[]
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
  problems: CellRemark[]
  notices: CellRemark[]
  /** The words that say they left; null otherwise. */
  departure: string | null
  /** The words that say they are no student; null otherwise. */
  otherRole: string | null
  /** Phones, as typed, that get no texts, and the words that say so. */
  optOuts: OptOut[]
  /** The words that opt out the whole row. */
  rowOptOut: string | null
  /** The row does not say whether they train, and in this sheet that is unclear. */
  isStatusBlank: boolean
  phones: ReadonlyMap<PhoneField, string>
}

const MAX_CLASSES = 20

/** Made once, because a sheet has thousands of cells. */
const RULES = {
  name: properName('Name'),
  email: email(),
  phone_number: phone('Phone number'),
  emergency_contact_name: properName('Emergency contact name'),
  emergency_contact_phone: phone('Emergency contact phone'),
  monthly_payment_amount: dollars('Monthly payment amount'),
  payment_method: singleLineText('Payment method', 100),
  allergies: multiLineText('Allergies', 500),
  medical_note: multiLineText('Medical note', 2000),
  private_notes: multiLineText('Private notes', 5000),
}

type RowReading = PresenceReading & {
  headings?: readonly string[] | undefined
}
const PLACEHOLDER =
  /^(tbd|tba|tbc|pending|later|to come|missing|(not|none) (given|provided|known)|blank|empty)\W*$/i
const EXAMPLE = { 'month-first': 'month/day/year', 'day-first': 'day/month/year' }

export function readRow(
  columns: readonly ImportField[],
  cells: readonly string[],
  reading: RowReading,
): ReadRow {
  const reader = rowReader(columns, cells, reading.headings ?? [], reading.ticks)
  const { problems, notices, text, raw, checked, understood } = reader
  const { today } = reading
  const phones = phoneReader(reader)
  const { phone: number } = phones
  const writtenName = writtenNameIn(reader, today)
  const { field: nameField } = writtenName
  const hasTwo = hasTwoPeople(reader)
  const name = hasTwo ? '' : letters(reader, nameField, writtenName.name)
  if (hasTwo) problems.push({ field: nameField, message: TWO_PEOPLE })
  else if (name === '') problems.push({ field: nameField, message: 'Name is required' })
  const presence = readPresence(reader, reading, writtenName.statement)
  const guardians = guardiansIn(reader, phones, [
    ...writtenName.warnings,
    raw('emergency_contact_name'),
    raw('private_notes'),
  ])
  const emergency = emergencyContactIn(reader, phones)
  const { birth, birthNote } = birthdayIn(reader, reading)
  const person: ImportedPerson = {
    name: checked(nameField, name, RULES.name) ?? '',
    email: addressIn(reader, 'email', RULES.email),
    phone_number: number('phone_number', RULES.phone_number),
    belt_level: isNoBelt(text('belt_level'))
      ? null
      : understood(
          'belt_level',
          parseBelt,
          'Not a belt that Tatami has: white, yellow, orange, green, blue, brown, black',
        ),
    date_of_birth: birth,
    gender: understood('gender', parseGender, 'Please enter male, female or other'),
    emergency_contact_name: checked(
      'emergency_contact_name',
      letters(reader, 'emergency_contact_name', emergency.name),
      RULES.emergency_contact_name,
    ),
    emergency_contact_phone: emergency.isReachable
      ? number('emergency_contact_phone', RULES.emergency_contact_phone, emergency.phone)
      : null,
    emergency_relation: emergency.relation,
    classes: parseClasses(raw('classes')).filter(
      (className) => parseBareStatus(className, today) !== 'left',
    ),
    monthly_payment_amount: checked(
      'monthly_payment_amount',
      amountIn(text('monthly_payment_amount')),
      RULES.monthly_payment_amount,
    ),
    payment_method: checked('payment_method', text('payment_method'), RULES.payment_method),
    is_trial: presence.is_trial,
    on_vacation: presence.on_vacation,
    allergies: checked('allergies', cellLines(raw('allergies')), RULES.allergies),
    medical_note: checked('medical_note', cellLines(raw('medical_note')), RULES.medical_note),
    private_notes: null,
    guardians,
  }
  person.private_notes = checked(
    'private_notes',
    [cellLines(raw('private_notes')), birthNote, ...reader.notes].filter(Boolean).join('\n'),
    RULES.private_notes,
  )
  if (person.classes.length > MAX_CLASSES)
    problems.push({ field: 'classes', message: `At most ${MAX_CLASSES} classes` })
  const { departure, otherRole, isStatusBlank } = presence
  return {
    person,
    problems,
    notices,
    departure,
    otherRole: otherRole ?? exampleWords(cells, reading.headings ?? []),
    isStatusBlank,
    phones: phones.taken,
    ...optOutsIn(reader, phones, writtenName.optOut, today),
  }
}

/** The student's opt-out is for the whole row, a guardian's for their own numbers. */
function optOutsIn(
  reader: RowReader,
  { numbers, refusals, refused }: PhoneReader,
  optOutInName: string | null,
  today: string,
): Pick<ReadRow, 'optOuts' | 'rowOptOut'> {
  const ownRefusal = refusals.get('phone_number') ?? null
  // Words without a number are about the whole row.
  const isOfRow = ownRefusal !== null && !numbers.has('phone_number')
  const rowOptOut = optOutWords(reader, '', today) ?? optOutInName ?? (isOfRow ? ownRefusal : null)
  const optOut = (field: PhoneField, words: string | null) =>
    [field, words ?? refusals.get(field) ?? rowOptOut] as const
  const wordsOf = [
    optOut('phone_number', null),
    ['emergency_contact_phone', refusals.get('emergency_contact_phone') ?? null] as const,
    optOut('guardian_phone', optOutWords(reader, 'guardian_', today)),
    optOut('guardian_2_phone', optOutWords(reader, 'guardian_2_', today)),
  ]
  const optOuts = wordsOf.flatMap(([field, words]) =>
    words === null
      ? []
      : (numbers.get(field) ?? []).map((typedNumber) => ({ phone: typedNumber, words })),
  )
  return { optOuts: [...optOuts, ...refused], rowOptOut }
}

function letters({ notices }: RowReader, field: ImportField, parsedName: string): string {
  const name = studentName(parsedName)
  if (name !== withoutUnseen(parsedName) && name !== '')
    notices.push({
      field,
      message: `Becomes “${name}”: other signs are left out`,
      becomes: name,
    })
  return name
}

/** Only what may be a date is a problem, not "TBD" or "call first". */
function birthdayIn(reader: RowReader, { order, today }: RowReading) {
  const { understood, notices, filled } = reader
  const [cell] = filled('date_of_birth')
  const birthdayText = cell?.text ?? ''
  if (birthdayText !== '' && isPlaceholderDate(birthdayText, today)) {
    notices.push(noBirthday(birthdayText))
    return { birth: null, birthNote: '' }
  }
  if (birthdayText !== '' && !/\d/.test(birthdayText)) {
    const isPlaceholder = PLACEHOLDER.test(birthdayText)
    const fate = isPlaceholder ? 'left empty' : 'saved in notes'
    notices.push({
      field: 'date_of_birth',
      message: `“${birthdayText}” is no birthday: ${fate}`,
      kind: 'no_birthday',
    })
    return {
      birth: null,
      birthNote: isPlaceholder ? '' : `${cell?.heading || 'Birthday'}: ${birthdayText}`,
    }
  }
  const birth = understood(
    'date_of_birth',
    (text) => parseDate(text, order, today),
    `We couldn’t read this date. Please write it as ${EXAMPLE[order]}`,
  )
  return { birth, birthNote: '' }
}
export const noBirthday = (placeholder: string): CellRemark => ({
  field: 'date_of_birth',
  message: `“${placeholder}” is a placeholder: left empty`,
  kind: 'no_birthday',
})

/** NaN, which the form's rule refuses, for anything but an amount. */
const amountIn = (cell: string): number | '' => (cell === '' ? '' : parseAmount(cell))
