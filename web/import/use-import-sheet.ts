import { MAX_IMPORT_ROWS } from '@tatami/contract/import/import-form'
import { hasNameColumn, parseSheet } from '@tatami/contract/import/sheet'
import { useEffect, useMemo, useRef, useState } from 'react'
import { today } from '../lib/dates.ts'
import { drafts, useDraft } from '../lib/drafts.ts'
import { DEFAULT_DECISIONS, type ImportState } from './import-state.ts'
import type { SheetTable } from './read-table.ts'
import {
  createDecisionChanges,
  createRowChoices,
  createSheetChanges,
  type TypedCell,
  withCell,
} from './sheet-changes.ts'

const DRAFT = 'import-students'

type Draft = { state: ImportState | null }

/** A draft from an earlier version of the app may lack some fields. */
const withDefaults = ({ state }: Draft): Draft => ({
  state: state && { ...DEFAULT_DECISIONS, ...state },
})

const withTypedCell = ({ state }: Draft, typedCell: TypedCell | null): Draft => ({
  state: state && typedCell ? { ...state, sheet: withCell(state.sheet, typedCell) } : state,
})

function storeSheet(): void {
  try {
    drafts.storeOpenForms()
  } catch {
    // The sheet is too large for the browser's storage, so a reload loses it.
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
    const update = (getState: (state: ImportState) => ImportState) =>
      setDraft((oldDraft) => ({ state: oldDraft.state && getState(oldDraft.state) }))
    // A changed sheet is a new import, which needs a new key.
    const change = (getChanges: (state: ImportState) => Partial<ImportState>) =>
      update((oldState) => ({
        ...oldState,
        ...getChanges(oldState),
        version: oldState.version + 1,
        importKey: null,
      }))
    return {
      state,
      load: ({ rows, warnings }: SheetTable) => {
        const sheet = parseSheet(rows, today())
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
      /** Stores what the user types in a cell. We check it when the user leaves the cell. */
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
