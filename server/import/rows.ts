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
import { type BeltReader, keepDegreeInNotes } from './belts.ts'
import { type ExtraStripes, checkExtraStripes } from './extra-stripes.ts'

/** A row before `checkExtraStripes`. */
export type UncheckedRow = ReadRow & { row: number; section: SectionKind | null }
export type SheetRow = UncheckedRow & { extraStripes: ExtraStripes | null }

const ONLY_A_NAME = 'This row has only a name. Is it a student?'
const MAX_NEW_CLASSES = 200

export async function readRows(
  form: ImportForm,
  today: string,
  belts: BeltReader,
): Promise<SheetRow[]> {
  const { columns, headings, rows: cellRows, date_order: order = 'month-first' } = form
  const statuses = readStatusMeanings(form)
  const options = {
    order,
    today,
    headings,
    statuses,
    findBelt: belts.find,
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
    const readResult = readRow(columns, cells, options)
    if ((readResult.person.date_of_birth ?? '') > today)
      readResult.problems.push({ field: 'date_of_birth', message: BIRTH_DATE_IN_FUTURE })
    reportPhonesWithoutTexts(readResult)
    readResult.departure ??= departures.get(row) ?? null
    markLead(readResult)
    if (nameOnlyRows.has(row)) readResult.notices.push({ field: nameField, message: ONLY_A_NAME })
    if (readResult.person.classes.length === 0) reportPunctuationAsClass(form, cells, readResult)
    const sheetRow = { ...readResult, row, section: sections.get(row) ?? null }
    keepDegreeInNotes(sheetRow, belts)
    return { ...sheetRow, extraStripes: checkExtraStripes(sheetRow, belts, form) }
  })
  refuseTooManyClasses(rows)
  clearDefaultBirthdays(rows)
  return rows
}

const readStatusMeanings = ({ statuses }: ImportForm): Map<string, Status> =>
  new Map(statuses?.map(({ status, means }) => [statusKey(status ?? BLANK_STATUS), means]))

/** "---" */
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

/** A lead is not a former student. */
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

const MAX_CLEAR_STATUSES = 30
const LONGEST_STATUS = 200

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
      if (isBlankValue(status) || status.length > LONGEST_STATUS) continue
      const key = statusKey(status)
      const earlierStatus = statusByKey.get(key)
      if (earlierStatus) earlierStatus.rows += 1
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
