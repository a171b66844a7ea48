import type { ImportField } from './import-fields.ts'
import { isHintRow } from './hints.ts'
import { ANY_DAY, parseBareStatus, parseStatus } from './status.ts'
import { cellText, normalizeText, isBlankValue } from './values.ts'
import { joinLines, regex } from './patterns.ts'

export type SectionKind = 'heading' | 'total'

const BARE_TOTAL = /^(grand |sub ?-?)?(totals?|average|avg|sum|count)\W*\d*$/i
const TOTAL =
  /^(grand |sub ?-?)?totals?\b|^(sum|average|avg|count|summe|gesamt|insgesamt)\W*\d*$|^number of\b/i
/** Words of group names. A name with only these words is a group, such as "Kids Judo". */
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
  const words = normalizeText(name).split(' ')
  return words.every((word) => GROUP_WORD.test(word))
}
const SECTION_HEADING = regex('i')`
  \b(class|classes|members|students|roster|program|instructor)\b|\d\s*(am|pm)\b|\d:\d\d
  |\d\s*[-–]\s*\d|^\d|:|^[#=*]|^page \d|^(printed|generated|report|list|exported)\b`
/** "- no show -", "*** Kids ***" */
const BETWEEN_SIGNS = /^[-–—*=#~_]+[^-–—*=#~_]+[-–—*=#~_]+$/
const isGroupHeading = (name: string) =>
  SECTION_HEADING.test(name) ||
  BETWEEN_SIGNS.test(name) ||
  isGroupName(name) ||
  parseBareStatus(name, ANY_DAY) !== null
const PERSON_FIELDS: ReadonlySet<ImportField> = new Set<ImportField>([
  'email',
  'phone_number',
  'date_of_birth',
  'belt_level',
  'guardian_email',
  'guardian_phone',
])
const NAME_FIELDS: ReadonlySet<ImportField> = new Set<ImportField>([
  'name',
  'first_name',
  'last_name',
])

type RowSummary = { name: string; fields: ImportField[]; isHint: boolean }

export function summarizeRow(
  columns: readonly ImportField[],
  cells: readonly string[],
): RowSummary {
  const names: string[] = []
  const fields: ImportField[] = []
  for (const [index, field] of columns.entries()) {
    const text = cellText(cells[index] ?? '')
    if (isBlankValue(text)) continue
    // A small number below the birthdays may be a count of students.
    if (field !== 'date_of_birth' || !/^\d{1,3}$/.test(text)) fields.push(field)
    if (NAME_FIELDS.has(field)) names.push(text)
  }
  const name = names.join(' ')
  return { name, fields, isHint: isHintRow(cells, name) }
}

/** Finds headings and totals. In a list that has only names, headings look like students. */
export function findSectionRows(rows: readonly RowSummary[]): Map<number, SectionKind> {
  const fullRows = rows.filter(({ fields }) => fields.length > 1)
  const areMostFullRows = (count: number) => count * 2 > fullRows.length
  const areNamesInCapitals = areMostFullRows(fullRows.filter(({ name }) => isCapitals(name)).length)
  const haveSurnames = areMostFullRows(fullRows.filter(({ name }) => name.includes(' ')).length)
  const areMostRowsFull = fullRows.length * 2 >= rows.length
  const isHeading = (name: string) =>
    isGroupHeading(name) ||
    (isCapitals(name) && !areNamesInCapitals) ||
    (!name.includes(' ') && haveSurnames)
  const sections = new Map<number, SectionKind>()
  for (const [row, { name, fields, isHint }] of rows.entries()) {
    if (isHint) {
      sections.set(row, 'heading')
      continue
    }
    if (name === '') continue
    const hasOnlyName = fields.every((field) => NAME_FIELDS.has(field))
    const hasPersonField = fields.some((field) => PERSON_FIELDS.has(field))
    const isName = hasOnlyName && !isGroupHeading(name)
    if (BARE_TOTAL.test(name) || (TOTAL.test(name) && !hasPersonField && !isName))
      sections.set(row, 'total')
    else if (
      hasOnlyName &&
      fullRows.length > 0 &&
      (isGroupHeading(name) || (areMostRowsFull && isHeading(name)))
    )
      sections.set(row, 'heading')
  }
  return sections
}

const NO_SHOW = /\bno[- ]?shows?\b/i
const CURRENT = /\b(active|current|enrolled|trials?|new|vacation|hold|frozen)\b/i

/** Finds rows that have only a name although most rows have more. They may not be students. */
export function findNameOnlyRows(
  rows: readonly RowSummary[],
  sections: ReadonlyMap<number, SectionKind>,
): Set<number> {
  const hasOnlyName = ({ name, fields }: RowSummary) =>
    name !== '' && fields.every((field) => NAME_FIELDS.has(field))
  const nameOnlyRows = rows.flatMap((row, index) =>
    hasOnlyName(row) && !sections.has(index) ? [index] : [],
  )
  const areMostRows = (nameOnlyRows.length + sections.size) * 2 > rows.length
  return new Set(areMostRows ? [] : nameOnlyRows)
}

/** Finds students below a heading such as "Inactive", up to a total or a heading for active students.
 *  Each row number has a quote of the heading. */
export function findDeparturesBelowHeadings(
  rows: readonly RowSummary[],
  sections: ReadonlyMap<number, SectionKind>,
  today: string,
): Map<number, string> {
  const departures = new Map<number, string>()
  let quote: string | null = null
  for (const [row, { name }] of rows.entries()) {
    const section = sections.get(row)
    if (section === undefined) {
      if (quote !== null) departures.set(row, quote)
      continue
    }
    const status = parseStatus(name.replaceAll(/[\W\d]+/g, ' ').trim(), today)
    if (status === 'left' && !NO_SHOW.test(name)) quote = `Below “${name.slice(0, 100)}”`
    else if (CURRENT.test(name) || section === 'total') quote = null
    else if (quote !== null) quote = `${quote.split(', ')[0]}, “${name.slice(0, 60)}”`
  }
  return departures
}

const isCapitals = (name: string) => /\p{Lu}{2}/u.test(name) && !/\p{Ll}/u.test(name)
