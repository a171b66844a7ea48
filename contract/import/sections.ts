import type { ImportField } from './import-fields.ts'
import { isHintRow } from './hints.ts'
import { parseBareStatus, parseStatus } from './status.ts'
import { cellText, fold, isNothing } from './values.ts'
import { joinLines, regex } from './patterns.ts'

/** A heading between students, or a sum below them. */
export type SectionKind = 'heading' | 'total'

const BARE_TOTAL = /^(grand |sub ?-?)?(totals?|average|avg|sum|count)\W*\d*$/i
const TOTAL =
  /^(grand |sub ?-?)?totals?\b|^(sum|average|avg|count|summe|gesamt|insgesamt)\W*\d*$|^number of\b/i
/** Folded words of group names. Each may also be part of a person's name. */
const GROUP_WORD = new RegExp(
  `^(${[
    joinLines`
      class(es)?|kids?|child|children|teens?|teenagers?|adults?|juniors?|seniors?|youths?|family
      |families|girls|boys|men|women|ladies`,
    joinLines`
      beginners?|intermediates?|advanced|groups?|teams?|squads?|programs?|sessions?|belts?
      |students?|members?|staff|instructors?|coaches`,
    joinLines`
      active|inactive|former|past|current|previous|old|new|trials?|prospects?|leads?|alumni
      |archived?|cancel+ed|roster|list|on|hold|frozen`,
    joinLines`
      karate|judo|jiu|jitsu|jujitsu|bjj|taekwondo|tkd|aikido|kung|fu|kickboxing|muay|thai|boxing
      |mma|wrestling|grappling|sparring`,
    joinLines`
      gi|nogi|no|competition|comp|fundamentals|basics|forms|weapons|self|defense|fitness
      |leadership|demo|open|mat|training|private|lessons?`,
    joinLines`
      tigers?|dragons?|cubs?|ninjas?|warriors?|lions?|eagles|sharks|bears|cobras|samurai
      |champions?|champs|tots?|pee|wee|preschool|toddlers?`,
    joinLines`
      tiny|little|mini|mighty|big|lil|micro|pre|first|level|stage|dan|kyu|white|yellow|orange
      |green|blue|purple|brown|red|black|gold|silver`,
    joinLines`
      (mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thu(rs)?|fri|sat|weekdays?
      |weekends?|morning|afternoon|evening|night|noon`,
    joinLines`
      ages?|years?|yrs?|and|the|of|in|for|all|revenue|total|totals|grand|sub|subtotal|[ivx]+|p|k
      |\d+\w*|am|pm|at|to`,
  ].join('|')})$`,
)
const isGroupName = (name: string) => {
  const words = fold(name).split(' ')
  return words.every((word) => GROUP_WORD.test(word))
}
const SECTION = regex('i')`
  \b(class|classes|members|students|roster|program|instructor)\b|\d\s*(am|pm)\b|\d:\d\d
  |\d\s*[-–]\s*\d|^\d|:|^[#=*]|^page \d|^(printed|generated|report|list|exported)\b`
/** "- no show -", "*** Kids ***" */
const BETWEEN_SIGNS = /^[-–—*=#~_]+[^-–—*=#~_]+[-–—*=#~_]+$/
const isGroup = (name: string) =>
  SECTION.test(name) ||
  BETWEEN_SIGNS.test(name) ||
  isGroupName(name) ||
  parseBareStatus(name, '2000-01-01') !== null
const OF_PEOPLE: ReadonlySet<ImportField> = new Set<ImportField>([
  'email',
  'phone_number',
  'date_of_birth',
  'belt_level',
  'guardian_email',
  'guardian_phone',
])
const NAMES: ReadonlySet<ImportField> = new Set<ImportField>(['name', 'first_name', 'last_name'])

type FilledFields = { name: string; filled: ImportField[]; isHint: boolean }

export function filledFields(
  columns: readonly ImportField[],
  cells: readonly string[],
): FilledFields {
  const names: string[] = []
  const fields: ImportField[] = []
  for (const [index, field] of columns.entries()) {
    const text = cellText(cells[index] ?? '')
    if (isNothing(text)) continue
    // A count of students may stand below the birthdays.
    if (field !== 'date_of_birth' || !/^\d{1,3}$/.test(text)) fields.push(field)
    if (NAMES.has(field)) names.push(text)
  }
  const name = names.join(' ')
  return { name, filled: fields, isHint: isHintRow(cells, name) }
}

/** In a list of names alone, nothing tells a heading from a name. */
export function sectionRows(rows: readonly FilledFields[]): Map<number, SectionKind> {
  const full = rows.filter(({ filled }) => filled.length > 1)
  const isMost = (count: number) => count * 2 > full.length
  const isInCapitals = isMost(full.filter(({ name }) => isCapitals(name)).length)
  const haveSurnames = isMost(full.filter(({ name }) => name.includes(' ')).length)
  const areFull = full.length * 2 >= rows.length
  const isHeading = (name: string) =>
    isGroup(name) || (isCapitals(name) && !isInCapitals) || (!name.includes(' ') && haveSurnames)
  const sections = new Map<number, SectionKind>()
  for (const [row, { name, filled, isHint }] of rows.entries()) {
    if (isHint) {
      sections.set(row, 'heading')
      continue
    }
    if (name === '') continue
    const isAlone = filled.every((field) => NAMES.has(field))
    const isOfPeople = filled.some((field) => OF_PEOPLE.has(field))
    const isName = isAlone && !isGroup(name)
    if (BARE_TOTAL.test(name) || (TOTAL.test(name) && !isOfPeople && !isName))
      sections.set(row, 'total')
    else if (isAlone && full.length > 0 && (isGroup(name) || (areFull && isHeading(name))))
      sections.set(row, 'heading')
  }
  return sections
}

/** Says nothing about the rows below. */
const NO_SHOW = /\bno[- ]?shows?\b/i
const OF_TODAY = /\b(active|current|enrolled|trials?|new|vacation|hold|frozen)\b/i

/** Students of whom the sheet has only a name, if most rows say more. */
export function loneNameRows(
  rows: readonly FilledFields[],
  sections: ReadonlyMap<number, SectionKind>,
): Set<number> {
  const isAlone = ({ name, filled }: FilledFields) =>
    name !== '' && filled.every((field) => NAMES.has(field))
  const lone = rows.flatMap((row, index) => (isAlone(row) && !sections.has(index) ? [index] : []))
  const areMost = (lone.length + sections.size) * 2 > rows.length
  return new Set(areMost ? [] : lone)
}

/**
 * By row, the words of a heading that says that the students below have left: Below “Inactive
 * Members”. Subgroups continue it; an active group or a total ends it.
 */
export function sectionDepartures(
  rows: readonly FilledFields[],
  sections: ReadonlyMap<number, SectionKind>,
  today: string,
): Map<number, string> {
  const departures = new Map<number, string>()
  let words: string | null = null
  for (const [row, { name }] of rows.entries()) {
    const section = sections.get(row)
    if (section === undefined) {
      if (words !== null) departures.set(row, words)
      continue
    }
    const status = parseStatus(name.replaceAll(/[\W\d]+/g, ' ').trim(), today)
    if (status === 'left' && !NO_SHOW.test(name)) words = `Below “${name.slice(0, 100)}”`
    else if (OF_TODAY.test(name) || section === 'total') words = null
    else if (words !== null) words = `${words.split(', ')[0]}, “${name.slice(0, 60)}”`
  }
  return departures
}

const isCapitals = (name: string) => /\p{Lu}{2}/u.test(name) && !/\p{Ll}/u.test(name)
