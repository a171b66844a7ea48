import {
  isContactPreferenceHeading,
  isNoTextsHeading,
  isTextConsentHeading,
} from './consent-headings.ts'
import { HEADINGS } from './heading-list.ts'
import { MENTIONS_OTHER_PERSON, simplifyHeading } from './plain-heading.ts'
import { spellOutPerson } from './person-headings.ts'
import { parsePresenceHeading } from './presence-headings.ts'
import { normalizeText } from './values.ts'
import { regex } from './patterns.ts'
import { IMPORT_FIELDS, type ImportField } from './import-fields.ts'

export const FIELD_BY_HEADING = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [normalizeText(field), ...(HEADINGS[field] ?? '').split('|')]
      .filter(Boolean)
      .map((heading) => [heading, field] as const),
  ),
)

const GUARDIAN_HEADING = regex()`
  ^(?:primary |billing |responsible |legal )?(?:(second|2nd|other) )?(guardian parent
  |parent guardian|parent legal guardian|legal guardian|parents? (?:or
  |and) (?:legal )?guardians?|guardians? (?:or|and) parents?|parents?|guardians?|mothers?|moms?
  |mums?|fathers?|dads?|responsible party|eltern|mutter|vater|madre|padre|mere|pere
  |erziehungsberechtigte[rn]?|responsable legal|representante legal|account holder|buyer|payer|bill payer|head of household)(?: s)?(?: (1
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

const NOT_A_FIELD = regex()`
  \b(id|number of|timestamp|submit\w*|submission|completed|completion|responded|address|street
  |city|state|zip|postal|country|join|joined|start|started|signup|signed|created|last|next
  |expir\w*|renew\w*|attend\w*|visits?|balance|age|due|paid|tags?|password|username|photo|waiver
  |source|promot\w*|stripes?|membership|referr\w*|since|end)\b`

/** "Email opt out", "Email status" */
const NOT_AN_ADDRESS = /\b(opt(ed)? ?(in|out)|(un)?subscri\w+|consent\w*|status|bounced?)\b/

/** The end of "Birthday mm/dd/yyyy", with the space before it. */
const ANSWER_FORMAT = regex()`
  [ ](optional|required|mm dd yyyy|dd mm yyyy|yyyy mm dd|m d y|y n|yes no|yes or no|y or n
  |true false|t f|flag)$`

export const normalizeHeading = (heading: string): string =>
  normalizeText(
    heading
      .replaceAll('_', ' ')
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 '),
  )
    .replaceAll(/\bcancell/g, 'cancel')
    .replaceAll(/\bph\b/g, 'phone')
    .replaceAll(/\bbal\b/g, 'balance')
    .replaceAll(/\bpmt\b/g, 'payment')
    .replace(ANSWER_FORMAT, '')

export function parseHeading(writtenHeading: string): ImportField | '' | undefined {
  const heading = spellOutPerson(writtenHeading)
  const field = parseSimpleHeading(heading)
  if (field) return field
  const simpleHeading = simplifyHeading(heading)
  const simpleField = simpleHeading === heading ? undefined : parseSimpleHeading(simpleHeading)
  if (simpleField) return simpleField
  const words = normalizeHeading(simpleHeading)
  return parseQuestion(words) ?? field ?? (MENTIONS_OTHER_PERSON.test(words) ? '' : undefined)
}

function parseQuestion(words: string): ImportField | undefined {
  if (/^emergency\b.*\bname\b.*\b(phone|number|cell)\b/.test(words)) return 'emergency_contact_name'
  if (/^(which|what) class(es)?\b/.test(words)) return 'classes'
  if (CONSENT_MATTER.test(words)) return undefined
  if (/\bmedical\b/.test(words)) return 'medical_note'
  return /\ballerg(y|ies)\b/.test(words) ? 'allergies' : undefined
}

const CONSENT_MATTER = regex()`
  \b(consent|release|waiver|insurance|doctor|physician|provider|treatment|policy|number|phone
  |form|date|signed|agree)\b`

function parseSimpleHeading(heading: string): ImportField | '' | undefined {
  const words = normalizeHeading(heading)
  const listedField =
    FIELD_BY_HEADING.get(words) ??
    FIELD_BY_HEADING.get(normalizeText(heading)) ??
    (HOUSEHOLD.test(words) ? 'last_name' : undefined) ??
    (/^[$€£]+$/.test(heading.trim()) ? 'monthly_payment_amount' : undefined)
  if (listedField) return listedField
  const [, second, , number, partWords = ''] = GUARDIAN_HEADING.exec(words) ?? []
  const part =
    GUARDIAN_HEADING.test(words) &&
    GUARDIAN_PARTS.find(([, pattern]) => pattern.test(partWords))?.[0]
  if (part) {
    const isSecond = second || number === '2' || number === 'two'
    return `guardian_${isSecond ? '2_' : ''}${part}` as ImportField
  }
  if (isNoTextsHeading(words)) return 'no_texts'
  if (isTextConsentHeading(words)) return 'text_consent'
  if (isContactPreferenceHeading(words)) return 'contact_preference'
  if (/\be ?mails?\b/.test(words))
    return NOT_A_FIELD.test(words) || NOT_AN_ADDRESS.test(words) ? '' : undefined
  return parsePresenceHeading(words) ?? (NOT_A_FIELD.test(words) ? '' : undefined)
}

/** The student's surname, if no other column has it. */
export const HOUSEHOLD =
  /^(family|household)( last| sur)? ?name$|^(family|household)$|^familien ?name$/

export function parentInHeading(heading: string): 'mother' | 'father' | null {
  const words = normalizeText(simplifyHeading(heading))
  if (/^(mother|mom|mum|mutter|madre|mere)/.test(words)) return 'mother'
  return /^(father|dad|vater|padre|pere)/.test(words) ? 'father' : null
}

const MAX_HEADING_ROW = 10
const LONGEST_HEADING = 60
function isHeading(cell: string): boolean {
  const field = cell.length <= LONGEST_HEADING ? parseHeading(cell) : undefined
  if (field === 'is_active' || field === 'has_left' || field === 'left_reason') return false
  return (
    field !== undefined &&
    !/^(texts?|sms|stop|(un)?subscribed?|opted (in|out))$/.test(normalizeText(cell))
  )
}

export function findHeadingRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, MAX_HEADING_ROW).map((row) => row.filter(isHeading).length)
  const highestCount = Math.max(...counts, 0)
  const row = counts.indexOf(highestCount)
  const filledCount = rows[row]?.filter((cell) => cell.trim() !== '').length ?? 0
  return highestCount >= 2 || (highestCount === 1 && filledCount <= 2) ? row : -1
}
