import type { Tx } from '../db/database.ts'
import { auditLog } from './tables.ts'

export type Act = {
  actor_id: string
  action: string
  dojo_id?: string | null
  subject_id?: string
  details?: Record<string, string | number | boolean>
}

/** One line for an act that someone may ask about later; it stands or falls with the act's own transaction. */
export const audit = (tx: Tx, act: Act) => tx.insert(auditLog).values(act)
