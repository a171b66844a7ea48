import { email, freeName, phone } from '../lib/fields.ts'
import type { Relation } from '../guardians/guardians.ts'
import type { ImportField } from './import-fields.ts'
import {
  type ContactWords,
  forbiddenParents,
  forbidsContact,
  isAbsent,
  type NoGuardian,
  readContactWords,
} from './contacts.ts'
import { addressIn } from './emails.ts'
import type { PhoneReader } from './row-phones.ts'
import type { FilledCell, RowReader } from './row-reader.ts'
import { fold, parseName } from './values.ts'
import { surnameOf } from '../lib/name-parts.ts'

export type ImportedGuardian = {
  name: string | null
  relation: Relation | null
  email: string | null
  phone: string | null
}

const RULES = { email: email(), phone: phone('Phone number'), name: freeName('Name') }

type WhoseFields = 'guardian_' | 'guardian_2_'
const PARTS = ['name', 'first_name', 'last_name', 'relation', 'email', 'phone'] as const
type GuardianCell = FilledCell & { part: (typeof PARTS)[number]; field: ImportField }
/** Says that there is nobody, so the cell is not empty. */
const NO_NAME = /^(n\/?a|none|nil)$/i

type GuardianCells = {
  whose: WhoseFields
  cells: GuardianCell[]
  relation: Relation | null
  written: ContactWords
}

/** `warnings` are other texts of the row that may forbid contact with a parent. */
export function guardiansIn(
  reader: RowReader,
  phones: PhoneReader,
  warnings: readonly string[],
): ImportedGuardian[] {
  const sets = (['guardian_', 'guardian_2_'] as const).map((prefix) =>
    guardianCells(reader, prefix),
  )
  const allWarnings = [...warnings, ...sets.flatMap(({ written }) => written.warning ?? [])]
  return sets.flatMap((set) => guardiansOf(reader, phones, set, allWarnings))
}

function guardianCells(reader: RowReader, prefix: WhoseFields): GuardianCells {
  const cells = PARTS.flatMap((part): GuardianCell[] => {
    const field: ImportField = `${prefix}${part}`
    const isOfName = part.endsWith('name')
    return reader
      .filled(field, isOfName ? NO_NAME : undefined)
      .map((cell) => ({ ...cell, part, field }))
  })
  const relation = relationOfCells(cells)
  return { whose: prefix, cells, relation, written: readContactWords(nameIn(cells), relation) }
}

function guardiansOf(
  reader: RowReader,
  phones: PhoneReader,
  set: GuardianCells,
  warnings: readonly string[],
): ImportedGuardian[] {
  const { whose, cells, written } = set
  const refusal = refusalIn(set, warnings)
  if (refusal) {
    withhold(reader, phones, cells, refusal)
    return []
  }
  const nameCell = cells.find(({ part }) => part.endsWith('name'))
  if (nameCell) keepWarning(reader, nameCell.field, nameCell, written)
  if (nameCell && written.noTexts !== null)
    phones.refusals.set(`${whose}phone`, labelWords(nameCell, nameCell.text))
  return namedGuardians(reader, whose, phones, written.text)
}

function keepWarning(
  reader: RowReader,
  field: ImportField,
  cell: FilledCell,
  { warning }: ContactWords,
): void {
  if (warning === null) return
  reader.notes.push(labelWords(cell, warning))
  reader.notices.push({ field, message: `Saved in notes: “${warning}”` })
}

function namedGuardians(
  reader: RowReader,
  prefix: WhoseFields,
  phones: PhoneReader,
  nameText: string,
): ImportedGuardian[] {
  const { text, checked } = reader
  const isInParts = text(`${prefix}name`) === ''
  const isWhole =
    nameText === joinNameParts(text(`${prefix}first_name`), text(`${prefix}last_name`))
  const contact = contactIn(
    isInParts && isWhole
      ? nameOfParts(text(`${prefix}first_name`), text(`${prefix}last_name`))
      : parseName(nameText),
  )
  const [first, second] = coupleIn(contact.name)
  const guardian = {
    name: checked(`${prefix}name`, withHyphens(first), RULES.name),
    relation: relationOf(text(`${prefix}relation`)) ?? contact.relation,
    email: addressIn(reader, `${prefix}email`, RULES.email),
    phone: phones.phone(`${prefix}phone`, RULES.phone, contact.phone),
  }
  if (!guardian.name && !guardian.email && !guardian.phone) return []
  const spouse = second ? checked(`${prefix}name`, withHyphens(second), RULES.name) : null
  return spouse
    ? [guardian, { name: spouse, relation: null, email: null, phone: null }]
    : [guardian]
}

const withHyphens = (name: string) => name.replaceAll(/(?<=\p{L})[‒–−](?=\p{L})/gu, '-')

const joinNameParts = (first: string, last: string) => `${first} ${last}`.trim()

function nameIn(cells: readonly GuardianCell[]): string {
  const text = (part: string) => cells.find((cell) => cell.part === part)?.text ?? ''
  return text('name') || joinNameParts(text('first_name'), text('last_name'))
}

type EmergencyContact = {
  name: string
  phone: string
  relation: Relation | null
  /** No cell forbids calling them. */
  isReachable: boolean
}

/** Leaves out anybody with whom contact is forbidden, and the dead. */
export function emergencyContactIn(reader: RowReader, phones: PhoneReader): EmergencyContact {
  const [name] = reader.filled('emergency_contact_name')
  const phoneCells = reader.filled('emergency_contact_phone')
  const nameWords = readContactWords(name?.text ?? '', null)
  const words =
    nameWords.reason === 'forbidden' || nameWords.reason === 'absent'
      ? name?.text
      : phoneCells.map(({ text }) => refusalOfNumber(phones, text)).find((text) => text !== null)
  if (words !== undefined) {
    const cells = [...(name ? [name] : []), ...phoneCells]
    reader.notes.push(...cells.map((cell) => labelWords(cell, cell.text, 'Emergency contact')))
    if (forbidsContact(fold(words)) || nameWords.reason === 'forbidden')
      for (const { text } of cells) phones.refuse(text, `Emergency contact: ${words}`.slice(0, 200))
    reader.notices.push({
      field: name ? 'emergency_contact_name' : 'emergency_contact_phone',
      message: `Not added as an emergency contact: the sheet says “${words}”. Saved in notes`,
    })
    return { name: '', phone: '', relation: null, isReachable: false }
  }
  if (name) keepWarning(reader, 'emergency_contact_name', name, nameWords)
  if (name && nameWords.noTexts !== null)
    phones.refusals.set('emergency_contact_phone', labelWords(name, name.text))
  return { ...contactIn(nameWords.text), isReachable: true }
}

function refusalOfNumber(phones: PhoneReader, text: string): string | null {
  if (forbidsContact(fold(text)) || isAbsent(text)) return text
  return phones.refusalOf(text) ?? null
}

function relationOfCells(cells: readonly GuardianCell[]): Relation | null {
  const relation = cells.find(({ part }) => part === 'relation')
  const name = cells.find(({ part }) => part.endsWith('name'))
  return relationIn(fold(relation?.text ?? '')) ?? relationIn(fold(name?.heading ?? ''))
}

type Refusal = { reason: NoGuardian; cell: GuardianCell; words: string }

function refusalIn(
  { cells, relation, written }: GuardianCells,
  warnings: readonly string[],
): Refusal | null {
  const [cell] = cells
  if (!cell) return null
  if (written.reason !== null) return { reason: written.reason, cell, words: cell.text }
  for (const otherCell of cells) {
    const reason = refusalOfCell(otherCell, relation)
    if (reason !== null) return { reason, cell: otherCell, words: otherCell.text }
  }
  const warning = warnings.find((text) =>
    forbiddenParents(text).some((parent) => parent === relation),
  )
  return warning === undefined ? null : { reason: 'forbidden', cell, words: warning }
}

function refusalOfCell({ part, text }: GuardianCell, relation: Relation | null): NoGuardian | null {
  if (part === 'email') return forbidsContact(fold(text)) ? 'forbidden' : null
  if (part === 'phone') {
    if (forbidsContact(fold(text))) return 'forbidden'
    return isAbsent(text) ? 'absent' : null
  }
  if (part !== 'relation') return null
  const { reason } = readContactWords(text, relation)
  return reason === 'nobody' ? null : reason
}

function withhold(
  reader: RowReader,
  phones: PhoneReader,
  cells: readonly GuardianCell[],
  { reason, cell, words }: Refusal,
): void {
  const isNobody = reason === 'nobody'
  const isContact = ({ part }: GuardianCell) => part === 'email' || part === 'phone'
  const keptCells = isNobody ? cells.filter(isContact) : cells
  if (keptCells.length === 0) return
  reader.notes.push(...keptCells.map((keptCell) => labelWords(keptCell, keptCell.text)))
  if (reason === 'forbidden')
    for (const { text } of cells) phones.refuse(text, labelWords(cell, words))
  const quotes = keptCells.map(({ text }) => `“${text}”`).join(', ')
  const fate = isNobody ? `Saved in notes: ${quotes}` : 'Saved in notes'
  const reasonText = `the sheet says “${words.slice(0, 200)}”`
  reader.notices.push({
    field: cell.field,
    message: `Not added as a guardian: ${reasonText}. ${fate}`,
  })
}

const labelWords = ({ heading }: FilledCell, words: string, fallback = 'Guardian') =>
  `${heading || fallback}: ${words}`.slice(0, 200)

/** "Ken Adams Jr.", even if the first name is "Ken Jr." */
export function nameOfParts(first: string, last: string): string {
  const [givenName, surname] = [first, last].map((part) => part.replaceAll(',', ' ').trim())
  return parseName(givenName && surname ? `${surname}, ${givenName}` : `${givenName}${surname}`)
}

const RELATION_WORDS: [Relation, RegExp][] = [
  ['mother', /\b(stepmother|stepmom|mother|mom|mommy|mum|mama|mutter|madre|mere)\b/],
  ['father', /\b(stepfather|stepdad|father|dad|daddy|papa|vater|padre|pere)\b/],
  ['grandparent', /\b(grand(parent|mother|father|ma|pa)|oma|opa|abuel[ao])\b/],
  ['guardian', /\b(guardian|parent|legal guardian|eltern)\b/],
]
/** `other` for an unknown word, null for none. */
function relationOf(cell: string): Relation | null {
  const words = fold(cell)
  return words === '' ? null : (relationIn(words) ?? 'other')
}
const relationIn = (words: string) =>
  RELATION_WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? null

const PHONE_IN_WORDS = /\+?[\d(][\d\s().-]{5,}\d/
/** Splits "Ann Adams (mother) 512-555-0143" into its parts. */
function contactIn(cell: string): {
  name: string
  phone: string
  relation: Relation | null
} {
  const phoneNumber = PHONE_IN_WORDS.exec(cell)?.[0] ?? ''
  const words = cell.replace(phoneNumber, ' ')
  const [aside = '', insideBrackets = ''] =
    /[([]([^)\]]*)[)\]]|(?:[-–,:]\s*)(\p{L}+)\s*$/u.exec(words) ?? []
  const relation = relationIn(fold(insideBrackets || aside))
  const name = relation ? words.replace(aside, ' ') : words
  return {
    name: parseName(name.replace(/[\s,:;–-]+$/u, '').trim()),
    phone: phoneNumber.trim(),
    relation,
  }
}

function coupleIn(name: string): [string, string?] {
  const [, firstName, secondName] = /^(\P{N}+?)\s*(?:&|\+|\/|\band\b)\s*(\P{N}+)$/u.exec(name) ?? []
  if (!firstName || !secondName) return [name]
  const surname =
    firstName.includes(' ') || !secondName.includes(' ') ? '' : ` ${surnameOf(secondName)}`
  return [`${firstName}${surname}`, secondName]
}
