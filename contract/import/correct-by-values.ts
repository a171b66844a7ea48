import { mayHoldNumbers } from './consent-headings.ts'
import { mostTextsMatch, isPhone, SAMPLE_SIZE } from './guess-by-values.ts'
import { hasBareStatuses, isRoleColumn } from './roles.ts'
import { ANY_DAY, isStatusWord, parseStatus } from './status.ts'
import { parseAmount } from './amounts.ts'
import { cellText, normalizeText, isBlankValue, parseFlag } from './values.ts'
import { regex } from './patterns.ts'
import { type ImportField } from './import-fields.ts'
import { FIELD_BY_HEADING, normalizeHeading } from './heading-fields.ts'

/** '' is a heading that we know and do not import. An unknown heading is undefined. */
export type NamedField = ImportField | '' | undefined

export function correctByValues(
  field: NamedField,
  heading: string,
  values: readonly string[],
): NamedField {
  const texts = values
    .map(cellText)
    .filter((text) => !isBlankValue(text))
    .slice(0, SAMPLE_SIZE)
  if (texts.length === 0) return field
  const words = normalizeHeading(heading)
  if (field === 'name' && PERSON_WORD.test(words)) return correctName(words, texts)
  // "Cell (OK to text)" is a column of numbers.
  if (field === 'text_consent' && mayHoldNumbers(words) && mostTextsMatch(texts, isPhone))
    return 'phone_number'
  // "Parent #" is the parent's number.
  if (field && isPersonNameField(field) && mostTextsMatch(texts, isPhone))
    return PHONE_FIELD_BY_NAME_FIELD[field]
  // "Past Due" may also hold a yes or a date.
  if (field === 'balance' && /\bdue$/.test(words) && !mostTextsMatch(texts, isAmount)) return ''
  if (
    field === 'belt_level' &&
    texts.every((text) => /^(k|pre k|\d{1,2}(st|nd|rd|th)?)$/.test(normalizeText(text)))
  )
    return '' // school grades
  if (!field && isRoleColumn(words, texts)) return 'member_type'
  if (!field || field === 'classes') return correctStatus(words, texts, field)
  const isListedHeading =
    FIELD_BY_HEADING.has(words) || FIELD_BY_HEADING.has(normalizeText(heading))
  return !isListedHeading && PRESENCE_FIELDS.has(field) && !texts.some(isPresenceValue) ? '' : field
}

const PHONE_FIELD_BY_NAME_FIELD = {
  guardian_name: 'guardian_phone',
  guardian_2_name: 'guardian_2_phone',
  emergency_contact_name: 'emergency_contact_phone',
} as const satisfies Partial<Record<ImportField, ImportField>>
type PersonNameField = keyof typeof PHONE_FIELD_BY_NAME_FIELD
const isPersonNameField = (field: ImportField): field is PersonNameField =>
  field in PHONE_FIELD_BY_NAME_FIELD

const isAmount = (text: string) => !Number.isNaN(parseAmount(text))

function correctStatus(heading: string, texts: readonly string[], field: NamedField): NamedField {
  if (isStatusColumn(heading, texts, field === 'classes' ? 'all' : 'most')) return 'status'
  return !field && hasBareStatuses(heading, texts) ? 'member_type' : field
}

/** Columns with these headings may hold names, plans, or a yes for each member. */
export const PERSON_WORD = /^(students?|member|participant|athlete|child|mitglied|schuler)$/

const PLAN = regex('i')`
  ^(gold|silver|bronze|platinum|diamond|basic|premium|standard|vip|monthly|annual|yearly
  |unlimited|adults?|child|kids?|teens?|juniors?|seniors?|family|full|regular|member|student)$`

function correctName(heading: string, texts: readonly string[]): NamedField {
  if (mostTextsMatch(texts, (text) => parseFlag(text) !== null))
    return heading === 'child' ? '' : 'is_active'
  if (isStatusColumn(heading, texts, 'most')) return 'status'
  const isNotName = (text: string) => PLAN.test(text) || !/\p{L}{2}/u.test(text)
  return mostTextsMatch(texts, isNotName) ? '' : 'name'
}

const PRESENCE_FIELDS: ReadonlySet<string> = new Set<ImportField>([
  'status',
  'is_active',
  'has_left',
  'left_on',
])

const isPresenceValue = (text: string) =>
  parseFlag(text) !== null || parseStatus(text, ANY_DAY) !== null || /\d{4}|\d[/.-]\d/.test(text)

const NOT_ABOUT_STUDENT = regex()`
  \b(waiver|cards?|payments?|billing|invoices?|insurance|autopay|auto pay|e ?mail|belt|loan
  |background|certificat\w*|licen[sc]e|text|sms)\b`

function isStatusColumn(heading: string, texts: readonly string[], share: 'all' | 'most') {
  if (NOT_ABOUT_STUDENT.test(heading) || !texts.some(isStatusWord)) return false
  const isStatus = (text: string) => parseStatus(text, ANY_DAY) !== null
  return share === 'all' ? texts.every(isStatus) : mostTextsMatch(texts, isStatus)
}
