import { normalizeText } from './values.ts'
import { joinLines, regex } from './patterns.ts'

const OTHER_PERSON = joinLines`
  parents?|guardians?|mothers?|moms?|mums?|fathers?|dads?|emergency( contact)?|mutter|vater|madre
  |padre`
const IS_OTHER_PERSON = new RegExp(
  String.raw`^(${OTHER_PERSON})( (or )?(${OTHER_PERSON}))*( s)?( \d)?$`,
)
export const MENTIONS_OTHER_PERSON = new RegExp(
  joinLines`
    \b(${OTHER_PERSON}|billing|payer|bill to|doctor s?|physician|dentist|school|teachers?
    |instructors?|coach|sensei|referr\w*|sponsor|siblings?|brothers?|sisters?|spouse|wife|husband
    |partner|grand(mother|father|parents?|ma|pa)|step(mother|mom|father|dad)|nanny|sitter|pick ?up
    |authorized)\b`,
)
const STUDENT = joinLines`
  students?|members?|child|childs|children|childrens|participants?|athletes?|campers?|kids?
  |players?|trainees?|pupils?|clients?|customers?|applicants?|registrants?|youth|minor|karateka`
const STUDENT_BEFORE = regex('i')`^(the )?(${STUDENT})(['’]s|s['’])?[\s:/-]+`
const STUDENT_AFTER = new RegExp(
  String.raw`[\s:(-]+(of |for )?(the |your )?(${STUDENT})(['’]s)?$`,
  'i',
)
/** "Name of parent", "Phone: mother" */
const PERSON_AFTER = new RegExp(
  String.raw`^(.+?)(?:\s+[-–—:]\s*|:\s*|\s+of (?:the )?|\s+)([^-–—:]+)$`,
  'i',
)

/** "Student's birthday" becomes "birthday", and "Name of parent" becomes "parent Name". */
export function simplifyHeading(heading: string): string {
  const asides = [...heading.matchAll(/\(([^)]*)\)/g)].map(([, aside = '']) => aside)
  const bareText = heading
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s:*?]+$/, '')
    .trim()
  const person = asides.find((aside) => IS_OTHER_PERSON.test(normalizeText(aside)))
  if (person !== undefined) return `${person} ${bareText}`
  const [, detail, owner] = PERSON_AFTER.exec(bareText) ?? []
  if (detail && owner && IS_OTHER_PERSON.test(normalizeText(owner))) return `${owner} ${detail}`
  const withoutStudent = bareText.replace(STUDENT_BEFORE, '').replace(STUDENT_AFTER, '')
  return withoutStudent === '' ? bareText : withoutStudent
}
