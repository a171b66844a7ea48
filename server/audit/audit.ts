import type { AuditAction } from '@tatami/contract/audit'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Caller } from '../http/serve.ts'
import { auditLog } from './tables.ts'

type About = { subject_id?: string; details?: Record<string, string | number | boolean> }
export type NewAuditEntry = About & {
  actor_id: string
  action: AuditAction
  dojo_id?: string | null
}

/** The actor where nobody acts. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Records an action in the audit log, in the transaction of the action itself. Entries are never deleted: `details` hold no name, email,
 *  phone or words of a person. */
export const audit = (tx: Tx, entry: NewAuditEntry) => tx.insert(auditLog).values(entry)

/** Records what the caller has done in their own dojo, about nobody or about the person or thing of `subject_id`. */
export const auditAct = (
  tx: Tx,
  { id, dojoId }: Pick<Caller, 'id' | 'dojoId'>,
  action: AuditAction,
  about: About = {},
) => audit(tx, { actor_id: id, dojo_id: dojoId, action, ...about })

/** As `audit`, for many at once. */
export const auditAll = (tx: Tx, entries: NewAuditEntry[]): Promise<void> =>
  inChunks(entries, (some) => tx.insert(auditLog).values(some))
