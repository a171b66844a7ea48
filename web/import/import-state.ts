import type { BalanceMeaning } from '@tatami/contract/import/history'
import type { DuplicateChoice, ExtraStripesChoice } from '@tatami/contract/import/import-form'
import type { Sheet } from '@tatami/contract/import/sheet'
import type { Status } from '@tatami/contract/import/status'

/** The sheet, and the instructor's decisions about it. */
export type ImportState = {
  /** Changes with every change of the sheet or the decisions. */
  version: number
  /** Changes only when the rows change: with a new file or paste. */
  origin: number
  sheet: Sheet
  /** Row index → what to do with the row. */
  duplicateChoices: Record<number, DuplicateChoice>
  warnings: string[]
  /** True until the instructor has said what each column means. */
  asksColumns: boolean
  /** Rows to import that would otherwise be skipped. */
  includedRows: number[]
  /** Rows of people who left, to import as former students. */
  formerRows: number[]
  /** The status in the sheet, in lowercase → what it means. */
  statuses: Record<string, Status>
  /** The belt in the sheet → one of `BELTS`, the id of a rank, or empty for no belt. */
  belts: Record<string, string>
  /** Empty until the instructor has answered. */
  extraStripesChoice: ExtraStripesChoice | ''
  /** "2026-11", or empty for the default. */
  paidThrough: string
  /** Empty if balances are left out. */
  balanceMeaning: BalanceMeaning | ''
  /** True if siblings with the same balance each owe it. Otherwise, the family owes it once. */
  isBalancePerSibling: boolean
  /** True if debts include this month's fee if it is not paid. */
  debtsIncludeThisMonth: boolean
  /** The class name in the sheet → the id of a class, or null for no class. */
  classes: Record<string, string | null>
  /** The class name in the sheet → the name of a new class. */
  newClassNames: Record<string, string>
  /** The membership in the sheet → the id of a plan, `new`, or empty for a note. */
  memberships: Record<string, string>
  /** The id of a question → the sides that are one family or one guardian. */
  sidesByQuestion: Record<string, number[]>
  /** The ids of questions about guardians that were answered with Add. */
  addedGuardians: string[]
  /** The id of the class for students without one. Empty for none. */
  defaultClass: string
  invites: boolean
  /** The Idempotency-Key. Stored, so that pressing Import again after a reload adds nobody
   *  twice. */
  importKey: string | null
}

export const DEFAULT_DECISIONS: Omit<ImportState, 'version' | 'origin' | 'sheet'> = {
  duplicateChoices: {},
  warnings: [],
  asksColumns: false,
  includedRows: [],
  formerRows: [],
  statuses: {},
  belts: {},
  extraStripesChoice: '',
  paidThrough: '',
  balanceMeaning: '',
  isBalancePerSibling: false,
  debtsIncludeThisMonth: true,
  classes: {},
  newClassNames: {},
  memberships: {},
  sidesByQuestion: {},
  addedGuardians: [],
  defaultClass: '',
  invites: true,
  importKey: null,
}
