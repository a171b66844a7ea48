import { findDecimalMarks } from '@tatami/contract/import/amounts'
import { type ImportPlan } from '@tatami/contract/import/import-plan'
import { type ImportForm, MAX_STATUSES } from '@tatami/contract/import/import-form'
import { isSoftwareDefaultDate } from '@tatami/contract/import/dates'
import { findUnclearBlankField } from '@tatami/contract/import/blank-statuses'
import { BLANK_STATUS, statusKey } from '@tatami/contract/import/presence'
import { placeholderBirthdayNotice, type ReadRow, readRow } from '@tatami/contract/import/rows'
import {
  summarizeRow,
  findNameOnlyRows,
  findDeparturesBelowHeadings,
  type SectionKind,
  findSectionRows,
} from '@tatami/contract/import/sections'
import { type Status, parseStatus, saysNeverTrained } from '@tatami/contract/import/status'
import { findCheckMarkColumns } from '@tatami/contract/import/check-marks'
import { cellText, isBlankValue } from '@tatami/contract/import/values'
import { BIRTH_DATE_IN_FUTURE } from '@tatami/contract/students/student-form'
import { mapInSlices } from '../lib/event-loop.ts'
import { validPhone } from '../lib/phone.ts'
import { type BeltReader, saveDegreeInNotes } from './belts.ts'
import { type ExtraStripes, checkExtraStripes } from './extra-stripes.ts'

/** A row whose stripes have not been compared with the school's belts yet. */
export type UncheckedRow = ReadRow & { row: number; section: SectionKind | null }
export type SheetRow = UncheckedRow & { extraStripes: ExtraStripes | null }

const ONLY_NAME_MESSAGE = 'This row has only a name. Is it a student?'
const MAX_NEW_CLASSES = 200

export async function readRows(
  form: ImportForm,
  today: string,
  beltReader: BeltReader,
): Promise<SheetRow[]> {
  const { columns, headings, rows: cellRows, date_order = 'month-first' } = form
  const statuses = readStatusMeanings(form)
  const options = {
    order: date_order,
    today,
    headings,
    statuses,
    findBelt: beltReader.findMeaning,
    balanceMeaning: form.balance_meaning ?? null,
    decimalMarks: findDecimalMarks(columns, cellRows),
    checkMarkColumns: findCheckMarkColumns(columns, cellRows),
    unclearBlankField: findUnclearBlankField(columns, cellRows, statuses, today),
  }
  const summaries = await mapInSlices(cellRows, (cells) => summarizeRow(columns, cells))
  const sections = findSectionRows(summaries)
  const departures = findDeparturesBelowHeadings(summaries, sections, today)
  const nameOnlyRows = findNameOnlyRows(summaries, sections)
  const nameField = columns.includes('name') ? 'name' : 'first_name'
  const rows = await mapInSlices(cellRows, (cells, row): SheetRow => {
    const cellValues = readRow(columns, cells, options)
    if ((cellValues.person.date_of_birth ?? '') > today)
      cellValues.problems.push({ field: 'date_of_birth', message: BIRTH_DATE_IN_FUTURE })
    reportPhonesWithoutTexts(cellValues)
    cellValues.departure ??= departures.get(row) ?? null
    markLead(cellValues)
    if (nameOnlyRows.has(row))
      cellValues.notices.push({ field: nameField, message: ONLY_NAME_MESSAGE })
    if (cellValues.person.classes.length === 0) reportPunctuationAsClass(form, cells, cellValues)
    const sheetRow = { ...cellValues, row, section: sections.get(row) ?? null }
    saveDegreeInNotes(sheetRow, beltReader)
    return { ...sheetRow, extraStripes: checkExtraStripes(sheetRow, beltReader, form) }
  })
  refuseTooManyClasses(rows)
  clearDefaultBirthdays(rows)
  return rows
}

const readStatusMeanings = ({ statuses }: ImportForm): Map<string, Status> =>
  new Map(statuses?.map(({ status, means }) => [statusKey(status ?? BLANK_STATUS), means]))

/** Such as "---". */
const ONLY_PUNCTUATION = /^[^\p{L}\p{N}\s]{2,}$/u

function reportPunctuationAsClass(
  form: ImportForm,
  cells: readonly string[],
  { notices }: ReadRow,
): void {
  const text = cellText(cells[form.columns.indexOf('classes')] ?? '')
  if (ONLY_PUNCTUATION.test(text))
    notices.push({ field: 'classes', message: `“${text}” isn’t a class: left empty` })
}

/** A lead, who never trained, is not a former student. */
function markLead(row: ReadRow): void {
  if (row.departure === null || !saysNeverTrained(row.departure)) return
  row.otherRole ??= row.departure
  row.departure = null
}

function reportPhonesWithoutTexts({ phones, notices }: ReadRow): void {
  for (const [field, number] of phones)
    if (field !== 'emergency_contact_phone' && validPhone(number) === null)
      notices.push({
        field,
        message: `${number} cannot get texts: ${explainNoTexts(number)}`,
        kind: 'no_texts',
      })
}

/** A local number that is valid in every area code. */
const ANY_LOCAL_NUMBER = '2345678'

function explainNoTexts(typedNumber: string): string {
  const digits = typedNumber.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  if (typedNumber.startsWith('+') && !typedNumber.startsWith('+1'))
    return 'it is a number from another country'
  if (digits.length < 10) return 'it is not a complete number'
  if (digits.length > 10) return 'it has too many digits'
  const areaCode = digits.slice(0, 3)
  return validPhone(`${areaCode}${ANY_LOCAL_NUMBER}`) === null
    ? `there is no area code ${areaCode}`
    : 'it is not a valid phone number'
}

/** Many different values show that a column does not contain classes. */
function refuseTooManyClasses(rows: SheetRow[]): void {
  const names = new Set(rows.flatMap(({ person }) => person.classes))
  if (names.size <= MAX_NEW_CLASSES) return
  for (const { person, problems } of rows)
    if (person.classes.length > 0)
      problems.push({
        field: 'classes',
        message: `More than ${MAX_NEW_CLASSES} classes: does this column really contain classes?`,
      })
}

/** Removes birthdays such as 1/1/1970, which software writes if it does not know the birthday. */
function clearDefaultBirthdays(rows: SheetRow[]): void {
  const rowsByBirthday = Map.groupBy(rows, ({ person }) => person.date_of_birth)
  for (const { person, notices } of rows) {
    const date = person.date_of_birth
    if (date === null) continue
    const count = rowsByBirthday.get(date)?.length ?? 0
    if (!isSoftwareDefaultDate(date, count, person.guardians.length > 0)) continue
    person.date_of_birth = null
    notices.push(placeholderBirthdayNotice(date))
  }
}

/** How many statuses the plan lists whose meaning is clear. */
const MAX_CLEAR_STATUSES = 30
const MAX_STATUS_LENGTH = 200

/** Lists a blank status and unclear statuses first, because we ask about them. */
export async function listStatusesInSheet(
  form: ImportForm,
  sheetRows: readonly SheetRow[],
  today: string,
): Promise<ImportPlan['statuses_in_sheet']> {
  const { columns, rows } = form
  const meaningByKey = readStatusMeanings(form)
  const statusByKey = new Map<string, { status: string; rows: number; means: Status | null }>()
  const statusColumns = columns.flatMap((field, index) => (field === 'status' ? [index] : []))
  await mapInSlices(rows, (cells) => {
    for (const column of statusColumns) {
      const status = cellText(cells[column] ?? '')
      if (isBlankValue(status) || status.length > MAX_STATUS_LENGTH) continue
      const key = statusKey(status)
      const sameStatus = statusByKey.get(key)
      if (sameStatus) sameStatus.rows += 1
      else
        statusByKey.set(key, {
          status,
          rows: 1,
          means: meaningByKey.get(key) ?? parseStatus(status, today),
        })
    }
  })
  const isClear = ({ status }: { status: string }) => parseStatus(status, today) !== null
  const statusesOfSheet = [...statusByKey.values()]
  const unclearStatuses = statusesOfSheet.filter((status) => !isClear(status))
  const clearStatuses = statusesOfSheet.filter(isClear)
  return [
    ...describeBlankStatus(sheetRows, meaningByKey),
    ...unclearStatuses.slice(0, MAX_STATUSES),
    ...clearStatuses.slice(0, MAX_CLEAR_STATUSES),
  ]
}

function describeBlankStatus(
  rows: readonly SheetRow[],
  meaningByKey: ReadonlyMap<string, Status>,
): ImportPlan['statuses_in_sheet'] {
  const count = rows.filter(
    ({ isStatusBlank, section }) => isStatusBlank && section === null,
  ).length
  if (count === 0) return []
  return [{ status: BLANK_STATUS, rows: count, means: meaningByKey.get(BLANK_STATUS) ?? null }]
}
