import { beltKey } from '@tatami/contract/import/belts'
import type { BalanceMeaning } from '@tatami/contract/import/history'
import type { DuplicateChoice, ExtraStripesChoice } from '@tatami/contract/import/import-form'
import type { ImportField } from '@tatami/contract/import/import-fields'
import type { DateOrder } from '@tatami/contract/import/dates'
import { statusKey } from '@tatami/contract/import/presence'
import {
  findDateOrder,
  hasNameColumn,
  isDateField,
  type Sheet,
  treatFirstRowAs,
} from '@tatami/contract/import/sheet'
import type { Status } from '@tatami/contract/import/status'
import { today } from '../lib/dates.ts'
import type { ImportState } from './import-state.ts'

export type LeftRowMeaning = 'skip' | 'former' | 'trains'

export type Change = (getChanges: (state: ImportState) => Partial<ImportState>) => void

export type TypedCell = { row: number; column: number; text: string }

export const withCell = (sheet: Sheet, { row, column, text }: TypedCell): Sheet => ({
  ...sheet,
  rows: sheet.rows.map((cells, index) => (index === row ? cells.with(column, text) : cells)),
})

/** Sets or, with an undefined value, removes an entry. */
function setEntry<Value>(record: Record<string, Value>, key: string, value: Value | undefined) {
  const { [key]: _, ...otherEntries } = record
  return value === undefined ? otherEntries : { ...otherEntries, [key]: value }
}

export function createSheetChanges(change: Change) {
  const changeSheet = (getChanges: (sheet: Sheet) => Partial<Sheet>) =>
    change(({ sheet: oldSheet, asksColumns }) => {
      const sheet = { ...oldSheet, ...getChanges(oldSheet) }
      return { sheet, asksColumns: asksColumns || !hasNameColumn(sheet) }
    })
  return {
    keepRows: (keptRows: readonly number[]) =>
      change(({ sheet, origin, includedRows, formerRows }) => ({
        sheet: { ...sheet, rows: sheet.rows.filter((_, row) => keptRows.includes(row)) },
        duplicateChoices: {},
        sidesByQuestion: {},
        addedGuardians: [],
        warnings: [],
        includedRows: keptRows.flatMap((row, index) => (includedRows.includes(row) ? index : [])),
        formerRows: keptRows.flatMap((row, index) => (formerRows.includes(row) ? index : [])),
        origin: origin + 1,
      })),
    setCell: (row: number, column: number, text: string) =>
      changeSheet((sheet) => withCell(sheet, { row, column, text })),
    setField: (column: number, field: ImportField | null) =>
      changeSheet(({ rows, fields: oldFields }) => {
        const fields = oldFields.with(column, field)
        if (!isDateField(field)) return { fields }
        const { order, isCertain } = findDateOrder(rows, fields)
        return { fields, dateOrder: order, isDateOrderCertain: isCertain }
      }),
    setFirstRowIsHeadings: (isHeadings: boolean) =>
      change(({ sheet, origin }) => ({
        sheet: treatFirstRowAs(isHeadings ? 'headings' : 'student', sheet, today()),
        origin: origin + 1,
      })),
    finishColumns: () => change(() => ({ asksColumns: false })),
    setDateOrder: (dateOrder: DateOrder) => changeSheet(() => ({ dateOrder })),
  }
}

export const createRowChoices = (change: Change) => ({
  setChoices: (rows: readonly number[], choice: DuplicateChoice | null) =>
    change(({ duplicateChoices: oldChoices }) => {
      const duplicateChoices = { ...oldChoices }
      for (const row of rows) {
        if (choice) duplicateChoices[row] = choice
        else delete duplicateChoices[row]
      }
      return { duplicateChoices }
    }),
  /** People who left are skipped unless they still train here or become former students. */
  setLeftRows: (rows: readonly number[], meaning: LeftRowMeaning) =>
    change(({ includedRows, formerRows }) => {
      const withoutRows = (rowNumbers: readonly number[]) =>
        rowNumbers.filter((row) => !rows.includes(row))
      return {
        includedRows: [...withoutRows(includedRows), ...(meaning === 'trains' ? rows : [])],
        formerRows: [...withoutRows(formerRows), ...(meaning === 'former' ? rows : [])],
      }
    }),
  setIncluded: (rows: readonly number[], isIncluded: boolean) =>
    change(({ includedRows }) => {
      const otherRows = includedRows.filter((row) => !rows.includes(row))
      return { includedRows: isIncluded ? [...otherRows, ...rows] : otherRows }
    }),
})

export const createDecisionChanges = (change: Change) => ({
  setStatus: (status: string, means: Status) =>
    change(({ statuses }) => ({ statuses: { ...statuses, [statusKey(status)]: means } })),
  /** Asks the server again, because the school's own data has changed. */
  checkAgain: () => change(() => ({})),
  setBelt: (belt: string, choice: string) =>
    change(({ belts }) => ({ belts: { ...belts, [beltKey(belt)]: choice } })),
  setExtraStripes: (extraStripesChoice: ExtraStripesChoice) =>
    change(() => ({ extraStripesChoice })),
  setPaidThrough: (paidThrough: string) => change(() => ({ paidThrough })),
  setBalancePerSibling: (isBalancePerSibling: boolean) => change(() => ({ isBalancePerSibling })),
  setDebtsIncludeThisMonth: (debtsIncludeThisMonth: boolean) =>
    change(() => ({ debtsIncludeThisMonth })),
  setBalanceMeaning: (balanceMeaning: BalanceMeaning | '') => change(() => ({ balanceMeaning })),
  /** If the id is undefined, the class with this name is used, or a new class is added. */
  setClass: (name: string, classId: string | null | undefined) =>
    change(({ classes, newClassNames }) => ({
      classes: setEntry(classes, name, classId),
      newClassNames: setEntry(newClassNames, name, undefined),
    })),
  setClassName: (name: string, className: string) =>
    change(({ classes, newClassNames }) => ({
      classes: setEntry(classes, name, undefined),
      newClassNames: setEntry(newClassNames, name, className || undefined),
    })),
  setMembership: (name: string, choice: string) =>
    change(({ memberships }) => ({ memberships: { ...memberships, [name]: choice } })),
  setJoinedSides: (question: string, sides: number[]) =>
    change(({ sidesByQuestion }) => ({
      sidesByQuestion: { ...sidesByQuestion, [question]: sides },
    })),
  setGuardianAdded: (question: string, isAdded: boolean) =>
    change(({ addedGuardians }) => {
      const otherIds = addedGuardians.filter((id) => id !== question)
      return { addedGuardians: isAdded ? [...otherIds, question] : otherIds }
    }),
  setDefaultClass: (defaultClass: string) => change(() => ({ defaultClass })),
  setInvites: (invites: boolean) => change(() => ({ invites })),
})
