import { email, unrestrictedName, phone } from '../lib/fields.ts'
import type { Relation } from '../guardians/guardians.ts'
import type { ImportField } from './import-fields.ts'
import {
  type ContactWords,
  findForbiddenParents,
  forbidsContact,
  isAbsent,
  type NoGuardianReason,
  readContactWords,
} from './contacts.ts'
import { readEmail } from './emails.ts'
import type { PhoneReader } from './row-phones.ts'
import { type FilledCell, MAX_QUOTE_LENGTH, quoteCell, type RowReader } from './row-reader.ts'
import { normalizeText, parseName } from './values.ts'
import { surnameOf } from '../lib/name-parts.ts'

export type ImportedGuardian = {
  name: string | null
  relation: Relation | null
  email: string | null
  phone: string | null
}

const RULES = { email: email(), phone: phone('Phone number'), name: unrestrictedName('Name') }

type FieldPrefix = 'guardian_' | 'guardian_2_'
const PARTS = ['name', 'first_name', 'last_name', 'relation', 'email', 'phone'] as const
type GuardianCell = FilledCell & { part: (typeof PARTS)[number]; field: ImportField }
/** A name cell with one of these says that there is no guardian. It counts as filled. */
const NO_GUARDIAN = /^(n\/?a|none|nil)$/i

type GuardianCells = {
  prefix: FieldPrefix
  cells: GuardianCell[]
  relation: Relation | null
  contactWords: ContactWords
}

export function readGuardians(
  reader: RowReader,
  phones: PhoneReader,
  warnings: readonly string[],
): ImportedGuardian[] {
  const cellsOfGuardians = (['guardian_', 'guardian_2_'] as const).map((prefix) =>
    readGuardianCells(reader, prefix),
  )
  const allWarnings = [
    ...warnings,
    ...cellsOfGuardians.flatMap(({ contactWords }) => contactWords.warning ?? []),
  ]
  return cellsOfGuardians.flatMap((guardianCells) =>
    parseGuardianCells(reader, phones, guardianCells, allWarnings),
  )
}

function readGuardianCells(reader: RowReader, prefix: FieldPrefix): GuardianCells {
  const cells = PARTS.flatMap((part): GuardianCell[] => {
    const field: ImportField = `${prefix}${part}`
    const isNameField = part.endsWith('name')
    return reader
      .filledCells(field, isNameField ? NO_GUARDIAN : undefined)
      .map((cell) => ({ ...cell, part, field }))
  })
  const relation = findRelationInCells(cells)
  return {
    prefix,
    cells,
    relation,
    contactWords: readContactWords(joinNameCells(cells), relation),
  }
}

function parseGuardianCells(
  reader: RowReader,
  phones: PhoneReader,
  guardianCells: GuardianCells,
  warnings: readonly string[],
): ImportedGuardian[] {
  const { prefix, cells, contactWords } = guardianCells
  const refusal = findRefusal(guardianCells, warnings)
  if (refusal) {
    leaveOutGuardian(reader, phones, cells, refusal)
    return []
  }
  const nameCell = cells.find(({ part }) => part.endsWith('name'))
  if (nameCell) saveWarning(reader, nameCell.field, nameCell, contactWords)
  if (nameCell && contactWords.noTexts !== null)
    phones.refusals.set(`${prefix}phone`, quoteCell(nameCell.heading || 'Guardian', nameCell.text))
  return parseGuardians(reader, prefix, phones, contactWords.text)
}

function saveWarning(
  reader: RowReader,
  field: ImportField,
  cell: FilledCell,
  { warning }: ContactWords,
): void {
  if (warning === null) return
  reader.notes.push(quoteCell(cell.heading || 'Guardian', warning))
  reader.notices.push({ field, message: `Saved in notes: “${warning}”` })
}

function parseGuardians(
  reader: RowReader,
  prefix: FieldPrefix,
  phones: PhoneReader,
  nameText: string,
): ImportedGuardian[] {
  const { text, checkValue } = reader
  const hasOnlyNameParts = text(`${prefix}name`) === ''
  const isUnchanged =
    nameText === joinNameParts(text(`${prefix}first_name`), text(`${prefix}last_name`))
  const contact = splitContact(
    hasOnlyNameParts && isUnchanged
      ? parseNameParts(text(`${prefix}first_name`), text(`${prefix}last_name`))
      : parseName(nameText),
  )
  const [name, spouseName] = splitCouple(contact.name)
  const guardian = {
    name: checkValue(`${prefix}name`, withHyphens(name), RULES.name),
    relation: parseRelation(text(`${prefix}relation`)) ?? contact.relation,
    email: readEmail(reader, `${prefix}email`, RULES.email),
    phone: phones.readPhone(`${prefix}phone`, RULES.phone, contact.phone),
  }
  if (!guardian.name && !guardian.email && !guardian.phone) return []
  const spouse = spouseName
    ? checkValue(`${prefix}name`, withHyphens(spouseName), RULES.name)
    : null
  return spouse
    ? [guardian, { name: spouse, relation: null, email: null, phone: null }]
    : [guardian]
}

const withHyphens = (name: string) => name.replaceAll(/(?<=\p{L})[‒–−](?=\p{L})/gu, '-')

const joinNameParts = (first: string, last: string) => `${first} ${last}`.trim()

function joinNameCells(cells: readonly GuardianCell[]): string {
  const text = (part: string) => cells.find((cell) => cell.part === part)?.text ?? ''
  return text('name') || joinNameParts(text('first_name'), text('last_name'))
}

type EmergencyContact = {
  name: string
  phone: string
  relation: Relation | null
  isReachable: boolean
}

/** Leaves out a contact who has died or must not be contacted. */
export function readEmergencyContact(reader: RowReader, phones: PhoneReader): EmergencyContact {
  const [name] = reader.filledCells('emergency_contact_name')
  const phoneCells = reader.filledCells('emergency_contact_phone')
  const contactWords = readContactWords(name?.text ?? '', null)
  const refusalQuote =
    contactWords.reason === 'forbidden' || contactWords.reason === 'absent'
      ? name?.text
      : phoneCells
          .map(({ text }) => quoteRefusalOfNumber(phones, text))
          .find((text) => text !== null)
  if (refusalQuote !== undefined) {
    const cells = [...(name ? [name] : []), ...phoneCells]
    reader.notes.push(
      ...cells.map(({ heading, text }) => quoteCell(heading || 'Emergency contact', text)),
    )
    if (forbidsContact(normalizeText(refusalQuote)) || contactWords.reason === 'forbidden')
      for (const { text } of cells)
        phones.addOptOuts(text, quoteCell('Emergency contact', refusalQuote))
    const reason = `the sheet says “${refusalQuote}”`
    reader.notices.push({
      field: name ? 'emergency_contact_name' : 'emergency_contact_phone',
      message: `Not added as an emergency contact: ${reason}. Saved in notes`,
    })
    return { name: '', phone: '', relation: null, isReachable: false }
  }
  if (name) saveWarning(reader, 'emergency_contact_name', name, contactWords)
  if (name && contactWords.noTexts !== null)
    phones.refusals.set('emergency_contact_phone', quoteCell(name.heading || 'Guardian', name.text))
  return { ...splitContact(contactWords.text), isReachable: true }
}

function quoteRefusalOfNumber(phones: PhoneReader, text: string): string | null {
  if (forbidsContact(normalizeText(text)) || isAbsent(text)) return text
  return phones.findOptOutQuote(text) ?? null
}

function findRelationInCells(cells: readonly GuardianCell[]): Relation | null {
  const relation = cells.find(({ part }) => part === 'relation')
  const name = cells.find(({ part }) => part.endsWith('name'))
  return (
    findRelation(normalizeText(relation?.text ?? '')) ??
    findRelation(normalizeText(name?.heading ?? ''))
  )
}

type Refusal = { reason: NoGuardianReason; cell: GuardianCell; quote: string }

function findRefusal(
  { cells, relation, contactWords }: GuardianCells,
  warnings: readonly string[],
): Refusal | null {
  const [cell] = cells
  if (!cell) return null
  if (contactWords.reason !== null) return { reason: contactWords.reason, cell, quote: cell.text }
  for (const otherCell of cells) {
    const reason = findRefusalInCell(otherCell, relation)
    if (reason !== null) return { reason, cell: otherCell, quote: otherCell.text }
  }
  const warning = warnings.find((text) =>
    findForbiddenParents(text).some((parent) => parent === relation),
  )
  return warning === undefined ? null : { reason: 'forbidden', cell, quote: warning }
}

function findRefusalInCell(
  { part, text }: GuardianCell,
  relation: Relation | null,
): NoGuardianReason | null {
  if (part === 'email') return forbidsContact(normalizeText(text)) ? 'forbidden' : null
  if (part === 'phone') {
    if (forbidsContact(normalizeText(text))) return 'forbidden'
    return isAbsent(text) ? 'absent' : null
  }
  if (part !== 'relation') return null
  const { reason } = readContactWords(text, relation)
  return reason === 'nobody' ? null : reason
}

function leaveOutGuardian(
  reader: RowReader,
  phones: PhoneReader,
  cells: readonly GuardianCell[],
  { reason, cell, quote }: Refusal,
): void {
  const isNobody = reason === 'nobody'
  const isContact = ({ part }: GuardianCell) => part === 'email' || part === 'phone'
  const keptCells = isNobody ? cells.filter(isContact) : cells
  if (keptCells.length === 0) return
  reader.notes.push(...keptCells.map(({ heading, text }) => quoteCell(heading || 'Guardian', text)))
  if (reason === 'forbidden')
    for (const { text } of cells)
      phones.addOptOuts(text, quoteCell(cell.heading || 'Guardian', quote))
  const quotes = keptCells.map(({ text }) => `“${text}”`).join(', ')
  const outcome = isNobody ? `Saved in notes: ${quotes}` : 'Saved in notes'
  const reasonText = `the sheet says “${quote.slice(0, MAX_QUOTE_LENGTH)}”`
  reader.notices.push({
    field: cell.field,
    message: `Not added as a guardian: ${reasonText}. ${outcome}`,
  })
}

export function parseNameParts(first: string, last: string): string {
  const [givenName, surname] = [first, last].map((part) => part.replaceAll(',', ' ').trim())
  return parseName(givenName && surname ? `${surname}, ${givenName}` : `${givenName}${surname}`)
}

const RELATION_WORDS: [Relation, RegExp][] = [
  ['mother', /\b(stepmother|stepmom|mother|mom|mommy|mum|mama|mutter|madre|mere)\b/],
  ['father', /\b(stepfather|stepdad|father|dad|daddy|papa|vater|padre|pere)\b/],
  ['grandparent', /\b(grand(parent|mother|father|ma|pa)|oma|opa|abuel[ao])\b/],
  ['guardian', /\b(guardian|parent|legal guardian|eltern)\b/],
]
function parseRelation(cell: string): Relation | null {
  const words = normalizeText(cell)
  return words === '' ? null : (findRelation(words) ?? 'other')
}
const findRelation = (words: string) =>
  RELATION_WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? null

const PHONE_IN_WORDS = /\+?[\d(][\d\s().-]{5,}\d/
function splitContact(cell: string): {
  name: string
  phone: string
  relation: Relation | null
} {
  const phoneNumber = PHONE_IN_WORDS.exec(cell)?.[0] ?? ''
  const words = cell.replace(phoneNumber, ' ')
  const [aside = '', insideBrackets = ''] =
    /[([]([^)\]]*)[)\]]|(?:[-–,:]\s*)(\p{L}+)\s*$/u.exec(words) ?? []
  const relation = findRelation(normalizeText(insideBrackets || aside))
  const name = relation ? words.replace(aside, ' ') : words
  return {
    name: parseName(name.replace(/[\s,:;–-]+$/u, '').trim()),
    phone: phoneNumber.trim(),
    relation,
  }
}

function splitCouple(name: string): [string, string?] {
  const [, firstName, secondName] = /^(\P{N}+?)\s*(?:&|\+|\/|\band\b)\s*(\P{N}+)$/u.exec(name) ?? []
  if (!firstName || !secondName) return [name]
  const surname =
    firstName.includes(' ') || !secondName.includes(' ') ? '' : ` ${surnameOf(secondName)}`
  return [`${firstName}${surname}`, secondName]
}
