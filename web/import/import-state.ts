import type { BalanceMeaning } from '@tatami/contract/import/history'
import type { DuplicateChoice, ExtraStripesChoice } from '@tatami/contract/import/import-form'
import type { Sheet } from '@tatami/contract/import/sheet'
import type { Status } from '@tatami/contract/import/status'

/** The sheet, and what the instructor has decided about it. */
export type ImportState = {
  /** Changes with every change of the sheet or of a decision. */
  version: number
  /** Changes only when the rows change: with a new file or paste. */
  origin: number
  sheet: Sheet
  /** The index of a row → what to do with it. */
  duplicateChoices: Record<number, DuplicateChoice>
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
  /** Empty until the instructor has answered. */
  extraStripesChoice: ExtraStripesChoice | ''
  /** "2026-11", or empty for the default. */
  paidThrough: string
  /** Empty if balances are left out. */
  balanceMeaning: BalanceMeaning | ''
  /** Whether each sibling owes a balance that they all have, rather than the family once. */
  isBalancePerSibling: boolean
  /** Whether debts include the fee of this month, if it is not paid. */
  debtsIncludeThisMonth: boolean
  /** The class's name in the sheet → the id of a class, or null for none. */
  classes: Record<string, string | null>
  /** The class's name in the sheet → the name of a new class. */
  newClassNames: Record<string, string>
  /** The membership in the sheet → the id of a plan, `new`, or empty for a note. */
  memberships: Record<string, string>
  /** The id of a question → the sides that are one family or one guardian. */
  sidesByQuestion: Record<string, number[]>
  /** The questions about guardians that were answered with Add. */
  addedGuardians: string[]
  /** The id of the class for students without one. Empty for none. */
  defaultClass: string
  invites: boolean
  /** The Idempotency-Key, stored so that Import after a reload adds no one twice. */
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
