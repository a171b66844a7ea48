import type { ImportField } from './columns.ts'

/** The columns of students.csv that an import understands, in this order; an export may have further ones behind them. */
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

/** What a spreadsheet would take for a formula (OWASP, "CSV Injection"), behind any apostrophes: those of a cell that has some must stay apart
 *  from the one that is put before it. */
export const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/

/** The cell without the apostrophe that `guardFormula` has put before it. */
export const unguardFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell

/** The cell such that a spreadsheet shows it as it is and computes nothing. */
export const guardFormula = (cell: string): string => (FORMULA_START.test(cell) ? `'${cell}` : cell)

/** Names in one cell: "Kids Judo; Open Mat". A backslash stands before a separator or a backslash of a name's own. */
export const joinNames = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(/[\\;,|]/g, '\\$&')).join('; ')

/** The names in a cell, as `joinNames` or a person has written them: separated by semicolons, commas, bars or lines. */
export const splitNames = (cell: string): string[] =>
  (cell.match(/(?:\\[\\;,|]|[^;,|\n])+/g) ?? [])
    .map((name) => name.replaceAll(/\\([\\;,|])/g, '$1').trim())
    .filter((name) => name !== '')
