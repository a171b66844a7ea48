import type { DuplicateChoice } from '@tatami/contract/import'
import type { ImportField } from '@tatami/contract/import-columns'
import type { DateOrder } from '@tatami/contract/import-dates'
import { dateOrderOf, importedPart, type Sheet, sheetOf } from '@tatami/contract/import-sheet'
import { useEffect, useMemo, useState } from 'react'
import { today } from '../lib/dates.ts'
import { drafts, useDraft } from '../lib/drafts.ts'

/** A sheet on its way in, with what was decided about it. `version` changes with everything that does. */
export type ImportState = {
  version: number
  /** Changes when the rows are others. */
  origin: number
  sheet: Sheet
  /** By row. */
  choices: Record<number, DuplicateChoice>
  /** By the name in the sheet: the dojo's class, or null for none. */
  classes: Record<string, string | null>
  defaultClass: string
  invites: boolean
}
type Draft = { state: ImportState | null }

const DRAFT = 'import-students'

/** The body of the calls. */
export function bodyOf({ sheet, choices, classes, defaultClass, invites }: ImportState) {
  return {
    ...importedPart(sheet),
    choices: Object.entries(choices).map(([row, choice]) => ({ row: Number(row), choice })),
    classes: Object.entries(classes).map(([name, class_id]) => ({ name, class_id })),
    default_class_id: defaultClass || null,
    invites,
  }
}

const replaced = <T>(list: readonly T[], at: number, value: T) =>
  list.map((one, index) => (index === at ? value : one))

/**
 * The sheet that was pasted or read, and every change of it. It is stored in this tab at every change, so that it outlives Esc, Back, a reload and
 * an ended session.
 */
export function useImportSheet() {
  const [draft, setDraft] = useState<Draft>({ state: null })
  const { state } = draft
  useDraft(DRAFT, { values: draft, isDirty: () => draft.state !== null, setValues: setDraft })
  useEffect(() => {
    try {
      if (state) drafts.keep()
    } catch {
      // More than the browser stores for a tab: the sheet lasts as long as the page.
    }
  }, [state])
  return useMemo(() => {
    const change = (next: (state: ImportState) => Partial<ImportState>) =>
      setDraft((before) =>
        before.state
          ? { state: { ...before.state, ...next(before.state), version: before.state.version + 1 } }
          : before,
      )
    const changeSheet = (next: (sheet: Sheet) => Partial<Sheet>) =>
      change(({ sheet }) => ({ sheet: { ...sheet, ...next(sheet) } }))
    return {
      state,
      load: (table: string[][]) => {
        const sheet = sheetOf(table, today())
        if (sheet.rows.length > 0)
          setDraft({
            state: {
              version: Date.now(),
              origin: Date.now(),
              sheet,
              choices: {},
              classes: {},
              defaultClass: '',
              invites: true,
            },
          })
        return sheet.rows.length
      },
      /** Only these rows stay, for another try; without any, nothing does. */
      keepRows: (rows: readonly number[]) => {
        if (rows.length > 0)
          return change(({ sheet, origin }) => ({
            sheet: { ...sheet, rows: rows.map((row) => sheet.rows[row]!) },
            choices: {},
            origin: origin + 1,
          }))
        drafts.take(DRAFT, '')
        setDraft({ state: null })
      },
      setCell: (row: number, column: number, text: string) =>
        changeSheet(({ rows }) => ({
          rows: replaced(rows, row, replaced(rows[row]!, column, text)),
        })),
      setField: (column: number, field: ImportField | null) =>
        changeSheet(({ rows, fields: before, dateOrder }) => {
          const fields = replaced(before, column, field)
          const { order, isCertain } = dateOrderOf(rows, fields)
          return field === 'date_of_birth'
            ? { fields, dateOrder: order, isDateOrderCertain: isCertain }
            : { fields, dateOrder }
        }),
      setDateOrder: (dateOrder: DateOrder) => changeSheet(() => ({ dateOrder })),
      setChoices: (rows: readonly number[], choice: DuplicateChoice | null) =>
        change(({ choices }) => {
          const others = Object.entries(choices).filter(([row]) => !rows.includes(Number(row)))
          return {
            choices: Object.fromEntries([
              ...others,
              ...(choice ? rows.map((row) => [String(row), choice] as const) : []),
            ]),
          }
        }),
      setClass: (name: string, classId: string | null | undefined) =>
        change(({ classes: { [name]: _, ...others } }) => ({
          classes: classId === undefined ? others : { ...others, [name]: classId },
        })),
      setDefaultClass: (defaultClass: string) => change(() => ({ defaultClass })),
      setInvites: (invites: boolean) => change(() => ({ invites })),
    }
  }, [state])
}
export type ImportSheet = ReturnType<typeof useImportSheet>
