import {
  dollars,
  email,
  freeName,
  properName,
  multiLineText,
  phone,
  singleLineText,
} from './fields.ts'
import type { Relation } from './guardians.ts'
import type { ImportField } from './import-columns.ts'
import { isPlaceholderDate, parseDate } from './import-dates.ts'
import { optOutWords } from './import-opt-outs.ts'
import { type PresenceReading, readPresence } from './import-presence.ts'
import { type PhoneField, phoneReader } from './import-row-phones.ts'
import { hasTwoPeople, TWO_PEOPLE } from './import-two-people.ts'
import { type CellRemark, type RowReader, rowReader } from './import-row-reader.ts'
import {
  cellLines,
  fold,
  parseAmount,
  parseBelt,
  parseClasses,
  parseGender,
  parseName,
  studentName,
  withoutUnseen,
} from './import-values.ts'
import { surnameOf } from './name-parts.ts'
import { isName } from './names.ts'

export type { CellRemark } from './import-row-reader.ts'

export type ImportedGuardian = {
  name: string | null
  relation: Relation | null
  email: string | null
  phone: string | null
}
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
  /** Phones, as they are typed, that get no texts, and in which words the sheet says so. */
  optOuts: OptOut[]
  /** In which words the sheet says so of the whole row: of the student, and of who answers for them. */
  rowOptOut: string | null
  /** Nothing in the row says whether they train, and in this sheet that is unclear. */
  isStatusBlank: boolean
}
export type OptOut = { phone: string; words: string }

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
  guardian_name: freeName('Name'),
}

export type RowReading = PresenceReading & {
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
  const { phone: number, notes, numbers, refusals } = phoneReader(reader)
  const [nameField, writtenName] = nameIn(text)
  const hasTwo = hasTwoPeople(reader)
  const name = hasTwo ? '' : letters(reader, nameField, writtenName)
  if (hasTwo) problems.push({ field: nameField, message: TWO_PEOPLE })
  else if (name === '') problems.push({ field: nameField, message: 'Name is required' })
  const presence = readPresence(reader, reading)
  const emergency = contactIn(text('emergency_contact_name'))
  const { birth, birthNote } = birthdayIn(reader, reading)
  const person: ImportedPerson = {
    name: checked(nameField, name, RULES.name) ?? '',
    email: addressIn(reader, 'email'),
    phone_number: number('phone_number', RULES.phone_number),
    belt_level: understood(
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
    emergency_contact_phone: number(
      'emergency_contact_phone',
      RULES.emergency_contact_phone,
      emergency.phone,
    ),
    emergency_relation: emergency.relation,
    classes: parseClasses(raw('classes')),
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
    guardians: (['guardian_', 'guardian_2_'] as const).flatMap((whose) =>
      guardiansIn(reader, whose, number),
    ),
  }
  person.private_notes = checked(
    'private_notes',
    [cellLines(raw('private_notes')), birthNote, ...notes].filter(Boolean).join('\n'),
    RULES.private_notes,
  )
  if (person.classes.length > MAX_CLASSES)
    problems.push({ field: 'classes', message: `At most ${MAX_CLASSES} classes` })
  const { departure, isStatusBlank } = presence
  return {
    person,
    problems,
    notices,
    departure,
    isStatusBlank,
    ...optOutsIn(reader, numbers, refusals, today),
  }
}

/** The student's opt-out is the whole row's, and a guardian's that of their own numbers. */
function optOutsIn(
  reader: RowReader,
  numbers: ReadonlyMap<PhoneField, string[]>,
  refusals: ReadonlyMap<PhoneField, string>,
  today: string,
): Pick<ReadRow, 'optOuts' | 'rowOptOut'> {
  const ownRefusal = refusals.get('phone_number') ?? null
  // Where the student's words stand beside no number, they are about all of the row.
  const isOfRow = ownRefusal !== null && !numbers.has('phone_number')
  const rowOptOut = optOutWords(reader, '', today) ?? (isOfRow ? ownRefusal : null)
  const optOut = (field: PhoneField, words: string | null) =>
    [field, words ?? refusals.get(field) ?? rowOptOut] as const
  const wordsOf = [
    optOut('phone_number', null),
    ['emergency_contact_phone', refusals.get('emergency_contact_phone') ?? null] as const,
    optOut('guardian_phone', optOutWords(reader, 'guardian_', today)),
    optOut('guardian_2_phone', optOutWords(reader, 'guardian_2_', today)),
  ]
  const optOuts = wordsOf.flatMap(([field, words]) =>
    words === null ? [] : (numbers.get(field) ?? []).map((typed) => ({ phone: typed, words })),
  )
  return { optOuts, rowOptOut }
}

function letters({ notices }: RowReader, field: ImportField, parsed: string): string {
  const name = studentName(parsed)
  if (name !== withoutUnseen(parsed) && name !== '')
    notices.push({
      field,
      message: `Becomes “${name}”: other signs are left out`,
      becomes: name,
    })
  return name
}

const addressIn = ({ checked, text }: RowReader, field: ImportField) =>
  checked(field, /[^\s<>,;:"']+@[^\s<>,;"']+/.exec(text(field))?.[0] ?? text(field), RULES.email)

/** Nobody is born on "TBD" or "call first": a row is held back only for what may be a day. */
function birthdayIn(reader: RowReader, { order, today }: RowReading) {
  const { understood, notices, filled } = reader
  const [cell] = filled('date_of_birth')
  const written = cell?.text ?? ''
  if (written !== '' && isPlaceholderDate(written, today)) {
    notices.push(noBirthday(written))
    return { birth: null, birthNote: '' }
  }
  if (written !== '' && !/\d/.test(written)) {
    const isPlaceholder = PLACEHOLDER.test(written)
    const kept = isPlaceholder ? 'left empty' : 'left empty, and kept in the private notes'
    notices.push({
      field: 'date_of_birth',
      message: `“${written}” is no birthday: ${kept}`,
      kind: 'no_birthday',
    })
    return {
      birth: null,
      birthNote: isPlaceholder ? '' : `${cell?.heading || 'Birthday'}: ${written}`,
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
export const noBirthday = (written: string): CellRemark => ({
  field: 'date_of_birth',
  message: `“${written}” stands for no birthday: left empty`,
  kind: 'no_birthday',
})

type ReadPhone = ReturnType<typeof phoneReader>['phone']

function guardiansIn(
  reader: RowReader,
  whose: 'guardian_' | 'guardian_2_',
  number: ReadPhone,
): ImportedGuardian[] {
  const { text, checked } = reader
  const contact = contactIn(
    text(`${whose}name`)
      ? parseName(text(`${whose}name`))
      : nameOfParts(text(`${whose}first_name`), text(`${whose}last_name`)),
  )
  const relation = relationOf(text(`${whose}relation`)) ?? contact.relation
  const [first, second] = coupleIn(contact.name)
  const guardian = {
    name: checked(`${whose}name`, first, RULES.guardian_name),
    relation,
    email: addressIn(reader, `${whose}email`),
    phone: number(`${whose}phone`, RULES.phone_number, contact.phone),
  }
  if (!guardian.name && !guardian.email && !guardian.phone) return []
  const spouse = second ? checked(`${whose}name`, second, RULES.guardian_name) : null
  return spouse
    ? [guardian, { name: spouse, relation: null, email: null, phone: null }]
    : [guardian]
}

/** "Ken Adams Jr." also where the first name is "Ken Jr." */
function nameOfParts(first: string, last: string): string {
  const [given, surname] = [first, last].map((part) => part.replaceAll(',', ' ').trim())
  return parseName(given && surname ? `${surname}, ${given}` : `${given}${surname}`)
}

type Text = (field: ImportField) => string

/** The whole name, and the column that a word about it belongs to: that of the part that is no name. */
function nameIn(text: Text): [ImportField, string] {
  if (text('name')) return ['name', parseName(text('name'))]
  const parts = (['first_name', 'last_name'] as const).filter((field) => text(field) !== '')
  const odd = parts.find((field) => !isName(text(field)))
  return [odd ?? parts[0] ?? 'name', nameOfParts(text('first_name'), text('last_name'))]
}

/** NaN is what is no amount, and the form's rule refuses it. */
const amountIn = (cell: string): number | '' => (cell === '' ? '' : parseAmount(cell))

const RELATION_WORDS: [Relation, RegExp][] = [
  ['mother', /\b(stepmother|mother|mom|mommy|mum|mama|mutter|madre|mere)\b/],
  ['father', /\b(stepfather|father|dad|daddy|papa|vater|padre|pere)\b/],
  ['grandparent', /\b(grand(parent|mother|father|ma|pa)|oma|opa|abuel[ao])\b/],
  ['guardian', /\b(guardian|parent|legal guardian|eltern)\b/],
]
/** What a word makes somebody to a student; `other` for one that is not known, null for none. */
export function relationOf(cell: string): Relation | null {
  const words = fold(cell)
  return words === '' ? null : (relationIn(words) ?? 'other')
}
const relationIn = (words: string) =>
  RELATION_WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? null

const PHONE_IN_WORDS = /\+?[\d(][\d\s().-]{5,}\d/
/** A contact's cell may say the name, what they are to the student, and the number: "Ann Adams (mother) 512-555-0143". */
function contactIn(cell: string): { name: string; phone: string; relation: Relation | null } {
  const phoneNumber = PHONE_IN_WORDS.exec(cell)?.[0] ?? ''
  const words = cell.replace(phoneNumber, ' ')
  const [aside = '', within = ''] =
    /[([]([^)\]]*)[)\]]|(?:[-–,:]\s*)(\p{L}+)\s*$/u.exec(words) ?? []
  const relation = relationIn(fold(within || aside))
  const name = relation ? words.replace(aside, ' ') : words
  return {
    name: parseName(name.replace(/[\s,:;–-]+$/u, '').trim()),
    phone: phoneNumber.trim(),
    relation,
  }
}

/** "Ann & Bob Adams" are Ann Adams and Bob Adams. */
function coupleIn(name: string): [string, string?] {
  const [, one, other] = /^(\P{N}+?)\s*(?:&|\+|\/|\band\b)\s*(\P{N}+)$/u.exec(name) ?? []
  if (!one || !other) return [name]
  const surname = one.includes(' ') || !other.includes(' ') ? '' : ` ${surnameOf(other)}`
  return [`${one}${surname}`, other]
}
