import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { auditLog } from './tables.ts'

export type NewAuditEntry = {
  actor_id: string
  action: string
  dojo_id?: string | null
  subject_id?: string
  details?: Record<string, string | number | boolean>
}

/** Records an action in the audit log, in the transaction of the action itself. */
export const audit = (tx: Tx, entry: NewAuditEntry) => tx.insert(auditLog).values(entry)

/** As `audit`, for many at once. */
export const auditAll = (tx: Tx, entries: NewAuditEntry[]): Promise<void> => inChunks(entries, (some) => tx.insert(auditLog).values(some))
