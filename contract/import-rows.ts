import type { z } from 'zod'
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
import { type DateOrder, parseDate } from './import-dates.ts'
import {
  cellLines,
  cellText,
  fold,
  isNothing,
  studentName,
  parseAmount,
  parseBelt,
  parseClasses,
  parseFlag,
  parseGender,
  parseName,
  parsePhone,
  parseStatus,
  withoutUnseen,
} from './import-values.ts'
import { isName } from './names.ts'

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
  /** The sheet says that they train no more, or not yet. */
  has_left: boolean
  allergies: string | null
  medical_note: string | null
  private_notes: string | null
  guardians: ImportedGuardian[]
}

export type CellRemark = {
  field: ImportField
  message: string
  /** The name as it is taken, where that is not what stands in the cell. */
  becomes?: string | undefined
}
export type ReadRow = {
  person: ImportedPerson
  /** Why the row cannot be taken as it is. */
  problems: CellRemark[]
  /** What is taken otherwise than it stands there. */
  notices: CellRemark[]
}

/** No field of one line takes as much, so that what follows is refused by its rule. */
const LONGEST_LINE = 500
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

type Reading = { order: DateOrder; today: string }
const EXAMPLE = { 'month-first': 'month/day/year', 'day-first': 'day/month/year' }

/** Reads a row of a sheet; `today` is YYYY-MM-DD by the dojo's calendar. Of two columns of one field the first that is filled counts. */
export function readRow(
  columns: readonly ImportField[],
  cells: readonly string[],
  { order, today }: Reading,
): ReadRow {
  const problems: CellRemark[] = []
  const notices: CellRemark[] = []
  const raw = (field: ImportField) =>
    columns.flatMap((column, at) =>
      column === field && !isNothing(cellText(cells[at] ?? '')) ? [cells[at]!] : [],
    )[0] ?? ''
  const text = (field: ImportField) => cellText(raw(field)).slice(0, LONGEST_LINE)

  /** The value by the rule of its form, or a problem and null; null where the cell is empty. */
  function checked<T>(field: ImportField, value: unknown, rule: z.ZodType<T>): T | null {
    if (value === '' || value === null) return null
    const { data, error } = rule.safeParse(value)
    if (error) problems.push({ field, message: error.issues[0]!.message })
    return error ? null : data
  }
  function understood<T>(
    field: ImportField,
    parse: (cell: string) => T | null,
    message: string,
  ): T | null {
    const cell = text(field)
    const value = cell === '' ? null : parse(cell)
    if (cell !== '' && value === null) problems.push({ field, message })
    return value
  }
  const number = (field: ImportField, rule = RULES.phone_number, cell = text(field)) =>
    checked(field, parsePhone(cell), rule)
  const address = (field: ImportField) =>
    checked(field, /[^\s<>,;:"']+@[^\s<>,;"']+/.exec(text(field))?.[0] ?? text(field), RULES.email)

  function letters(field: ImportField, parsed: string) {
    const name = studentName(parsed)
    if (name !== withoutUnseen(parsed) && name !== '')
      notices.push({
        field,
        message: `Becomes “${name}”: other signs are left out`,
        becomes: name,
      })
    return name
  }

  const [nameField, name] = nameIn(text)
  const taken = letters(nameField, name)
  if (taken === '') problems.push({ field: nameField, message: 'Name is required' })
  const status = understood(
    'status',
    parseStatus,
    'Not clear: write active, trial, on hold or cancelled',
  )
  const emergency = contactIn(text('emergency_contact_name'))
  const birth = understood(
    'date_of_birth',
    (cell) => parseDate(cell, order, today),
    `Not a date as ${EXAMPLE[order]}`,
  )
  const person: ImportedPerson = {
    name: checked(nameField, taken, RULES.name) ?? '',
    email: address('email'),
    phone_number: number('phone_number'),
    belt_level: understood(
      'belt_level',
      parseBelt,
      'Not a belt that Tatami has: white, yellow, orange, green, blue, brown, black',
    ),
    date_of_birth: birth,
    gender: understood('gender', parseGender, 'Not clear: write male, female or other'),
    emergency_contact_name: checked(
      'emergency_contact_name',
      letters('emergency_contact_name', emergency.name),
      RULES.emergency_contact_name,
    ),
    emergency_contact_phone: number(
      'emergency_contact_phone',
      RULES.emergency_contact_phone,
      text('emergency_contact_phone') || emergency.phone,
    ),
    emergency_relation: emergency.relation,
    classes: parseClasses(raw('classes')),
    monthly_payment_amount: checked(
      'monthly_payment_amount',
      amountIn(text('monthly_payment_amount')),
      RULES.monthly_payment_amount,
    ),
    payment_method: checked('payment_method', text('payment_method'), RULES.payment_method),
    is_trial:
      (understood('is_trial', parseFlag, 'Not clear: write yes or no') ?? false) ||
      status === 'trial',
    on_vacation:
      (understood('on_vacation', parseFlag, 'Not clear: write yes or no') ?? false) ||
      status === 'vacation',
    has_left: status === 'left',
    allergies: checked('allergies', cellLines(raw('allergies')), RULES.allergies),
    medical_note: checked('medical_note', cellLines(raw('medical_note')), RULES.medical_note),
    private_notes: checked('private_notes', cellLines(raw('private_notes')), RULES.private_notes),
    guardians: (['guardian_', 'guardian_2_'] as const).flatMap((prefix) => guardiansIn(prefix)),
  }
  if (person.classes.length > MAX_CLASSES)
    problems.push({ field: 'classes', message: `At most ${MAX_CLASSES} classes` })
  return { person, problems, notices }

  function guardiansIn(prefix: 'guardian_' | 'guardian_2_'): ImportedGuardian[] {
    const contact = contactIn(
      parseName(
        text(`${prefix}name`) ||
          `${text(`${prefix}first_name`)} ${text(`${prefix}last_name`)}`.trim(),
      ),
    )
    const relation = relationOf(text(`${prefix}relation`)) ?? contact.relation
    const [first, second] = coupleIn(contact.name)
    const one = {
      name: checked(`${prefix}name`, first, RULES.guardian_name),
      relation,
      email: address(`${prefix}email`),
      phone: number(`${prefix}phone`, RULES.phone_number, text(`${prefix}phone`) || contact.phone),
    }
    if (!one.name && !one.email && !one.phone) return []
    const other = second ? checked(`${prefix}name`, second, RULES.guardian_name) : null
    return other ? [one, { name: other, relation: null, email: null, phone: null }] : [one]
  }
}

type Text = (field: ImportField) => string

/** The whole name, and the column that a word about it belongs to: that of the part that is no name. */
function nameIn(text: Text): [ImportField, string] {
  if (text('name')) return ['name', parseName(text('name'))]
  const parts = (['first_name', 'last_name'] as const).filter((field) => text(field) !== '')
  const odd = parts.find((field) => !isName(text(field)))
  return [odd ?? parts[0] ?? 'name', parts.map(text).join(' ')]
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
  const surname = one.includes(' ') || !other.includes(' ') ? '' : ` ${other.split(' ').at(-1)}`
  return [`${one}${surname}`, other]
}
