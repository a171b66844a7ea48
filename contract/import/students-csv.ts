import type { ImportField } from './import-fields.ts'

/** The columns of an exported students.csv that an import can read. The export has more columns. */
export const STUDENT_CSV_COLUMNS = [
  'name',
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
  'is_trial',
  'on_vacation',
  'guardian_name',
  'guardian_relation',
  'guardian_email',
  'guardian_phone',
  'guardian_2_name',
  'guardian_2_relation',
  'guardian_2_email',
  'guardian_2_phone',
  'allergies',
  'medical_note',
] as const satisfies readonly ImportField[]

/** The start of a cell that a spreadsheet would run as a formula (OWASP, "CSV Injection"). */
export const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/

export const unguardFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell

/** Adds an apostrophe to a cell that a spreadsheet would run as a formula. */
export const guardFormula = (cell: string): string => (FORMULA_START.test(cell) ? `'${cell}` : cell)

/** "Kids Judo; Open Mat". A backslash escapes separators in a name. */
export const joinNames = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\;,|]/g, '\\$&')).join('; ')

/** Splits at semicolons, commas, bars and line breaks. */
export const splitNames = (cell: string): string[] =>
  (cell.match(/(?:\\[\\;,|]|[^;,|\n])+/g) ?? [])
    .map((name) => name.replaceAll(/\\([\\;,|])/g, '$1').trim())
    .filter((name) => name !== '')
