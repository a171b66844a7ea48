import { type DuplicateChoice, MAX_IMPORT_ROWS } from '@tatami/contract/import/import-form'
import type { ImportField } from '@tatami/contract/import/import-fields'
import type { DateOrder } from '@tatami/contract/import/dates'
import { dateOrderOf, importedPart, type Sheet, sheetOf } from '@tatami/contract/import/sheet'
import { statusKey } from '@tatami/contract/import/presence'
import type { Status } from '@tatami/contract/import/status'
import { useEffect, useMemo, useState } from 'react'
import { today } from '../lib/dates.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import type { ReadTable } from './read-table.ts'

/** A sheet on its way in, with what was decided about it. `version` changes with everything that does. */
export type ImportState = {
  version: number
  /** Changes when the rows are others. */
  origin: number
  sheet: Sheet
  /** By row. */
  choices: Record<number, DuplicateChoice>
  /** What the reader of the file wants looked at. */
  warnings: string[]
  /** Rows that are taken although they were left out. */
  includedRows: number[]
  /** By the status in the sheet, in small letters. */
  statuses: Record<string, Status>
  /** By the name in the sheet: the dojo's class, or null for none. */
  classes: Record<string, string | null>
  /** By the name in the sheet: what a new class is called instead. */
  classNames: Record<string, string>
  /** By the question: which of its sides are one family, or one guardian. */
  joinedSides: Record<string, number[]>
  /** The questions about guardians whose guardian is added. */
  addedGuardians: string[]
  defaultClass: string
  invites: boolean
  /**
   * The Idempotency-Key with which this very sheet was sent; null until then. It is stored with the
   * sheet, so that a second press after a reload or a lost answer adds nobody twice.
   */
  importKey: string | null
}
type Draft = { state: ImportState | null }

const DRAFT = 'import-students'

const NO_DECISIONS: Omit<ImportState, 'version' | 'origin' | 'sheet'> = {
  choices: {},
  warnings: [],
  includedRows: [],
  statuses: {},
  classes: {},
  classNames: {},
  joinedSides: {},
  addedGuardians: [],
  defaultClass: '',
  invites: true,
  importKey: null,
}

/** A draft of an earlier version of the app lacks what has come since. */
const withDefaults = ({ state }: Draft): Draft => ({
  state: state && { ...NO_DECISIONS, ...state },
})

/** The body of the calls. */
export function bodyOf({
  sheet,
  choices,
  includedRows,
  statuses,
  classes,
  classNames,
  joinedSides,
  addedGuardians,
  defaultClass,
  invites,
}: ImportState) {
  return {
    ...importedPart(sheet),
    choices: Object.entries(choices).map(([row, choice]) => ({ row: Number(row), choice })),
    include_rows: includedRows,
    statuses: Object.entries(statuses).map(([status, means]) => ({ status, means })),
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

/** The record with another value for the name, or without one. */
function withEntry<V>(
  record: Record<string, V>,
  name: string,
  value: V | undefined,
): Record<string, V> {
  const { [name]: _, ...otherEntries } = record
  return value === undefined ? otherEntries : { ...otherEntries, [name]: value }
}

/**
 * The sheet that was pasted or read, and every change of it. It is stored in this tab at every change, so that it outlives Esc, Back, a reload and
 * an ended session.
 */
export function useImportSheet() {
  const [draft, setDraft] = useState<Draft>({ state: null })
  const { state } = draft
  useDraft(DRAFT, {
    values: draft,
    isDirty: () => draft.state !== null,
    setValues: (storedDraft: Draft) => setDraft(withDefaults(storedDraft)),
  })
  useEffect(() => {
    try {
      if (state) drafts.keep()
    } catch {
      // More than the browser stores for a tab: the sheet lasts as long as the page.
    }
  }, [state])
  return useMemo(() => {
    const change = (next: (state: ImportState) => Partial<ImportState>) =>
      setDraft((previous) =>
        previous.state
          ? {
              state: {
                ...previous.state,
                ...next(previous.state),
                version: previous.state.version + 1,
                // Another sheet is another import.
                importKey: null,
              },
            }
          : previous,
      )
    const changeSheet = (next: (sheet: Sheet) => Partial<Sheet>) =>
      change(({ sheet }) => ({ sheet: { ...sheet, ...next(sheet) } }))
    return {
      state,
      load: ({ rows, warnings }: ReadTable) => {
        const sheet = sheetOf(rows, today())
        if (sheet.rows.length > 0 && sheet.rows.length <= MAX_IMPORT_ROWS)
          setDraft({
            state: { ...NO_DECISIONS, version: Date.now(), origin: Date.now(), sheet, warnings },
          })
        return sheet.rows.length
      },
      /** Only these rows stay, for another try; without any, nothing does. */
      keepRows: (rows: readonly number[]) => {
        if (rows.length > 0)
          return change(({ sheet, origin, includedRows }) => ({
            sheet: { ...sheet, rows: rows.map((row) => sheet.rows[row]!) },
            choices: {},
            joinedSides: {},
            addedGuardians: [],
            warnings: [],
            includedRows: rows.flatMap((row, index) => (includedRows.includes(row) ? [index] : [])),
            origin: origin + 1,
          }))
        drafts.take(DRAFT, '')
        setDraft({ state: null })
      },
      setCell: (row: number, column: number, text: string) =>
        changeSheet(({ rows }) => ({
          rows: rows.with(row, rows[row]!.with(column, text)),
        })),
      setField: (column: number, field: ImportField | null) =>
        changeSheet(({ rows, fields: oldFields, dateOrder }) => {
          const fields = oldFields.with(column, field)
          const { order, isCertain } = dateOrderOf(rows, fields)
          return field === 'date_of_birth'
            ? { fields, dateOrder: order, isDateOrderCertain: isCertain }
            : { fields, dateOrder }
        }),
      setDateOrder: (dateOrder: DateOrder) => changeSheet(() => ({ dateOrder })),
      setChoices: (rows: readonly number[], choice: DuplicateChoice | null) =>
        change(({ choices }) => {
          const otherChoices = Object.entries(choices).filter(
            ([row]) => !rows.includes(Number(row)),
          )
          return {
            choices: Object.fromEntries([
              ...otherChoices,
              ...(choice ? rows.map((row) => [String(row), choice] as const) : []),
            ]),
          }
        }),
      setIncluded: (rows: readonly number[], isIncluded: boolean) =>
        change(({ includedRows }) => {
          const otherRows = includedRows.filter((row) => !rows.includes(row))
          return { includedRows: isIncluded ? [...otherRows, ...rows] : otherRows }
        }),
      setStatus: (status: string, means: Status) =>
        change(({ statuses }) => ({ statuses: { ...statuses, [statusKey(status)]: means } })),
      /** Undefined: the class of that name, or a new one. */
      setClass: (name: string, classId: string | null | undefined) =>
        change(({ classes, classNames }) => ({
          classes: withEntry(classes, name, classId),
          classNames: withEntry(classNames, name, undefined),
        })),
      /** What the new class is called that a name in the sheet means. */
      setClassName: (name: string, className: string) =>
        change(({ classes, classNames }) => ({
          classes: withEntry(classes, name, undefined),
          classNames: withEntry(classNames, name, className || undefined),
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
      setImportKey: (importKey: string | null) =>
        setDraft((previous) =>
          previous.state ? { state: { ...previous.state, importKey } } : previous,
        ),
    }
  }, [state])
}
export type ImportSheet = ReturnType<typeof useImportSheet>
