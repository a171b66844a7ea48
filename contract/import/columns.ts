import {
  isContactPreferenceHeading,
  isNoTextsHeading,
  isTextConsentHeading,
  mayHoldNumbers,
} from './consent-headings.ts'
import { HEADINGS } from './heading-list.ts'
import { fieldOfValues, isMost, isPhone, SAMPLE } from './column-looks.ts'
import { OF_ANOTHER_PERSON, plainHeading } from './heading-words.ts'
import { withOwners } from './heading-groups.ts'
import { withNameParts } from './name-columns.ts'
import { hasBareStatuses, isRoleColumn } from './roles.ts'
import { presenceFieldOf } from './presence-headings.ts'
import { isStatusWord, parseStatus } from './status.ts'
import { cellText, fold, isNothing, parseFlag } from './values.ts'
import { regex } from './patterns.ts'

/** What a column can mean, in the order in which the screen offers it. */
export const IMPORT_FIELDS = [
  'name',
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'belt_level',
  'date_of_birth',
  'gender',
  'emergency_contact_name',
  'emergency_contact_phone',
  'classes',
  'monthly_payment_amount',
  'payment_method',
  'status',
  'is_active',
  'has_left',
  'left_on',
  'left_reason',
  'member_type',
  'is_trial',
  'on_vacation',
  'no_texts',
  'text_consent',
  'contact_preference',
  'guardian_name',
  'guardian_first_name',
  'guardian_last_name',
  'guardian_relation',
  'guardian_email',
  'guardian_phone',
  'guardian_no_texts',
  'guardian_text_consent',
  'guardian_2_name',
  'guardian_2_first_name',
  'guardian_2_last_name',
  'guardian_2_relation',
  'guardian_2_email',
  'guardian_2_phone',
  'guardian_2_no_texts',
  'guardian_2_text_consent',
  'allergies',
  'medical_note',
  'private_notes',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** A longer heading is cut. */
export const MAX_HEADING = 200

const FIELD_OF_HEADING = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [fold(field), ...(HEADINGS[field] ?? '').split('|')]
      .filter(Boolean)
      .map((heading) => [heading, field] as const),
  ),
)

const GUARDIAN = regex()`
  ^(?:primary |billing |responsible |legal )?(?:(second|2nd|other) )?(guardian parent
  |parent guardian|parent legal guardian|legal guardian|parents? (?:or
  |and) (?:legal )?guardians?|guardians? (?:or|and) parents?|parents?|guardians?|mothers?|moms?
  |mums?|fathers?|dads?|responsible party|eltern|mutter|vater|madre|padre|mere|pere
  |erziehungsberechtigte[rn]?|responsable legal|representante legal|account holder)(?: s)?(?: (1
  |2|one|two))?(?: s)?(?: (.+))?$`
const GUARDIAN_PARTS: [part: string, pattern: { test: (words: string) => boolean }][] = [
  ['first_name', /^(first|given) name$|^first$/],
  ['last_name', /^(last|family) name$|^last$|^surname$/],
  ['email', /^(primary )?e ?mail( address)?$/],
  [
    'phone',
    regex()`
      ^(cell|mobile|home|work|business|office|day|daytime|evening|other|alternate|secondary
      |primary|contact)? ?(phone|cell|mobile|number|telephone|telefon)( number)?( \d)?$`,
  ],
  ['relation', /^relation(ship)?( to student| to child)?$/],
  ['name', /^(full )?name$|^$|^\d$/],
  ['no_texts', { test: isNoTextsHeading }],
  ['text_consent', { test: isTextConsentHeading }],
]

/** Headings of other dates, numbers and names, whatever their values look like. */
const NOT_A_FIELD = regex()`
  \b(id|number of|timestamp|submit\w*|submission|completed|completion|responded|address|street
  |city|state|zip|postal|country|join|joined|start|started|signup|signed|created|last|next
  |expir\w*|renew\w*|attend\w*|visits?|balance|age|due|paid|tags?|password|username|photo|waiver
  |source|promot\w*|stripes?|membership|referr\w*|since|end)\b`

/** "Email opt out", "Email status" */
const NOT_AN_ADDRESS = /\b(opt(ed)? ?(in|out)|(un)?subscri\w+|consent\w*|status|bounced?)\b/

const ANSWER_FORMAT = regex()`
  (optional|required|mm dd yyyy|dd mm yyyy|yyyy mm dd|m d y|y n|yes no|yes or no|y or n
  |true false|t f|flag)$`

/** The folded words of a heading; splits smsOptOut and sms_opt_out, too. */
const wordsOfHeading = (heading: string): string =>
  fold(
    heading
      .replaceAll('_', ' ')
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 '),
  )
    .replaceAll(/\bcancell/g, 'cancel')
    .replace(ANSWER_FORMAT, '')

/** The field of a heading; '' for a known heading of no field, undefined for an unknown one. */
export function fieldOfHeading(heading: string): ImportField | '' | undefined {
  const field = fieldOfPlainHeading(heading)
  if (field) return field
  const plain = plainHeading(heading)
  const plainField = plain === heading ? undefined : fieldOfPlainHeading(plain)
  if (plainField) return plainField
  const words = wordsOfHeading(plain)
  return fieldOfQuestion(words) ?? field ?? (OF_ANOTHER_PERSON.test(words) ? '' : undefined)
}

/** Questions of forms: "Any allergies or medical conditions?" */
function fieldOfQuestion(words: string): ImportField | undefined {
  if (/^emergency\b.*\bname\b.*\b(phone|number|cell)\b/.test(words)) return 'emergency_contact_name'
  if (OF_CONSENT.test(words)) return undefined
  if (/\bmedical\b/.test(words)) return 'medical_note'
  return /\ballerg(y|ies)\b/.test(words) ? 'allergies' : undefined
}
const OF_CONSENT = regex()`
  \b(consent|release|waiver|insurance|doctor|physician|provider|treatment|policy|number|phone
  |form|date|signed|agree)\b`

function fieldOfPlainHeading(heading: string): ImportField | '' | undefined {
  const words = wordsOfHeading(heading)
  const listedField =
    FIELD_OF_HEADING.get(words) ??
    FIELD_OF_HEADING.get(fold(heading)) ??
    (HOUSEHOLD.test(words) ? 'last_name' : undefined) ??
    (/^[$€£]+$/.test(heading.trim()) ? 'monthly_payment_amount' : undefined)
  if (listedField) return listedField
  const [, second, , number, partWords = ''] = GUARDIAN.exec(words) ?? []
  const part =
    GUARDIAN.test(words) && GUARDIAN_PARTS.find(([, pattern]) => pattern.test(partWords))?.[0]
  if (part) {
    const isSecond = second || number === '2' || number === 'two'
    return `guardian_${isSecond ? '2_' : ''}${part}` as ImportField
  }
  if (isNoTextsHeading(words)) return 'no_texts'
  if (isTextConsentHeading(words)) return 'text_consent'
  if (isContactPreferenceHeading(words)) return 'contact_preference'
  if (/\be ?mails?\b/.test(words))
    return NOT_A_FIELD.test(words) || NOT_AN_ADDRESS.test(words) ? '' : undefined
  return presenceFieldOf(words) ?? (NOT_A_FIELD.test(words) ? '' : undefined)
}

/** Taken for the student's surname only if there is no other. */
const HOUSEHOLD = /^(family|household)( last| sur)? ?name$|^(family|household)$|^familien ?name$/
/** Headings that name the student win over those of a household. */
const OF_STUDENT = /^(student|member|child|participant|athlete|trainee)\b/

function parentIn(heading: string): 'mother' | 'father' | null {
  const words = fold(plainHeading(heading))
  if (/^(mother|mom|mum|mutter|madre|mere)/.test(words)) return 'mother'
  return /^(father|dad|vater|padre|pere)/.test(words) ? 'father' : null
}

const HEADING_ROWS = 10

/** "Active", "Cancelled" and "Text" are as often values as headings. */
function isHeading(cell: string): boolean {
  const field = cell.length <= 60 ? fieldOfHeading(cell) : undefined
  if (field === 'is_active' || field === 'has_left' || field === 'left_reason') return false
  return (
    field !== undefined && !/^(texts?|sms|stop|(un)?subscribed?|opted (in|out))$/.test(fold(cell))
  )
}

/** The index of the row with the most headings among the first ten; -1 if there is none. */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, HEADING_ROWS).map((row) => row.filter(isHeading).length)
  const best = Math.max(...counts, 0)
  const row = counts.indexOf(best)
  const filledCount = rows[row]?.filter((cell) => cell.trim() !== '').length ?? 0
  return best >= 2 || (best === 1 && filledCount <= 2) ? row : -1
}

/** Fields that may have several columns, all of which are read. */
const REPEATED_FIELDS: ReadonlySet<string> = new Set<ImportField>([
  'phone_number',
  'emergency_contact_phone',
  'guardian_phone',
  'guardian_2_phone',
  'status',
  'is_active',
  'has_left',
  'left_on',
  'left_reason',
  'member_type',
  'no_texts',
  'text_consent',
  'contact_preference',
  'guardian_no_texts',
  'guardian_text_consent',
  'guardian_2_no_texts',
  'guardian_2_text_consent',
])

/**
 * What each column means by its heading, else by its values; null for a column that is left out.
 * Only the `REPEATED_FIELDS` are given to more than one column.
 */
export function guessFields(
  writtenHeadings: readonly string[],
  rows: readonly (readonly string[])[],
  today: string,
): (ImportField | null)[] {
  const headings = withOwners(writtenHeadings, {
    ownerOf,
    isWholeName: (heading) => fieldOfHeading(heading) === 'name',
    isNamePart: (heading) => ['first_name', 'last_name'].includes(fieldOfHeading(heading) ?? ''),
  })
  const namedByHeading = withParents(headings, headings.map(fieldOfHeading))
  const namedByValues = namedByHeading.map((field, column) =>
    checkedByValues(field, headings[column] ?? '', valuesOf(rows, column)),
  )
  const namedFields = withNameParts(
    namedByValues.map((field, column) => ({
      field,
      words: wordsOfHeading(headings[column] ?? ''),
      values: valuesOf(rows, column),
    })),
    (words) => HOUSEHOLD.test(words),
  )
  const columnOf = columnsByField(headings, namedFields)
  const first = namedFields.map((field, column) => {
    if (!field) return field === undefined ? undefined : null
    return REPEATED_FIELDS.has(field) || columnOf.get(field) === column ? field : null
  })
  const takenFields = new Set<string>(columnOf.keys())
  if (takenFields.has('first_name') || takenFields.has('last_name')) takenFields.add('name')
  return first.map((field, column) => {
    const words = wordsOfHeading(headings[column] ?? '')
    if (field !== undefined) return field
    const values = valuesOf(rows, column)
    const guessedField = fieldOfValues(
      values,
      today,
      EVENT.test(words) ? withBirthday(takenFields) : takenFields,
    )
    if (guessedField) takenFields.add(guessedField)
    return guessedField
  })
}

/** The person whom the columns after this heading may be about. */
function ownerOf(heading: string): string | null {
  const field = fieldOfHeading(heading) ?? ''
  if (field === 'emergency_contact_name') return 'Emergency contact'
  if (!/^guardian_.*name$/.test(field)) return null
  return parentIn(heading) ?? (field.startsWith('guardian_2_') ? 'Guardian 2' : 'Guardian')
}

/** Headings of days that are no birthdays. */
const EVENT = regex()`
  \b(timestamp|submit\w*|submission|complet\w*|received|stamp|signed|waiver|respon\w*|date|on|at
  |since|from|until|till|through|time|stop\w*|out|in|first|registered|registration|enroll\w*
  |entered|changed|modified|updated|test\w*|grad\w*)\b`
const withBirthday = (takenFields: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...takenFields, 'date_of_birth'])

type NamedField = ImportField | '' | undefined

const valuesOf = (rows: readonly (readonly string[])[], column: number) =>
  rows.map((row) => row[column] ?? '')

/** Corrects what a heading means by the values below it. */
function checkedByValues(
  field: NamedField,
  heading: string,
  values: readonly string[],
): NamedField {
  const texts = values
    .map(cellText)
    .filter((text) => !isNothing(text))
    .slice(0, SAMPLE)
  if (texts.length === 0) return field
  const words = wordsOfHeading(heading)
  if (field === 'name' && BARE_NAME.test(words)) return checkedName(words, texts)
  // "Cell (OK to text)" is a column of numbers.
  if (field === 'text_consent' && mayHoldNumbers(words) && isMost(texts, isPhone))
    return 'phone_number'
  // A grade is a belt only where one is written there.
  if (
    field === 'belt_level' &&
    texts.every((text) => /^(k|pre k|\d{1,2}(st|nd|rd|th)?)$/.test(fold(text)))
  )
    return ''
  if (!field && isRoleColumn(words, texts)) return 'member_type'
  if (!field || field === 'classes') return statusFieldOf(words, texts, field)
  const isListed = FIELD_OF_HEADING.has(words) || FIELD_OF_HEADING.has(fold(heading))
  return !isListed && PRESENCE.has(field) && !texts.some(saysPresence) ? '' : field
}

function statusFieldOf(heading: string, texts: readonly string[], field: NamedField): NamedField {
  if (isStatusColumn(heading, texts, field === 'classes')) return 'status'
  return !field && hasBareStatuses(heading, texts) ? 'member_type' : field
}

/** Below such a heading are names, or who is a member or on which plan. */
const BARE_NAME = /^(student|member|participant|athlete|child|mitglied|schuler)$/
const PLAN = regex('i')`
  ^(gold|silver|bronze|platinum|diamond|basic|premium|standard|vip|monthly|annual|yearly
  |unlimited|adults?|child|kids?|teens?|juniors?|seniors?|family|full|regular|member|student)$`

function checkedName(heading: string, texts: readonly string[]): NamedField {
  if (isMost(texts, (text) => parseFlag(text) !== null))
    return heading === 'child' ? '' : 'is_active'
  if (isStatusColumn(heading, texts, false)) return 'status'
  const isNoName = (text: string) => PLAN.test(text) || !/\p{L}{2}/u.test(text)
  return isMost(texts, isNoName) ? '' : 'name'
}

const PRESENCE: ReadonlySet<string> = new Set<ImportField>([
  'status',
  'is_active',
  'has_left',
  'left_on',
])
const saysPresence = (text: string) =>
  parseFlag(text) !== null ||
  parseStatus(text, '2000-01-01') !== null ||
  /\d{4}|\d[/.-]\d/.test(text)

/** Other things that may be active, canceled or expired. */
const NOT_OF_STUDENT = regex()`
  \b(waiver|cards?|payments?|billing|invoices?|insurance|autopay|auto pay|e ?mail|belt|loan
  |background|certificat\w*|licen[sc]e|text|sms)\b`

/** Whether the values are words of a status. */
function isStatusColumn(heading: string, texts: readonly string[], isStrict: boolean): boolean {
  if (NOT_OF_STUDENT.test(heading) || !texts.some(isStatusWord)) return false
  const isStatus = (text: string) => parseStatus(text, '2000-01-01') !== null
  return isStrict ? texts.every(isStatus) : isMost(texts, isStatus)
}

/** The column of each field: the student's before the household's, else the first. */
function columnsByField(
  headings: readonly string[],
  fields: readonly NamedField[],
): Map<ImportField, number> {
  const columnOf = new Map<ImportField, number>()
  const rank = (column: number) => {
    const words = wordsOfHeading(headings[column] ?? '')
    if (HOUSEHOLD.test(words)) return 2
    // "Member" beside "Name" is rarely a name.
    if (BARE_NAME.test(words)) return 3
    return OF_STUDENT.test(words) ? 0 : 1
  }
  for (const [column, field] of fields.entries()) {
    if (!field) continue
    const earlier = columnOf.get(field)
    if (earlier === undefined || rank(column) < rank(earlier)) columnOf.set(field, column)
  }
  return columnOf
}

/** With columns for mother and father, the second parent is the second guardian. */
function withParents(headings: readonly string[], fields: NamedField[]): NamedField[] {
  const parents = headings.map(parentIn)
  const firstParent = parents.find((parent) => parent !== null)
  return fields.map((field, column) =>
    field && parents[column] && parents[column] !== firstParent
      ? (field.replace(/^guardian_(?!2)/, 'guardian_2_') as ImportField)
      : field,
  )
}
