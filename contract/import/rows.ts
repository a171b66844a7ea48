import { dollars, email, properName, multiLineText, phone, singleLineText } from '../lib/fields.ts'
import type { Relation } from '../guardians/guardians.ts'
import type { ImportField } from './columns.ts'
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

/** A student as a row of a sheet says; null is what it does not say. */
export type ImportedPerson = {
  name: string
  email: string | null
  phone_number: string | null
  belt_level: ReturnType<typeof parseBelt>
  date_of_birth: string | null
  gender: ReturnType<typeof parseGender>
  emergency_contact_name: string | null
  emergency_contact_phone: string | null
  /** What the emergency contact is to them, where the cell says so. */
  emergency_relation: Relation | null
  /** As the sheet writes them. */
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
  /** Why the row cannot be taken as it is. */
  problems: CellRemark[]
  /** What is taken otherwise than it stands there. */
  notices: CellRemark[]
  /** In which words the sheet says that they train no more, or not yet; null where it does not. */
  departure: string | null
  /** In which words it says that they are no student: "Type: Parent"; null where it does not. */
  otherRole: string | null
  /** Phones, as they are typed, that get no texts, and in which words the sheet says so. */
  optOuts: OptOut[]
  /** In which words the sheet says so of the whole row: of the student, and of who answers for them. */
  rowOptOut: string | null
  /** Nothing in the row says whether they train, and in this sheet that is unclear. */
  isStatusBlank: boolean
  /** The number that each field takes. */
  phones: ReadonlyMap<PhoneField, string>
}

const MAX_CLASSES = 20

/** The rules of the forms, made once: a sheet has thousands of cells. */
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
  /** The headings of the columns, for the words in which something is kept. */
  headings?: readonly string[] | undefined
}
const PLACEHOLDER =
  /^(tbd|tba|tbc|pending|later|to come|missing|(not|none) (given|provided|known)|blank|empty)\W*$/i
const EXAMPLE = { 'month-first': 'month/day/year', 'day-first': 'day/month/year' }

/** Reads a row of a sheet; `today` is YYYY-MM-DD by the dojo's calendar. */
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

/** The student's opt-out is the whole row's, and a guardian's that of their own numbers. */
function optOutsIn(
  reader: RowReader,
  { numbers, refusals, refused }: PhoneReader,
  optOutInName: string | null,
  today: string,
): Pick<ReadRow, 'optOuts' | 'rowOptOut'> {
  const ownRefusal = refusals.get('phone_number') ?? null
  // Where the student's words stand beside no number, they are about all of the row.
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

/** Nobody is born on "TBD" or "call first": a row is held back only for what may be a day. */
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
    const fate = isPlaceholder ? 'left empty' : 'left empty, and kept in the private notes'
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
/** What is said of a day that software writes where it knows no birthday. */
export const noBirthday = (placeholder: string): CellRemark => ({
  field: 'date_of_birth',
  message: `“${placeholder}” is a placeholder: left empty`,
  kind: 'no_birthday',
})

/** NaN is what is no amount, and the form's rule refuses it. */
const amountIn = (cell: string): number | '' => (cell === '' ? '' : parseAmount(cell))
