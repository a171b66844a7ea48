import { fieldOfValues } from './column-looks.ts'
import { withOwners } from './heading-groups.ts'
import { withNameParts } from './name-columns.ts'
import { regex } from './patterns.ts'
import { type ImportField } from './import-fields.ts'
import { wordsOfHeading, fieldOfHeading, HOUSEHOLD, parentIn } from './heading-fields.ts'
import { type NamedField, checkedByValues, BARE_NAME } from './column-values.ts'

/** Headings that name the student win over those of a household. */
const OF_STUDENT = /^(student|member|child|participant|athlete|trainee)\b/

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

const valuesOf = (rows: readonly (readonly string[])[], column: number) =>
  rows.map((row) => row[column] ?? '')

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
