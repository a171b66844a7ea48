import type { ImportField } from './import-columns.ts'
import { cellText, isNothing } from './import-values.ts'

/** A row that is no student: a heading between the students, or a sum below them. */
export type SectionKind = 'heading' | 'total'

const TOTAL =
  /^(grand |sub ?-?)?totals?\b|^(sum|average|avg|count|summe|gesamt|insgesamt)\W*\d*$|^number of\b/i
/** What a group of students is called, and what stands above or below a printed list. */
const SECTION = new RegExp(
  String.raw`\b(class(es)?|kids|children|teens?|adults?|juniors|seniors|youth|beginners?|intermediate|advanced|group|team|squad|program|session|belts?|students|members|staff|instructors|inactive|former|prospects|roster|karate|judo|jiu[ -]?jitsu|bjj|taekwondo|kickboxing|mma|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|ages?)\b|\d\s*(am|pm)\b|\d:\d\d|\d\s*[-–]\s*\d|^\d+$|:$|^[#=*]|^page \d|^(printed|generated|report|list|exported)\b`,
  'i',
)
/** What a sum has no value for. */
const OF_PEOPLE: ReadonlySet<ImportField> = new Set<ImportField>([
  'email',
  'phone_number',
  'date_of_birth',
  'belt_level',
  'guardian_email',
  'guardian_phone',
])
const NAMES: ReadonlySet<ImportField> = new Set<ImportField>(['name', 'first_name', 'last_name'])

/** The name in a row, and the fields that are filled there. */
export type FilledFields = { name: string; filled: ImportField[] }

export function filledFields(
  columns: readonly ImportField[],
  cells: readonly string[],
): FilledFields {
  const names: string[] = []
  const filled: ImportField[] = []
  for (const [at, field] of columns.entries()) {
    const text = cellText(cells[at] ?? '')
    if (isNothing(text)) continue
    filled.push(field)
    if (NAMES.has(field)) names.push(text)
  }
  return { name: names.join(' '), filled }
}

/** The rows of a sheet, from 0 up, that are no students. In a list of names alone nothing tells a heading from a name. */
export function sectionRows(rows: readonly FilledFields[]): Map<number, SectionKind> {
  const full = rows.filter(({ filled }) => filled.length > 1)
  const isMost = (count: number) => count * 2 > full.length
  const isInCapitals = isMost(full.filter(({ name }) => isCapitals(name)).length)
  const haveSurnames = isMost(full.filter(({ name }) => name.includes(' ')).length)
  const isHeading = (name: string) =>
    SECTION.test(name) ||
    (isCapitals(name) && !isInCapitals) ||
    (!name.includes(' ') && haveSurnames)
  const sections = new Map<number, SectionKind>()
  for (const [row, { name, filled }] of rows.entries()) {
    if (name === '') continue
    const isAlone = filled.every((field) => NAMES.has(field))
    const isOfPeople = filled.some((field) => OF_PEOPLE.has(field))
    if (TOTAL.test(name) && !isOfPeople) sections.set(row, 'total')
    else if (isAlone && full.length * 2 >= rows.length && isHeading(name))
      sections.set(row, 'heading')
  }
  return sections
}

const isCapitals = (name: string) => /\p{Lu}{2}/u.test(name) && !/\p{Ll}/u.test(name)
