import { guessFieldByValues } from './guess-by-values.ts'
import { isMembershipColumn } from './memberships.ts'
import { addOwnerNames } from './heading-groups.ts'
import { resolveNameColumns } from './name-columns.ts'
import { regex } from './patterns.ts'
import { nameBillingContact, resolveNumberedContacts } from './person-headings.ts'
import { type ImportField } from './import-fields.ts'
import { normalizeHeading, parseHeading, HOUSEHOLD, parentInHeading } from './heading-fields.ts'
import { type NamedField, correctByValues, PERSON_WORD } from './correct-by-values.ts'

/** A heading that names the student wins over one that names a household. */
const NAMES_STUDENT = /^(student|member|child|participant|athlete|trainee)\b/

const REPEATED_FIELDS: ReadonlySet<string> = new Set<ImportField>([
  'phone_number',
  'emergency_contact_phone',
  'joined_on',
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

/** Guesses the field of each column, first from its heading and then from its values. Only
 *  `REPEATED_FIELDS` may have several columns. */
export function guessFields(
  writtenHeadings: readonly string[],
  rows: readonly (readonly string[])[],
  today: string,
): (ImportField | null)[] {
  const headings = addOwnerNames(resolveNumberedContacts(nameBillingContact(writtenHeadings)), {
    findOwner,
    isWholeName: (heading) => parseHeading(heading) === 'name',
    isNamePart: (heading) => ['first_name', 'last_name'].includes(parseHeading(heading) ?? ''),
  })
  const fieldsByHeading = assignSecondParent(headings, headings.map(parseHeading))
  const fieldsByValues = fieldsByHeading.map((field, column) =>
    correctByValues(field, headings[column] ?? '', columnValues(rows, column)),
  )
  const namedFields = resolveNameColumns(
    fieldsByValues.map((field, column) => ({
      field,
      words: normalizeHeading(headings[column] ?? ''),
      values: columnValues(rows, column),
    })),
    (words) => HOUSEHOLD.test(words),
  )
  const columnByField = findColumnByField(headings, namedFields)
  const uniqueFields = namedFields.map((field, column) => {
    if (!field) return field === undefined ? undefined : null
    return REPEATED_FIELDS.has(field) || columnByField.get(field) === column ? field : null
  })
  const takenFields = new Set<string>(columnByField.keys())
  if (takenFields.has('first_name') || takenFields.has('last_name')) takenFields.add('name')
  const fields = uniqueFields.map((field, column) => {
    const words = normalizeHeading(headings[column] ?? '')
    if (field !== undefined) return field
    const values = columnValues(rows, column)
    const guessedField = guessFieldByValues(
      values,
      today,
      new Set([...takenFields, ...listFieldsNotToGuess(words)]),
    )
    if (guessedField) takenFields.add(guessedField)
    return guessedField
  })
  return assignMembership(fields, writtenHeadings, rows)
}

/** Only a column without another meaning can hold plans. */
function assignMembership(
  fields: (ImportField | null)[],
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): (ImportField | null)[] {
  const column = fields.findIndex(
    (field, index) =>
      field === null && isMembershipColumn(headings[index] ?? '', columnValues(rows, index)),
  )
  return column === -1 ? fields : fields.with(column, 'membership_plan')
}

function findOwner(heading: string): string | null {
  const field = parseHeading(heading) ?? ''
  if (field === 'emergency_contact_name') return 'Emergency contact'
  if (!/^guardian_.*name$/.test(field)) return null
  return parentInHeading(heading) ?? (field.startsWith('guardian_2_') ? 'Guardian 2' : 'Guardian')
}

/** Headings of dates that are not birthdays. */
const EVENT_DATE = regex()`
  \b(timestamp|submit\w*|submission|complet\w*|received|stamp|signed|waiver|respon\w*|date|on|at
  |since|from|until|till|through|time|stop\w*|out|in|first|registered|registration|enroll\w*
  |entered|changed|modified|updated|test\w*|grad\w*)\b`

/** Amounts below other headings, such as "Commitment Total", are probably not monthly fees. */
const MAY_BE_FEE = /^$|\b(month\w*|fees?|dues|tuition|price|rate|plan|pays?|payment|cost|amount)\b/
const NO_MONTHLY_FEE = regex()`
  \b(total|annual\w*|year\w*|week\w*|lifetime|late|registration|enrollment|sign ?up|deposit|down|test
  |testing|discount|contract|first|last|initial)\b`

function listFieldsNotToGuess(words: string): ImportField[] {
  const mayBeFee = MAY_BE_FEE.test(words) && !NO_MONTHLY_FEE.test(words)
  return [
    ...(EVENT_DATE.test(words) ? (['date_of_birth'] as const) : []),
    ...(mayBeFee ? [] : (['monthly_payment_amount'] as const)),
  ]
}

const columnValues = (rows: readonly (readonly string[])[], column: number) =>
  rows.map((row) => row[column] ?? '')

/** If a field has several columns, the student's wins over the household's, and otherwise the first. */
function findColumnByField(
  headings: readonly string[],
  fields: readonly NamedField[],
): Map<ImportField, number> {
  const columnByField = new Map<ImportField, number>()
  const rank = (column: number) => {
    const words = normalizeHeading(headings[column] ?? '')
    if (HOUSEHOLD.test(words)) return 2
    // Next to "Name", a column "Member" rarely holds names.
    if (PERSON_WORD.test(words)) return 3
    return NAMES_STUDENT.test(words) ? 0 : 1
  }
  for (const [column, field] of fields.entries()) {
    if (!field) continue
    const previousColumn = columnByField.get(field)
    if (previousColumn === undefined || rank(column) < rank(previousColumn))
      columnByField.set(field, column)
  }
  return columnByField
}

/** If there are columns for mother and father, the later one is the second guardian. */
function assignSecondParent(headings: readonly string[], fields: NamedField[]): NamedField[] {
  const parents = headings.map(parentInHeading)
  const firstParent = parents.find((parent) => parent !== null)
  return fields.map((field, column) =>
    field && parents[column] && parents[column] !== firstParent
      ? (field.replace(/^guardian_(?!2)/, 'guardian_2_') as ImportField)
      : field,
  )
}
