import { type DuplicateChoice, MAX_IMPORT_ROWS } from '@tatami/contract/import/import-form'
import { beltKey } from '@tatami/contract/import/belts'
import { type BalanceMeaning, paidThroughMonths } from '@tatami/contract/import/history'
import type { ImportField } from '@tatami/contract/import/import-fields'
import type { DateOrder } from '@tatami/contract/import/dates'
import {
  dateOrderOf,
  hasNameColumn,
  isDateField,
  toImportForm,
  type Sheet,
  sheetOf,
  withFirstRowAs,
} from '@tatami/contract/import/sheet'
import { BELTS } from '@tatami/contract/lib/ranks'
import { statusKey } from '@tatami/contract/import/presence'
import type { Status } from '@tatami/contract/import/status'
import { useEffect, useMemo, useRef, useState } from 'react'
import { today } from '../lib/dates.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import type { SheetTable } from './read-table.ts'

export type ImportState = {
  /** Changes with every change of the sheet or of a decision. */
  version: number
  /** Changes only when the sheet has other rows. */
  origin: number
  sheet: Sheet
  /** The index of a row → what to do with it. */
  choices: Record<number, DuplicateChoice>
  warnings: string[]
  /** Whether the instructor has yet to say what each column is. */
  asksColumns: boolean
  /** Rows to import that would otherwise be skipped. */
  includedRows: number[]
  /** Rows of people who left, to import as former students. */
  formerRows: number[]
  /** The status in the sheet, in lowercase → what it means. */
  statuses: Record<string, Status>
  /** The belt in the sheet → one of `BELTS`, the id of a rank, or empty for no belt. */
  belts: Record<string, string>
  /** "2026-11", or empty for the default. */
  paidThrough: string
  /** Empty if balances are left out. */
  balanceMeaning: BalanceMeaning | ''
  /** Whether siblings with the same balance owe it each, not once for the family. */
  repeatsBalances: boolean
  /** Whether debts include the fee of this month, if it is not paid. */
  debtsIncludeThisMonth: boolean
  /** The class's name in the sheet → the id of a class, or null for none. */
  classes: Record<string, string | null>
  /** The class's name in the sheet → the name of a new class. */
  classNames: Record<string, string>
  /** The id of a question → the sides that are one family or one guardian. */
  joinedSides: Record<string, number[]>
  /** The questions about guardians that were answered with Add. */
  addedGuardians: string[]
  /** The id of the class for students without one. Empty for none. */
  defaultClass: string
  invites: boolean
  /** The Idempotency-Key, stored so that Import after a reload adds no one twice. */
  importKey: string | null
}
type Draft = { state: ImportState | null }

const DRAFT = 'import-students'

const DEFAULT_DECISIONS: Omit<ImportState, 'version' | 'origin' | 'sheet'> = {
  choices: {},
  warnings: [],
  asksColumns: false,
  includedRows: [],
  formerRows: [],
  statuses: {},
  belts: {},
  paidThrough: '',
  balanceMeaning: '',
  repeatsBalances: false,
  debtsIncludeThisMonth: true,
  classes: {},
  classNames: {},
  joinedSides: {},
  addedGuardians: [],
  defaultClass: '',
  invites: true,
  importKey: null,
}

/** A draft from an earlier version of the app may lack some fields. */
const withDefaults = ({ state }: Draft): Draft => ({
  state: state && { ...DEFAULT_DECISIONS, ...state },
})

export function toRequest({
  sheet,
  choices,
  includedRows,
  formerRows,
  statuses,
  belts,
  paidThrough,
  balanceMeaning,
  repeatsBalances,
  debtsIncludeThisMonth,
  classes,
  classNames,
  joinedSides,
  addedGuardians,
  defaultClass,
  invites,
}: ImportState) {
  return {
    ...toImportForm(sheet),
    choices: Object.entries(choices).map(([row, choice]) => ({ row: Number(row), choice })),
    include_rows: includedRows,
    former_rows: formerRows,
    statuses: Object.entries(statuses).map(([status, means]) => ({ status, means })),
    belts: Object.entries(belts).map(([belt, choice]) => ({ belt, ...toBeltChoice(choice) })),
    // A draft of an earlier month may name one that is too long ago.
    ...(paidThroughMonths(today()).includes(paidThrough) && { paid_through: paidThrough }),
    ...(balanceMeaning && { balance_meaning: balanceMeaning }),
    repeats_balances: repeatsBalances,
    debts_include_this_month: debtsIncludeThisMonth,
    classes: [
      ...Object.entries(classes).map(([name, class_id]) => ({ name, class_id })),
      ...Object.entries(classNames).map(([name, class_name]) => ({ name, class_name })),
    ],
    families: Object.entries(joinedSides).map(([id, sides]) => ({
      id,
      is_one: sides.length > 1,
      sides,
    })),
    add_guardians: addedGuardians,
    default_class_id: defaultClass || null,
    invites,
  }
}

function toBeltChoice(choice: string) {
  const belt_level = BELTS.find((belt) => belt === choice)
  if (belt_level) return { belt_level }
  return choice === '' ? {} : { rank_id: choice }
}

function setEntry<V>(record: Record<string, V>, key: string, value: V | undefined) {
  const { [key]: _, ...otherEntries } = record
  return value === undefined ? otherEntries : { ...otherEntries, [key]: value }
}

type TypedCell = { row: number; column: number; text: string }

const withTypedCell = ({ state }: Draft, typedCell: TypedCell | null): Draft => ({
  state: state && typedCell ? { ...state, sheet: withCell(state.sheet, typedCell) } : state,
})

const withCell = (sheet: Sheet, { row, column, text }: TypedCell): Sheet => ({
  ...sheet,
  rows: sheet.rows.map((cells, index) => (index === row ? cells.with(column, text) : cells)),
})

function storeSheet(): void {
  try {
    drafts.storeOpenForms()
  } catch {
    // The sheet is too large for the browser's storage, so it is lost on a reload.
  }
}

/** Every change is stored in this tab, so it survives Back, a reload and the session's end. */
export function useImportSheet() {
  const [draft, setDraft] = useState<Draft>({ state: null })
  const { state } = draft
  const typedCell = useRef<TypedCell | null>(null)
  useDraft(DRAFT, {
    get values() {
      return withTypedCell(draft, typedCell.current)
    },
    isDirty: () => draft.state !== null,
    setValues: (storedDraft: Draft) => setDraft(withDefaults(storedDraft)),
  })
  useEffect(() => {
    typedCell.current = null
    if (state) storeSheet()
  }, [state])
  return useMemo(() => {
    const update = (next: (state: ImportState) => ImportState) =>
      setDraft((oldDraft) => ({ state: oldDraft.state && next(oldDraft.state) }))
    // A changed sheet is a new import, which needs a new key.
    const change = (changes: (state: ImportState) => Partial<ImportState>) =>
      update((oldState) => ({
        ...oldState,
        ...changes(oldState),
        version: oldState.version + 1,
        importKey: null,
      }))
    return {
      state,
      load: ({ rows, warnings }: SheetTable) => {
        const sheet = sheetOf(rows, today())
        const version = Date.now()
        if (sheet.rows.length > 0 && sheet.rows.length <= MAX_IMPORT_ROWS)
          setDraft({
            state: {
              ...DEFAULT_DECISIONS,
              version,
              origin: version,
              sheet,
              warnings,
              asksColumns: !hasNameColumn(sheet),
            },
          })
        return sheet.rows.length
      },
      clear: () => {
        drafts.take(DRAFT, '')
        setDraft({ state: null })
      },
      /** Stores what is typed in a cell. It is checked once the field is left. */
      typeCell: (row: number, column: number, text: string) => {
        typedCell.current = { row, column, text }
        storeSheet()
      },
      setImportKey: (importKey: string | null) =>
        update((oldState) => ({ ...oldState, importKey })),
      ...createSheetChanges(change),
      ...createRowChoices(change),
      ...createDecisionChanges(change),
    }
  }, [state])
}
export type ImportSheet = ReturnType<typeof useImportSheet>

export type LeftRowMeaning = 'skip' | 'former' | 'trains'

type Change = (changes: (state: ImportState) => Partial<ImportState>) => void

function createSheetChanges(change: Change) {
  const changeSheet = (next: (sheet: Sheet) => Partial<Sheet>) =>
    change(({ sheet: oldSheet, asksColumns }) => {
      const sheet = { ...oldSheet, ...next(oldSheet) }
      return { sheet, asksColumns: asksColumns || !hasNameColumn(sheet) }
    })
  return {
    keepRows: (keptRows: readonly number[]) =>
      change(({ sheet, origin, includedRows, formerRows }) => ({
        sheet: { ...sheet, rows: sheet.rows.filter((_, row) => keptRows.includes(row)) },
        choices: {},
        joinedSides: {},
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
        const { order, isCertain } = dateOrderOf(rows, fields)
        return { fields, dateOrder: order, isDateOrderCertain: isCertain }
      }),
    setFirstRowIsHeadings: (isHeadings: boolean) =>
      change(({ sheet, origin }) => ({
        sheet: withFirstRowAs(isHeadings ? 'headings' : 'student', sheet, today()),
        origin: origin + 1,
      })),
    finishColumns: () => change(() => ({ asksColumns: false })),
    setDateOrder: (dateOrder: DateOrder) => changeSheet(() => ({ dateOrder })),
  }
}

const createRowChoices = (change: Change) => ({
  setChoices: (rows: readonly number[], choice: DuplicateChoice | null) =>
    change(({ choices: oldChoices }) => {
      const choices = { ...oldChoices }
      for (const row of rows) {
        if (choice) choices[row] = choice
        else delete choices[row]
      }
      return { choices }
    }),
  /** People who left are skipped unless they train here after all, or are former students. */
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

const createDecisionChanges = (change: Change) => ({
  setStatus: (status: string, means: Status) =>
    change(({ statuses }) => ({ statuses: { ...statuses, [statusKey(status)]: means } })),
  /** Asks the server again, because the school's own data has changed. */
  checkAgain: () => change(() => ({})),
  setBelt: (belt: string, choice: string) =>
    change(({ belts }) => ({ belts: { ...belts, [beltKey(belt)]: choice } })),
  setPaidThrough: (paidThrough: string) => change(() => ({ paidThrough })),
  setRepeatsBalances: (repeatsBalances: boolean) => change(() => ({ repeatsBalances })),
  setDebtsIncludeThisMonth: (debtsIncludeThisMonth: boolean) =>
    change(() => ({ debtsIncludeThisMonth })),
  setBalanceMeaning: (balanceMeaning: BalanceMeaning | '') => change(() => ({ balanceMeaning })),
  /** Undefined means the class with that name or, if there is none, a new class. */
  setClass: (name: string, classId: string | null | undefined) =>
    change(({ classes, classNames }) => ({
      classes: setEntry(classes, name, classId),
      classNames: setEntry(classNames, name, undefined),
    })),
  setClassName: (name: string, className: string) =>
    change(({ classes, classNames }) => ({
      classes: setEntry(classes, name, undefined),
      classNames: setEntry(classNames, name, className || undefined),
    })),
  setJoinedSides: (question: string, sides: number[]) =>
    change(({ joinedSides }) => ({ joinedSides: { ...joinedSides, [question]: sides } })),
  setGuardianAdded: (question: string, isAdded: boolean) =>
    change(({ addedGuardians }) => {
      const otherIds = addedGuardians.filter((id) => id !== question)
      return { addedGuardians: isAdded ? [...otherIds, question] : otherIds }
    }),
  setDefaultClass: (defaultClass: string) => change(() => ({ defaultClass })),
  setInvites: (invites: boolean) => change(() => ({ invites })),
})
