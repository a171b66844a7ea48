import { refusalWithout } from '@tatami/contract/rights'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Line } from '../ledger/ledger.ts'

/** `staff` is left out by our own jobs, which may do everything. */
export type LedgerCaller = Pick<DojoCaller, 'id' | 'dojoId'> & Partial<Pick<DojoCaller, 'staff'>>

/** 403 for staff who may undo only what they recorded themselves. */
export function requireMayUndo(
  { id, staff }: LedgerCaller,
  lines: readonly Pick<Line, 'created_by'>[],
): void {
  if (!staff || staff.rights.has('money.give_back')) return
  const isOthers = lines.some(({ created_by }) => created_by !== null && created_by !== id)
  if (isOthers) throw new Refusal(403, refusalWithout('money.give_back'))
}
